import type { Language } from '../../domain/language/language.ts';
import {
  type ProposalFault,
  planInAnswer,
  planningInstructions,
  utteranceMessage,
} from '../../domain/planning/model-plan.ts';
import type { Plan, PlanStep } from '../../domain/planning/plan.ts';
import { NOTHING_BEFORE, type SpokenBefore } from '../../domain/session/spoken-before.ts';
import type { ToolError } from '../../domain/tool/tool-call.ts';
import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import { type UnreadableText, unreadableText } from '../../domain/tool/unreadable-text.ts';
import type { Clocks, Scheduler } from '../../runtime/clocks.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health } from '../../runtime/service.ts';
import type { Audit } from '../ports/audit.ts';
import type { LanguageModel, ModelAnswer, ModelMessage } from '../ports/language-model.ts';

interface Parts {
  readonly model: LanguageModel;
  /** The tools that may be planned with now. */
  readonly tools: () => readonly ToolContract[];
  /** What the tool's contract says against a step; an argument that comes from an earlier step is not there yet. */
  readonly check: (step: PlanStep) => ToolError | undefined;
  /** Of all tries of one command together. */
  readonly timeoutMs: number;
  readonly clocks: Pick<Clocks, 'monotonicMs'>;
  readonly scheduler: Scheduler;
  readonly logger: Logger;
  readonly audit: Audit;
}

/** Tries after the first, each told what was wrong with the one before. */
const MAX_RETRIES = 2;
/** After so many commands in a row for which the model was out of reach, it is left alone for a while. */
const FAILURES_UNTIL_REST = 3;
const REST_MS = 60_000;

/**
 * Asks a language model for a plan. Out: a plan that names known tools with arguments that fit their contracts, or nothing.
 * It is a proposal: the engine sends it through the same gate as any other. Called for what no rule takes.
 */
export class ModelPlanner {
  readonly #parts: Parts;
  #failures = 0;
  #restsUntilMs = Number.NEGATIVE_INFINITY;
  #health: Health = { status: 'ok', detail: 'the model has not been asked yet' };

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  health(): Health {
    return this.#health;
  }

  /** Undefined when there is no plan, for whatever reason. Never rejects. */
  async plan(
    utterance: string,
    language: Language,
    before: SpokenBefore = NOTHING_BEFORE,
  ): Promise<Plan | undefined> {
    const { clocks, scheduler, timeoutMs, tools } = this.#parts;
    if (clocks.monotonicMs() < this.#restsUntilMs) return undefined;
    const contracts = tools();
    const abort = new AbortController();
    const cancel = scheduler.after(timeoutMs, () => abort.abort());
    try {
      const messages: ModelMessage[] = [
        { role: 'system', content: planningInstructions(contracts) },
        { role: 'user', content: utteranceMessage(utterance, language, before) },
      ];
      for (let attempt = 0; attempt <= MAX_RETRIES; attempt += 1) {
        const answer = await this.#parts.model.complete(messages, abort.signal);
        if (!answer.ok) {
          if (answer.reason === 'nonsense') this.#refused(attempt, 'NO_COMPLETION');
          return this.#outOfReach(answer);
        }
        const proposal = this.#proposalIn(answer.text, contracts);
        if ('plan' in proposal) return this.#planned(proposal.plan);
        this.#refused(attempt, proposal.fault.code, unreadableText(answer.text));
        messages.push(
          { role: 'assistant', content: answer.text.slice(0, MAX_ECHO) },
          { role: 'user', content: JSON.stringify({ error: proposal.fault }) },
        );
      }
      this.#failures = 0;
      this.#health = { status: 'degraded', detail: 'the last answers of the model were no plans' };
      return undefined;
    } finally {
      cancel();
    }
  }

  #proposalIn(
    text: string,
    contracts: readonly ToolContract[],
  ): { readonly plan: Plan } | { readonly fault: ProposalFault } {
    const proposal = planInAnswer(text, new Set(contracts.map(({ name }) => name)));
    if (!proposal.ok) return { fault: proposal.fault };
    for (const step of proposal.plan.steps) {
      const fault = this.#parts.check(step);
      if (fault !== undefined) return { fault };
    }
    return { plan: proposal.plan };
  }

  /** Its words may be anybody's: the audit keeps none of them. */
  #refused(attempt: number, reason: string, text?: UnreadableText): void {
    const { audit, logger } = this.#parts;
    logger.info({ attempt, code: reason }, 'the model proposed no plan that can be used');
    audit
      .append('tool_parse_error', { source: 'model', attempt, reason, ...text })
      .catch((error: unknown) => logger.error({ error: String(error) }, 'the audit could not be written'));
  }

  #planned(plan: Plan): Plan {
    this.#failures = 0;
    this.#health = { status: 'ok', detail: 'the last command got a plan' };
    return plan;
  }

  #outOfReach({ reason, detail }: Extract<ModelAnswer, { ok: false }>): undefined {
    this.#failures += 1;
    if (this.#failures >= FAILURES_UNTIL_REST) {
      this.#restsUntilMs = this.#parts.clocks.monotonicMs() + REST_MS;
      this.#failures = 0;
    }
    this.#health = { status: 'degraded', detail: `no plans from the model (${reason}): ${detail}` };
    this.#parts.logger.warn({ reason, detail }, 'the model cannot be asked');
    return undefined;
  }
}

/** Of a wrong answer, what is shown to the model again. */
const MAX_ECHO = 4000;
