import { z } from 'zod';
import { ROLES } from '../../domain/tool/tool-call.ts';
import { workflowStateSchema } from '../../domain/workflow/workflow-state.ts';

/** A workflow at the end of a stage, or before a step that may not be repeated. */
export const workflowSnapshotSchema = z.object({
  id: z.string(),
  /** Counts the snapshots of this workflow. */
  number: z.int().min(1),
  /** ISO 8601, wall clock. */
  savedAt: z.string(),
  /** On whose behalf it runs; consent is not a part of it. */
  caller: z.object({
    station: z.string(),
    sessionId: z.string(),
    turnId: z.string(),
    role: z.enum(ROLES),
    person: z.object({ id: z.string(), name: z.string() }).exactOptional(),
  }),
  state: workflowStateSchema,
});
export type WorkflowSnapshot = z.infer<typeof workflowSnapshotSchema>;

/** Where workflows survive a restart. Rejects with EdgeError STATE_DB_FAILED or STATE_DB_BUSY. */
export interface WorkflowStore {
  /** Resolves when it is on disk; a snapshot with a lower number than the one that is there changes nothing. */
  save(snapshot: WorkflowSnapshot): Promise<void>;
  latest(id: string): Promise<WorkflowSnapshot | undefined>;
  /** The latest of each that has not ended, oldest first. */
  unfinished(): Promise<readonly WorkflowSnapshot[]>;
  /** The latest of each, those saved last first, at most `limit`. */
  recent(limit: number): Promise<readonly WorkflowSnapshot[]>;
  /** Removes those that ended and were saved before; resolves with how many. */
  prune(savedBefore: string): Promise<number>;
}
