import { z } from 'zod';
import type { Caller } from '../tool/tool-call.ts';
import { hasRole } from './role.ts';

export const MAX_LOCK_REASON = 200;

/** A machine on which somebody works: nothing writes to it until that person, or a supervisor, unlocks it. */
export const machineLockSchema = z.object({
  machine: z.string().min(1),
  by: z.object({ id: z.string().min(1), name: z.string().min(1) }),
  /** ISO 8601, wall clock. */
  at: z.string(),
  reason: z.string().max(MAX_LOCK_REASON).optional(),
});
export type MachineLock = z.infer<typeof machineLockSchema>;

/** The locks in force, by machine. */
export type MachineLocksView = ReadonlyMap<string, MachineLock>;

export type LockRefusal = 'unnamed' | 'locked_by_other' | 'not_locked' | 'unknown_machine';

/** Undefined when the caller may lock the machine; locking again what one has locked oneself is allowed. */
export function lockRefusal(
  existing: MachineLock | undefined,
  caller: Pick<Caller, 'role' | 'person'>,
): Extract<LockRefusal, 'unnamed' | 'locked_by_other'> | undefined {
  if (caller.person === undefined || !hasRole(caller.role, 'operator')) return 'unnamed';
  return existing === undefined || existing.by.id === caller.person.id ? undefined : 'locked_by_other';
}

/** Undefined when the caller may unlock the machine: who locked it, or a supervisor known by name. */
export function unlockRefusal(
  existing: MachineLock | undefined,
  caller: Pick<Caller, 'role' | 'person'>,
): Exclude<LockRefusal, 'unknown_machine'> | undefined {
  if (caller.person === undefined) return 'unnamed';
  if (existing === undefined) return 'not_locked';
  return existing.by.id === caller.person.id || hasRole(caller.role, 'supervisor')
    ? undefined
    : 'locked_by_other';
}
