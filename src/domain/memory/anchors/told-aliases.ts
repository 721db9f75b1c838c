import type { Fact } from '../fact.ts';
import { ANCHOR_KINDS, type AnchorKind } from '../mention.ts';
import { nameForms } from './name-forms.ts';
import { isReferringWord } from './referring-words.ts';

/** A name that somebody gave a thing by telling: "call pump seven the big one". */
export interface ToldAlias {
  readonly name: string;
  readonly id: string;
  readonly kind: AnchorKind;
  /** When it was last told or verified, in milliseconds since 1970. */
  readonly confirmedAtMs: number;
}

const ALIAS = 'alias.';
const LONGEST_ALIAS = 80;

/** The aliases that hold now, of facts with the predicate `alias.NAME`: verified, undisputed, not superseded, and not ended. */
export function toldAliases(facts: readonly Fact[], nowMs: number): readonly ToldAlias[] {
  return facts.flatMap((fact) => {
    const named = thingOf(fact);
    const kind = ANCHOR_KINDS.find((each) => named.startsWith(`${each}:`));
    const isNow = fact.validFromMs <= nowMs && (fact.validToMs === undefined || fact.validToMs > nowMs);
    const isCertain =
      fact.status === 'verified' && fact.disputes === undefined && fact.supersededAtMs === undefined;
    if (kind === undefined || !isNow || !isCertain || fact.value === false) return [];
    if (!fact.predicate.startsWith(ALIAS)) return [];
    const name = fact.predicate.slice(ALIAS.length);
    if (!isAliasName(name, kind)) return [];
    return [{ name, id: named, kind, confirmedAtMs: fact.confirmedAtMs }];
  });
}

/** An alias is a fact of the thing, or one of the site whose value is the machine. */
function thingOf({ subject, value }: Fact): string {
  return subject === 'site' && typeof value === 'string' ? `machine:${value}` : subject;
}

/** Words of commands and consents, in either language, are no names: a nickname must never be heard where one of these was said. */
const COMMAND_WORDS =
  /^(?:stop|cancel|yes|no|okay|confirm|execute|confirm execute|repeat|help|continue|undo|emergency(?: stop)?|start|停|停止|取消|是|不|不是|好|可以|确认|执行|确认执行|重复|帮助|继续|撤销|急停|紧急停止|启动)$/iu;

/** Whether something can be called so: it needs a word of its own, and "it" or 那台 are everybody's. */
export function isAliasName(name: string, kind: AnchorKind): boolean {
  return (
    !COMMAND_WORDS.test(name.trim()) &&
    name.length <= LONGEST_ALIAS &&
    nameForms(name, kind).length > 0 &&
    !isReferringWord(name)
  );
}
