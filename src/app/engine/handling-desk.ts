import { CONFIRM_WINDOW_MS, type GateDecision } from '../../domain/gate/gate.ts';
import type { Action } from '../../domain/session/action.ts';
import { chooseHandling, type Handling } from '../../domain/session/choose-handling.ts';
import {
  inputTypeOf,
  isOftenCorrected,
  LAST_TURNS,
  markOf,
  type TurnMark,
} from '../../domain/session/turn-marks.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import type { NodeGauge } from '../ports/node-gauge.ts';
import { hasEffect } from './action-executor.ts';
import { speakerOf } from './speaker-of.ts';
import type { TurnScope } from './turn-scope.ts';

interface Parts {
  readonly node: NodeGauge;
}

/** So many people and stations are remembered; the one that was silent longest is forgotten. */
const MOST_SPEAKERS = 200;
/** So many actions that are read back wait for their answer. */
const MOST_READ_BACKS = 200;

/**
 * How each turn is handled. In: a turn, and how turns have ended before. Out: what may be done for it, by its kind, by how often
 * this person had to correct what was understood, and by how busy the box is. Kept in memory only.
 */
export class HandlingDesk {
  readonly #parts: Parts;
  readonly #marks = new Map<string, readonly TurnMark[]>();
  /** Actions that are asked about although the gate lets them be: the question stands until it is answered. */
  readonly #readBack = new Set<string>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  choose(scope: TurnScope): Handling {
    const { cpu_used_percent: cpu = 0, memory_used_percent: memory = 0 } = this.#parts.node.figures();
    return chooseHandling({
      inputType: inputTypeOf(scope.meaning?.intent),
      frequentCorrections: isOftenCorrected(this.#marks.get(speakerOf(scope.caller)) ?? []),
      load: { cpu: cpu / 100, memory: memory / 100 },
    });
  }

  /** A turn has been answered. */
  ended(scope: TurnScope): void {
    const mark = markOf(scope.meaning?.intent, scope.actions.length > 0);
    if (mark === 'neither') return;
    const speaker = speakerOf(scope.caller);
    const marks = [...(this.#marks.get(speaker) ?? []), mark].slice(-LAST_TURNS);
    this.#marks.delete(speaker);
    this.#marks.set(speaker, marks);
    const [oldest] = this.#marks.keys();
    if (this.#marks.size > MOST_SPEAKERS && oldest !== undefined) this.#marks.delete(oldest);
  }

  /** This action is asked about, although the gate lets it be. */
  askAbout(actionId: string): void {
    this.#readBack.add(actionId);
    const [oldest] = this.#readBack;
    if (this.#readBack.size > MOST_READ_BACKS && oldest !== undefined) this.#readBack.delete(oldest);
  }

  /**
   * The gate's decision, or a plain question where the gate would act and this person is to hear the command again. What only
   * looks says what it understood with its answer; a correction must not wait, and names its step; nor must what undoes a step.
   */
  weighed(
    { id, undoes }: Action,
    contract: ToolContract,
    decision: GateDecision,
    scope: TurnScope,
  ): GateDecision {
    if (decision.kind !== 'act') return decision;
    const isWanted =
      undoes === undefined &&
      inputTypeOf(scope.meaning?.intent) === 'command' &&
      this.choose(scope).readBack &&
      isDoing(contract);
    if (!isWanted && !this.#readBack.has(id)) return decision;
    this.askAbout(id);
    return { kind: 'confirm', by: 'yes', windowMs: CONFIRM_WINDOW_MS, isParkable: true };
  }
}

/** Whether a call leaves something behind. */
function isDoing(contract: ToolContract): boolean {
  return hasEffect(contract) || contract.compensation !== undefined;
}
