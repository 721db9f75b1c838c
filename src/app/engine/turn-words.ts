import type { GateDecision } from '../../domain/gate/gate.ts';
import { doubtLine, type GateLine, refusalLine } from '../../domain/gate/gate-lines.ts';
import { numberDigitByDigit } from '../../domain/language/number-to-words.ts';
import type { PhraseKey } from '../../domain/phrases/phrase-keys.ts';
import { estimateTokens } from '../../domain/session/token-estimate.ts';
import { KEY_OF_PART, type NotSetUp } from '../../domain/tool/site-part.ts';
import type { ActionEnd } from './action-executor.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import { aboutSteps, failureLine } from './step-words.ts';
import type { TurnScope } from './turn-scope.ts';

type Parts = Pick<EngineParts, 'phrases' | 'plant' | 'tools' | 'words' | 'tell'>;

/** What a turn says: of decisions of the gate, of actions that ended, and of those that end after it. */
export class TurnWords {
  readonly #parts: Parts;

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  say(scope: TurnScope, key: PhraseKey): void {
    scope.lines.push(this.#parts.phrases.say(scope.language, key));
  }

  /** Why something is not done, generic where the reason is nobody's business at the machine. */
  refuse(scope: TurnScope, decision: GateDecision | undefined): void {
    if (decision?.kind === 'refuse' && decision.notSetUp !== undefined)
      this.notSetUp(scope, decision.notSetUp);
    else if (decision?.kind === 'refuse') scope.lines.push(this.#gateLine(refusalLine(decision), scope));
    else if (decision?.kind === 'ask') {
      if (decision.reason === 'digits_doubtful') this.#readDigitsBack(scope);
      scope.lines.push(this.#gateLine(doubtLine(decision.reason), scope));
    } else this.say(scope, 'tool_unavailable');
  }

  /** What cannot be done at this site, and to whoever reads it also how that is set up. */
  notSetUp(scope: TurnScope, { tool, part }: NotSetUp): void {
    const { phrases, tools } = this.#parts;
    const { language } = scope;
    const { origin } = scope.caller;
    const words = {
      part: phrases.say(language, `part_${part}`),
      deed: tools.contract(tool)?.deed[language] ?? tool,
    };
    scope.lines.push(
      origin === 'ask' || origin === 'panel'
        ? phrases.say(language, 'not_set_up_key', { ...words, key: KEY_OF_PART[part] })
        : phrases.say(language, 'not_set_up', words),
    );
  }

  /** What is said of an action that has ended, in the words of its tool. */
  ofEnd({ outcome, held }: ActionEnd, scope: TurnScope): readonly string[] {
    const { tools, phrases, words } = this.#parts;
    const { language } = scope;
    if (outcome.degradedBy !== undefined) scope.degradedBy ??= outcome.degradedBy;
    if (outcome.status === 'ok') {
      scope.takeReadings(outcome.result['readings']);
      const contract = tools.contract(outcome.tool);
      return contract === undefined ? [] : [words(outcome.say, contract, language)];
    }
    if (outcome.error.code === 'CANCELLED') return [];
    scope.failed = true;
    const contract = tools.contract(outcome.tool);
    const own =
      contract === undefined || outcome.say === undefined ? '' : words(outcome.say, contract, language);
    return [
      own === '' ? failureLine(outcome.error.code, phrases, language) : own,
      ...(outcome.ticketId === undefined
        ? []
        : [phrases.say(language, 'ticket_opened', { number: outcome.ticketId })]),
      ...aboutSteps('steps_held', held, this.#parts, language),
    ];
  }

  /** Says something that nobody waits for; it belongs to the conversation like an answer. */
  tell(session: LiveSession, scope: TurnScope, line: string): void {
    if (line === '') return;
    session.say({
      turnId: scope.id,
      role: 'assistant',
      source: scope.caller.origin === 'voice' ? 'voice' : 'main',
      content: line,
      tokens: estimateTokens(line),
      isProtected: false,
    });
    void this.#parts.tell(session.station, line, scope.language);
  }

  #readDigitsBack({ meaning, language, lines }: TurnScope): void {
    const said = meaning?.slots['value'];
    if (typeof said?.value !== 'number') return;
    const digits = numberDigitByDigit(said.value, language, said.digits);
    lines.push(this.#parts.phrases.say(language, 'gate_digits_heard', { digits }));
  }

  #gateLine({ key, machine, person }: GateLine, { language }: TurnScope): string {
    return this.#parts.phrases.say(language, key, {
      ...(machine === undefined ? {} : { machine: this.#parts.plant.machineName(machine)[language] }),
      ...(person === undefined ? {} : { person }),
    });
  }
}
