import { randomUUID } from 'node:crypto';
import type { Evidence } from '../../domain/gate/evidence.ts';
import type { Meaning } from '../../domain/intent/meaning.ts';
import type { HeardWord } from '../../domain/intent/slot-confidence.ts';
import type { JsonValue } from '../../domain/json.ts';
import type { Language } from '../../domain/language/language.ts';
import type { RoutingDecision } from '../../domain/session/routing-decision.ts';
import type { Caller, DegradedBy } from '../../domain/tool/tool-call.ts';
import { type ReadingReport, readingReportSchema, type TurnReport } from '../turn-report.ts';

type TurnOutcome = TurnReport['outcome'];

/** What one turn is about and what it has come to so far. */
export class TurnScope {
  readonly id: string;
  /** Names what it says, and no other turn: ids of turns may come from outside, and come twice. */
  readonly telling: string = randomUUID();
  readonly text: string;
  readonly language: Language;
  readonly caller: Caller;
  readonly startedAtMs: number;
  evidence: Evidence;
  /** Words that may be doubted: none that were typed, and none of an answer, which settles what was asked. */
  heard: readonly HeardWord[];
  meaning: Meaning | undefined;
  /** Where a rule or a model has decided. */
  decision: RoutingDecision | undefined;
  degradedBy: DegradedBy | undefined;
  /** How it ended where the session's machine does not say. */
  outcome: TurnOutcome | undefined;
  failed = false;
  /** What is said, one sentence each. */
  readonly lines: string[] = [];
  readonly readings: ReadingReport[] = [];
  /** Entries of the ledger that it made. */
  readonly actions: string[] = [];
  /** When the first sound of it came, or it was sent; monotonic, milliseconds. */
  readonly beganAtMs: number;

  constructor(given: {
    readonly id: string;
    readonly text: string;
    readonly language: Language;
    readonly caller: Caller;
    readonly evidence: Evidence;
    readonly heard?: readonly HeardWord[];
    readonly startedAtMs: number;
    readonly beganAtMs: number;
  }) {
    this.id = given.id;
    this.text = given.text;
    this.language = given.language;
    this.caller = given.caller;
    this.evidence = given.evidence;
    this.heard = given.heard ?? [];
    this.startedAtMs = given.startedAtMs;
    this.beganAtMs = given.beganAtMs;
  }

  /** Values were asked for, and there is none. */
  get hasNoValue(): boolean {
    return this.readings.length > 0 && this.readings.every(({ quality }) => quality !== 'good');
  }

  /** The readings of a tool's result, where it has any. */
  takeReadings(readings: JsonValue | undefined): void {
    const parsed = readingReportSchema.array().safeParse(readings ?? []);
    if (parsed.success) this.readings.push(...parsed.data);
  }
}
