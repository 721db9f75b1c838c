import { canonicalJson } from '../canonical-json.ts';
import type { JsonObject } from '../json.ts';
import type { WriteMode } from '../plc/writing/write-order.ts';
import type { NotSetUp, SitePart } from '../tool/site-part.ts';
import { KEY_OF_PART } from '../tool/site-part.ts';
import type { Caller } from '../tool/tool-call.ts';
import type { AccessLevel, CapabilityName, DataScope, Risk } from '../tool/tool-contract.ts';
import { type Doubt, doubtOf, type Evidence } from './evidence.ts';
import type { MachineLocksView } from './machine-lock.ts';
import { ACCESS_NEEDS, hasRole, isPersonOrigin, mayUse } from './role.ts';

/** What a call does that must never happen by mistake; `none` is everything else. */
export const EFFECTS = ['none', 'write', 'acknowledge', 'shelve'] as const;
export type Effect = (typeof EFFECTS)[number];

/** What has to be said before a call is carried out, the weakest first. */
export const CONFIRM_BY = ['yes', 'execute', 'execute_with_word'] as const;
export type ConfirmBy = (typeof CONFIRM_BY)[number];

/** What a person said yes to, and who. */
export interface GivenConsent {
  readonly actionId: string;
  readonly by: ConfirmBy;
  readonly giver: Pick<Caller, 'origin' | 'station' | 'role' | 'person'>;
}

/** Whether the call goes out at once or has waited for its far side. */
export type Delivery =
  | { readonly kind: 'now'; readonly isFarSideThere: boolean }
  | {
      readonly kind: 'queued';
      /** Until what it asks for no longer holds, milliseconds; undefined without an expiry. */
      readonly expiresInMs: number | undefined;
      readonly hasIdempotencyKey: boolean;
    };

export const DELIVERED_NOW: Delivery = { kind: 'now', isFarSideThere: true };

export interface GateRequest {
  readonly actionId: string;
  readonly tool: string;
  readonly access: AccessLevel;
  readonly risk: Risk;
  readonly effect: Effect;
  /** Of the data that the tool reaches, what these people may not; empty where nobody is kept from any of it. */
  readonly beyond: { readonly caller: readonly DataScope[]; readonly giver: readonly DataScope[] };
  readonly caller: Pick<Caller, 'origin' | 'station' | 'role' | 'person'>;
  readonly evidence: Evidence;
  /** The part of the site without which the tool can do nothing; undefined where it is set up. */
  readonly lacks: SitePart | undefined;
  readonly writes: WriteMode;
  /** Ids of the machines that it changes. */
  readonly machines: readonly string[];
  readonly locks: MachineLocksView;
  /** Tool and arguments are just what the site declared as an automatic output (`isDeclaredOutput`). */
  readonly isDeclaredOutput: boolean;
  readonly delivery: Delivery;
  readonly consent: GivenConsent | undefined;
}

export type RefusalReason =
  | 'consent_invalid'
  | 'access_denied'
  | 'scope_denied'
  | 'not_set_up'
  | 'writes_off'
  | 'machine_unknown'
  | 'locked'
  | 'never_waits'
  | 'wait_unlimited'
  | 'expired'
  | 'proposal_doubtful';

export interface Refusal {
  readonly kind: 'refuse';
  readonly reason: RefusalReason;
  /** For the audit, in English; what is said aloud is `refusalLine`. */
  readonly detail: string;
  readonly lockedBy?: { readonly machine: string; readonly name: string };
  readonly notSetUp?: NotSetUp;
}

/** A question to a person, and how long it stands. */
export interface Wanted {
  readonly by: ConfirmBy;
  /** From the end of the question on. */
  readonly windowMs: number;
  /** Unanswered, it is kept for `PARKED_MS` and offered again; else it is cancelled. */
  readonly isParkable: boolean;
}

export type GateDecision =
  | { readonly kind: 'act' }
  | ({ readonly kind: 'confirm' } & Wanted)
  /** Whoever asked cannot consent: a person at a station or the panel is asked. */
  | ({ readonly kind: 'propose' } & Wanted)
  | { readonly kind: 'ask'; readonly reason: Doubt }
  | Refusal;

export const CONFIRM_WINDOW_MS = 60_000;
export const PARKED_MS = 30 * 60_000;

/** The effect that a tool's capabilities give it; acknowledging and shelving are no tool's capabilities. */
export function effectOf(capabilities: readonly CapabilityName[]): Effect {
  return capabilities.includes('points.write') ? 'write' : 'none';
}

/** An output that the site lets rules, workflows and alarms switch unasked: these arguments and no others. */
export interface DeclaredOutput {
  readonly tool: string;
  readonly args: JsonObject;
}

export function isDeclaredOutput(
  tool: string,
  args: JsonObject,
  declared: readonly DeclaredOutput[],
): boolean {
  const asked = canonicalJson(args);
  return declared.some((output) => output.tool === tool && canonicalJson(output.args) === asked);
}

/**
 * Whether a call may happen, and what has to be said before. The rules stand in this order; the first that decides ends it.
 *
 * 1. A consent counts only from a person at a microphone, the command line or the panel, and only for its own call.
 * 2. Access: who asks has the role, and for CRITICAL is known by name. A proposal needs the role alone: the person who
 *    confirms it needs the rest. What the site declared as an automatic output is allowed by that. The tool reaches no data
 *    that the person who asks, or the one who confirms, is kept from.
 * 3. What the tool acts by is set up at this site.
 * 4. `plant.writes: off` refuses every write. Commissioning goes on: the writer simulates.
 * 5. A write names its machines, and none of them is locked.
 * 6. Nothing but records ever waits, and each with an expiry or an idempotency key.
 * 7. What risks and changes nothing happens at once.
 * 8. So does a declared automatic output, when a rule, a workflow or an alarm asks for it and it is not dangerous.
 * 9. What was heard doubtfully is asked about; of a model's proposal on doubtful words nothing is made at all.
 * 10. An acknowledgement or a shelving without risk that a person asked for in a whole sentence happens at once.
 * 11. Without consent: a person at a station is asked to confirm; for all others it is a proposal.
 * 12. The consent is as strong as the risk asks for, and its giver may use the tool: it happens.
 */
export function decide(request: GateRequest): GateDecision {
  return (
    badConsent(request) ??
    denial(request) ??
    partRefusal(request) ??
    writeRefusal(request) ??
    waitRefusal(request) ??
    (isWeightless(request) || isAutomatic(request) ? { kind: 'act' } : weigh(request))
  );
}

function badConsent({ consent, actionId }: GateRequest): Refusal | undefined {
  if (consent === undefined) return undefined;
  if (!isPersonOrigin(consent.giver.origin))
    return refuse('consent_invalid', `${consent.giver.origin} cannot consent`);
  return consent.actionId === actionId
    ? undefined
    : refuse('consent_invalid', `the consent is for ${consent.actionId}, not for ${actionId}`);
}

function denial(request: GateRequest): Refusal | undefined {
  const { access, caller } = request;
  if (isAutomatic(request)) return undefined;
  const isProposal = !isPersonOrigin(caller.origin) && !isWeightless(request);
  const isAllowed = isProposal ? hasRole(caller.role, ACCESS_NEEDS[access].role) : mayUse(access, caller);
  return isAllowed ? keptFrom(request, caller, request.beyond.caller) : denied(request, caller);
}

function keptFrom(
  { tool }: GateRequest,
  who: GateRequest['caller'],
  beyond: readonly DataScope[],
): Refusal | undefined {
  if (beyond.length === 0) return undefined;
  return refuse(
    'scope_denied',
    `${tool} reaches ${beyond.join(', ')}, from which ${who.person?.id ?? 'nobody known'} at ${who.station} (${who.origin}) is kept`,
  );
}

function denied({ access, tool }: GateRequest, who: GateRequest['caller']): Refusal {
  const { role, isNamed } = ACCESS_NEEDS[access];
  return refuse(
    'access_denied',
    `${tool} is ${access}: it needs ${role}${isNamed ? ' known by name' : ''}; ${who.person?.id ?? 'nobody known'} at ${who.station} (${who.origin}) is ${who.role}`,
  );
}

function partRefusal({ tool, lacks }: GateRequest): Refusal | undefined {
  if (lacks === undefined) return undefined;
  return {
    ...refuse(
      'not_set_up',
      `${tool} needs ${lacks}, which is not set up: set ${KEY_OF_PART[lacks]} in the configuration`,
    ),
    notSetUp: { tool, part: lacks },
  };
}

function writeRefusal({ effect, tool, writes, machines, locks }: GateRequest): Refusal | undefined {
  if (effect !== 'write') return undefined;
  if (writes === 'off') return refuse('writes_off', 'plant.writes is off');
  if (machines.length === 0)
    return refuse('machine_unknown', `no machine is known that ${tool} would change`);
  for (const machine of machines) {
    const lock = locks.get(machine);
    if (lock === undefined) continue;
    return {
      ...refuse('locked', `${machine} is locked by ${lock.by.name} (${lock.by.id}) since ${lock.at}`),
      lockedBy: { machine, name: lock.by.name },
    };
  }
  return undefined;
}

function waitRefusal(request: GateRequest): Refusal | undefined {
  const { delivery, tool } = request;
  const mayWait = request.effect === 'none' && (request.risk === 'none' || request.risk === 'reversible');
  if (delivery.kind === 'now')
    return delivery.isFarSideThere || mayWait
      ? undefined
      : refuse('never_waits', `the far side of ${tool} is gone, and it never waits`);
  if (!mayWait) return refuse('never_waits', `${tool} was queued, and it never waits`);
  if (delivery.expiresInMs === undefined && !delivery.hasIdempotencyKey)
    return refuse('wait_unlimited', `${tool} was queued without an expiry or an idempotency key`);
  return delivery.expiresInMs !== undefined && delivery.expiresInMs <= 0
    ? refuse('expired', `${tool} waited ${-delivery.expiresInMs} ms longer than it holds`)
    : undefined;
}

function isWeightless({ effect, risk }: GateRequest): boolean {
  return effect === 'none' && risk === 'none';
}

function isAutomatic({
  isDeclaredOutput: isDeclared,
  caller,
  risk,
  evidence,
  consent,
}: GateRequest): boolean {
  return (
    isDeclared &&
    risk !== 'dangerous' &&
    consent === undefined &&
    (caller.origin === 'rule' || caller.origin === 'workflow' || caller.origin === 'alarm') &&
    evidence.source !== 'model' &&
    doubtOf(evidence) === undefined
  );
}

/** Rules 9 to 12. */
function weigh(request: GateRequest): GateDecision {
  const { caller, evidence, consent } = request;
  const doubt = doubtOf(evidence);
  if (doubt !== undefined)
    return evidence.source === 'model'
      ? refuse('proposal_doubtful', `a model's proposal on an utterance with ${doubt}`)
      : { kind: 'ask', reason: doubt };
  const by = confirmBy(request);
  if (by === undefined) return { kind: 'act' };
  if (consent === undefined) {
    const isProposal = !isPersonOrigin(caller.origin) || (evidence.source === 'model' && !isRecord(request));
    return {
      kind: isProposal ? 'propose' : 'confirm',
      by,
      windowMs: CONFIRM_WINDOW_MS,
      isParkable: isRecord(request),
    };
  }
  if (CONFIRM_BY.indexOf(consent.by) < CONFIRM_BY.indexOf(by))
    return refuse('consent_invalid', `it takes ${by}, and ${consent.by} was given`);
  if (!mayUse(request.access, consent.giver)) return denied(request, consent.giver);
  return keptFrom(request, consent.giver, request.beyond.giver) ?? { kind: 'act' };
}

/** A work order, a message, a note: undone as easily as done. */
function isRecord({ effect, risk }: GateRequest): boolean {
  return effect === 'none' && risk === 'reversible';
}

/** Undefined when nothing has to be said. A write takes the execute phrase, however harmless its tool says it is. */
function confirmBy({ effect, risk, caller, evidence }: GateRequest): ConfirmBy | undefined {
  if (risk === 'dangerous') return 'execute_with_word';
  if (risk === 'physical' || effect === 'write') return 'execute';
  if (risk === 'reversible') return 'yes';
  const isSaidByPerson =
    isPersonOrigin(caller.origin) && (evidence.source === 'template' || evidence.source === 'rule');
  return effect === 'none' || isSaidByPerson ? undefined : 'yes';
}

function refuse(reason: RefusalReason, detail: string): Refusal {
  return { kind: 'refuse', reason, detail };
}
