import type { MatchOutcome, Meaning } from '../../domain/intent/meaning.ts';
import type { NamedValue } from '../../domain/intent/sentence-book.ts';
import type { Language } from '../../domain/language/language.ts';
import type { Phrasebook } from '../../domain/phrases/phrasebook.ts';
import type { Plan } from '../../domain/planning/plan.ts';
import type { Routed } from '../../domain/planning/routed.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { Action } from '../../domain/session/action.ts';
import type { SpokenBefore } from '../../domain/session/spoken-before.ts';
import type { Say } from '../../domain/tool/say.ts';
import type { EscalationTicket } from '../../domain/tool/ticket.ts';
import type { Caller } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Audit } from '../ports/audit.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import type { SessionStore } from '../ports/session-store.ts';
import type { ToolRunner } from '../ports/tool-runner.ts';
import type { Told } from '../told.ts';
import type { HandlingDesk } from './handling-desk.ts';
import type { PeopleNames } from './people-names.ts';
import type { SessionContext } from './session-context.ts';

/** Finds the meanings of a text. */
export interface Understanding {
  match(text: string): MatchOutcome;
  /** The values of a list, each by the first name that it has; none of a range, or of a list that is not there. */
  valuesOf(list: string): readonly NamedValue[];
}

/** From a meaning to what is to be done. */
export interface Router {
  route(meaning: Meaning, asked: RouteContext): Promise<Routed>;
}

export interface RouteContext {
  /** Aborted when the fallback route is to be taken: what conditions would still have to read is not known then. */
  readonly fallback: AbortSignal;
  readonly caller: Caller;
  readonly language: Language;
  readonly actions: readonly Action[];
  readonly understoodBy: 'template' | 'keyword';
  /** How sure the words of each slot were heard, 0 to 1; 1 where nothing is said. */
  readonly slotConfidence: Readonly<Record<string, number>>;
}

/** What no sentence fits is matched by its words. Undefined when nothing comes near enough. */
export type KeywordMatch = (text: string, language: Language) => Meaning | undefined;

/** Proposes a plan for what no rule takes; undefined when it has none. Never rejects. */
export type Planner = (text: string, language: Language, before: SpokenBefore) => Promise<Plan | undefined>;

/** What the engine needs of the rest of the daemon. */
export interface EngineParts {
  readonly plant: PlantModel;
  readonly reader: PlcReader;
  readonly phrases: Phrasebook;
  readonly people: PeopleNames;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly context: SessionContext;
  readonly audit: Audit;
  readonly store: SessionStore;
  readonly tools: ToolRunner;
  readonly understanding: Readonly<Record<Language, Understanding>>;
  readonly router: Router;
  readonly keywords: KeywordMatch;
  /** Whether a typed text that no sentence takes asks for what is remembered. */
  readonly asksForMemory: (text: string, language: Language) => boolean;
  readonly planner: Planner | undefined;
  readonly handling: HandlingDesk;
  /** Those that nobody has settled yet, the oldest first, with their ages of now. */
  readonly openTickets: () => readonly EscalationTicket[];
  /** Who stands at a station, as its badge or the configuration says. */
  readonly standing: (station: string) => Pick<Caller, 'role' | 'person'>;
  /** Words a tool's sentences. */
  readonly words: (say: Say, contract: ToolContract, language: Language) => string;
  /** Sentences a person may say, as examples, in each language. */
  readonly examples: Readonly<Record<Language, readonly string[]>>;
  /** Silences what is being spoken and what waits to be: all of it, or only answers. */
  readonly silence: (which: 'all' | 'answers') => void;
  /** Tells a station something that no command of this moment asked for; resolves when that has been heard or not. Never rejects. */
  readonly tell: (station: string, text: string, language: Language) => Promise<Told>;
}
