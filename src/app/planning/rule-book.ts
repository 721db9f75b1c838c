import type { RuleFile } from '../../domain/planning/rule-file.ts';
import type { Cancel, Scheduler } from '../../runtime/clocks.ts';
import { isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Service, Unsubscribe } from '../../runtime/service.ts';
import type { TextState, WatchedText } from '../ports/watched-text.ts';

export type RulesEvent =
  | { readonly kind: 'loaded'; readonly rules: RuleFile }
  /** What is wrong with the file, one fault a line; the rules from before stay in force. */
  | { readonly kind: 'rejected'; readonly faults: string };

interface Parts {
  readonly source: WatchedText;
  /** Throws EdgeError RULES_INVALID, or RULES_UNFINISHED for what may be half written. */
  readonly parse: (text: string) => RuleFile;
  /** In force until the file has been read once, and while it has never been valid. */
  readonly preset: RuleFile;
  readonly logger: Logger;
  readonly scheduler: Scheduler;
  readonly onEvent?: (event: RulesEvent) => void;
}

/** What is no JSON yet may still be being written: it is told only when it stays so for this long. */
const UNFINISHED_FOR_MS = 1000;

/** The rules in force, which follow their file while the daemon runs. */
export class RuleBook implements Service {
  readonly name = 'rules';
  readonly #parts: Parts;
  #rules: RuleFile;
  #unwatch: Unsubscribe | undefined;
  #doubt: Cancel | undefined;
  #health: Health = { status: 'starting', detail: 'the rules have not been read yet' };
  #reloads = 0;
  #rejected = 0;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#rules = parts.preset;
  }

  get rules(): RuleFile {
    return this.#rules;
  }

  async start(): Promise<void> {
    this.#take(await this.#parts.source.read(), true);
    this.#unwatch = this.#parts.source.watch((state) => this.#take(state, false));
  }

  async stop(): Promise<void> {
    this.#unwatch?.();
    this.#doubt?.();
  }

  health(): Health {
    return this.#health;
  }

  #take(state: TextState, atStart: boolean): void {
    this.#doubt?.();
    this.#doubt = undefined;
    const { source, parse, logger, scheduler } = this.#parts;
    if (state.kind === 'unreadable') {
      this.#reject(`${source.name}: ${state.reason}`);
      return;
    }
    try {
      const rules = parse(state.text);
      this.#rules = rules;
      this.#reloads += atStart ? 0 : 1;
      this.#health = {
        status: 'ok',
        detail: `${rules.rules.length} rules`,
        figures: { rules: rules.rules.length, reloads: this.#reloads, rejected: this.#rejected },
      };
      logger.info({ file: source.name, rules: rules.rules.length }, 'rules loaded');
      this.#parts.onEvent?.({ kind: 'loaded', rules });
    } catch (error) {
      if (!isEdgeError(error)) throw error;
      if (error.code === 'RULES_UNFINISHED' && !atStart)
        this.#doubt = scheduler.after(UNFINISHED_FOR_MS, () => this.#reject(messageOf(error)));
      else this.#reject(messageOf(error));
    }
  }

  #reject(faults: string): void {
    this.#rejected += 1;
    const [first = faults] = faults.split('\n');
    this.#health = {
      status: 'degraded',
      detail: `the rules from before stay in force: ${first}`,
      figures: { rules: this.#rules.rules.length, reloads: this.#reloads, rejected: this.#rejected },
    };
    this.#parts.logger.error({ file: this.#parts.source.name, faults }, 'rules rejected');
    this.#parts.onEvent?.({ kind: 'rejected', faults });
  }
}
