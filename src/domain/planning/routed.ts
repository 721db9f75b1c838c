import type { Meaning } from '../intent/meaning.ts';
import type { JsonValue } from '../json.ts';
import type { Spoken } from '../language/language.ts';
import type { PointRef } from '../plc/point-ref.ts';
import type { NotSetUp } from '../tool/site-part.ts';
import type { FactRef } from './evaluate-condition.ts';
import type { Plan } from './plan.ts';
import type { SessionOperation } from './rule-file.ts';

/** What a slot came to, for the record and for whoever has to say it. */
export interface Entity {
  readonly value: JsonValue;
  readonly spoken: string;
  /** 0 to 1; 1 where the words leave no choice. */
  readonly confidence: number;
}

/** What has to be asked before anything can happen. A name that nobody knows is in `spoken` as 【name】. */
export type Question =
  | { readonly slot: string; readonly why: 'missing' }
  | {
      readonly slot: string;
      readonly why: 'which';
      readonly spoken: string;
      readonly choices: readonly Choice[];
    }
  | {
      readonly slot: string;
      readonly why: 'unknown_name';
      readonly spoken: string;
      readonly nearest?: string;
    }
  | {
      readonly slot: string;
      readonly why: 'unknown_time' | 'time_to_come' | 'no_such_shift' | 'doubtful';
      readonly spoken: string;
    };

export interface Choice {
  /** Given back as the chosen value of the slot. */
  readonly value: JsonValue;
  /** A name to say, or the moment at which the time begins, ISO 8601. */
  readonly said: { readonly names: Spoken } | { readonly at: string };
}

/** What the rules make of a meaning. */
export type Routed =
  | {
      readonly kind: 'plan';
      readonly rule: string;
      readonly plan: Plan;
      readonly entities: Readonly<Record<string, Entity>>;
      /** A name was found by likeness, which never carries a write. */
      readonly fuzzyName: boolean;
    }
  | { readonly kind: 'ask'; readonly rule: string; readonly question: Question }
  | { readonly kind: 'say'; readonly rule: string; readonly phrase: string }
  | {
      readonly kind: 'session';
      readonly rule: string;
      readonly operation: SessionOperation;
      readonly slots: Meaning['slots'];
    }
  /** There is nothing in the ledger that it could be done with, such as no result to export. */
  | { readonly kind: 'lacks'; readonly rule: string; readonly of: readonly string[] }
  /** It rests on the likeness of words, which carries nothing that changes anything: the sentence has to be said again. */
  | { readonly kind: 'doubtful'; readonly rule: string }
  | { readonly kind: 'denied'; readonly rule: string; readonly tool: string }
  /** The site has not set up what the tool cannot do without. */
  | ({ readonly kind: 'not_set_up'; readonly rule: string } & NotSetUp)
  /** The tool is not there, or is there and cannot be used. */
  | { readonly kind: 'unavailable'; readonly rule: string; readonly tool: string }
  /** These have to be read first; then it is asked again. */
  | {
      readonly kind: 'undecided';
      readonly rule: string;
      readonly points: readonly PointRef[];
      readonly facts: readonly FactRef[];
    }
  | { readonly kind: 'none' };
