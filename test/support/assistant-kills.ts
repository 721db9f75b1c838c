import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import type { TurnReport } from '../../src/app/turn-report.ts';
import type { ActionStatus } from '../../src/domain/session/action.ts';
import { AssistantGone, AssistantProcess, buildAssistant } from './assistant-process.ts';
import { eventually } from './eventually.ts';
import { type OutsideWorld, startOutsideWorld } from './outside-world.ts';
import { SeededRandom } from './random.ts';
import { stateAfter } from './state-after.ts';
import { consentTo, REPORT_TOLD, TALKERS, type Talker } from './talkers.ts';
import { disagreements, repeatedMails } from './world-and-ledger.ts';

/** The kill falls into one of so many turns from the start on. */
const TURNS = 12;
/** The longest time between a turn and the kill, milliseconds: longer than a write takes from its consent to its end. */
const LONGEST_MS = 400;
/** The longest life of one that does not meet its kill, milliseconds. */
const LIFE_MS = 10_000;
const AUDITED = ['plc.write.begun', 'plc.write.ended', 'session.violation'] as const;
/** So many questions follow one another at most. */
const MOST_TURNS = 10;
/** What an action stays once it has been said to be that. */
const DEFINITE: readonly ActionStatus[] = ['done', 'failed', 'cancelled', 'unknown', 'compensated', 'held'];
const UNDER_WAY: readonly ActionStatus[] = ['pending', 'confirming', 'running'];
/** One question of so many is answered with a no. */
const QUESTIONS_PER_REFUSAL = 5;
/** What only looks leaves nothing behind that could be lost. */
const LOOKS = ['read-value'];

export interface AssistantKillReport {
  /** Says the same turns and kills at the same turns again; the moments of a process never are the same. */
  readonly seed: number;
  readonly kills: number;
  /** Of actions, what they were when a kill cut them off; of kills, those before the start was through. */
  readonly fell: Readonly<Record<string, number>>;
  readonly figures: Readonly<Record<string, number>>;
  readonly faults: readonly string[];
}

/**
 * Two people talk to a whole assistant that is killed again and again at moments nobody chose; what was interrupted is taken
 * up with "continue". Afterwards the world is compared with the ledger. All files are in `directory`; `signal` ends it early.
 */
export async function killAssistantAgainAndAgain(
  directory: string,
  kills: number,
  seed: number,
  signal?: AbortSignal,
): Promise<AssistantKillReport> {
  const world = await startOutsideWorld(directory);
  const program = await buildAssistant();
  const trial = new Trial(directory, program, world, seed);
  try {
    let life = 0;
    while (life < kills && signal?.aborted !== true) {
      life += 1;
      await trial.live(life);
    }
    return { seed, kills: life, ...(await trial.end()) };
  } finally {
    await trial.close();
    await world.stop();
    rmSync(program);
  }
}

type Say = (talker: Talker, text: string) => Promise<TurnReport>;

class Trial {
  readonly #world: OutsideWorld;
  readonly #program: string;
  readonly #state: string;
  readonly #seed: number;
  /** Loads its modules while the one before it lives. */
  #next: AssistantProcess;
  #value = 1000;
  readonly #consents = new Map<string, number>();
  /** What was said of actions last. */
  readonly #promised = new Map<string, { readonly tool: string; readonly status: ActionStatus }>();
  /** What was refused, and answered as refused: none of it may come back. */
  readonly #refused = new Set<string>();
  readonly #fell = new Map<string, Set<string>>();
  readonly #faults: string[] = [];
  #exportsTold = 0;

  constructor(directory: string, program: string, world: OutsideWorld, seed: number) {
    this.#program = program;
    this.#next = new AssistantProcess(program);
    this.#world = world;
    this.#seed = seed;
    this.#state = join(directory, 'state');
    mkdirSync(this.#state);
  }

  /** One life, from its start to its kill, and what is on disk after it. */
  async live(life: number): Promise<void> {
    const random = new SeededRandom(this.#seed + life * 7919);
    const how = random.pick(['moment', 'moment', 'moment', 'arrival', 'arrival', 'arrival', 'start']);
    const turn = random.below(TURNS);
    const afterMs = LONGEST_MS ** random.next();
    const assistant = this.#take();
    const kill = (ms: number): void => void sleep(ms).then(() => assistant.kill());
    let turns = 0;
    const say: Say = async (talker, text) => {
      const report = assistant.ask(talker.station, text);
      if (turns === turn && how === 'moment') kill(afterMs);
      if (turns === turn && how === 'arrival') this.#world.onNextArrival(() => kill(afterMs / 20));
      turns += 1;
      return this.#keep(await report);
    };
    if (how === 'start') kill(afterMs * 4);
    const end = new AbortController();
    try {
      const isUntested = random.below(8) === 0;
      await assistant.begin({ ...this.#world.setting, directory: this.#state, isUntested });
      void sleep(LIFE_MS, undefined, { signal: end.signal }).then(
        () => assistant.kill(),
        () => undefined,
      );
      await Promise.all(
        TALKERS.map(async (talker, place) => {
          const choices = new SeededRandom(this.#seed + life * 7919 + place + 1);
          if (life > 1) await this.#takeUp(talker, say, choices);
          for (;;) await this.#task(talker, assistant, choices, say);
        }),
      );
    } catch (error) {
      if (!(error instanceof AssistantGone)) throw error;
    } finally {
      end.abort();
      await assistant.kill();
    }
    if (!assistant.wasReady) this.#fall('in_start', String(life));
    await this.#look(life, assistant.told);
  }

  /** What is interrupted is brought to its end by one that is left alone; then everything is compared. */
  async end(): Promise<Pick<AssistantKillReport, 'fell' | 'figures' | 'faults'>> {
    const assistant = this.#take();
    await assistant.begin({ ...this.#world.setting, directory: this.#state, isUntested: false });
    const say: Say = async (talker, text) => this.#keep(await assistant.ask(talker.station, text));
    await Promise.all(TALKERS.map((talker) => this.#takeUp(talker, say)));
    await assistant.stop();
    const after = await stateAfter(this.#state, AUDITED);
    const { written, orders, mail } = this.#world;
    const ended = (tool: string, status: ActionStatus): number =>
      after.actions.filter((action) => action.tool === tool && action.status === status).length;
    return {
      fell: Object.fromEntries([...this.#fell].sort().map(([where, ids]) => [where, ids.size])),
      figures: {
        consents: [...this.#consents.values()].reduce((sum, count) => sum + count, 0),
        refusals: this.#refused.size,
        undone: ended('write-value', 'compensated') + ended('create-work-order', 'compensated'),
        writes: written.length,
        writes_done: ended('write-value', 'done'),
        writes_unknown: ended('write-value', 'unknown'),
        orders: orders.byKey.size,
        order_requests: orders.keys.length,
        mails: ended('send-message', 'done'),
        mails_received: mail.received.length,
        mails_repeated: repeatedMails(mail),
        reports: after.reports.length,
        failed: after.actions.filter(({ status }) => status === 'failed').length,
      },
      faults: [...this.#faults, ...disagreements(this.#world, after, this.#consents)],
    };
  }

  async close(): Promise<void> {
    await this.#next.kill();
  }

  #take(): AssistantProcess {
    const taken = this.#next;
    this.#next = new AssistantProcess(this.#program);
    return taken;
  }

  /** After a restart no consent counts, and "continue" brings everything to its end. */
  async #takeUp(talker: Talker, say: Say, random?: SeededRandom): Promise<void> {
    const early = await say(talker, talker.execute);
    if (early.answer !== talker.nothingToConfirm)
      this.#faults.push(`a consent after the restart got the answer: ${early.answer}`);
    for (let times = 0; times < MOST_TURNS; times += 1) {
      const report = await this.#settle(talker, await say(talker, talker.go), say, random);
      if (report.answer === talker.nothingToContinue) return;
    }
    this.#faults.push(`"${talker.go}" never comes to an end`);
  }

  /** Consents until nothing is asked any more; with `random`, refuses now and then. */
  async #settle(talker: Talker, first: TurnReport, say: Say, random?: SeededRandom): Promise<TurnReport> {
    let report = first;
    for (let times = 0; times < MOST_TURNS && report.outcome === 'OPEN'; times += 1) {
      const consent = consentTo(report.answer ?? '');
      if (consent === undefined) {
        this.#faults.push(`nobody knows what to say to: ${report.answer}`);
        return report;
      }
      if (random?.below(QUESTIONS_PER_REFUSAL) === 0) return this.#refuse(talker, report, say, random);
      const asked = report.steps.find(
        ({ tool, status }) =>
          status === 'confirming' && (tool === 'write-value') === consent.startsWith(talker.execute),
      );
      if (asked === undefined) this.#faults.push(`the question is about no step: ${report.answer}`);
      else this.#consents.set(asked.id, (this.#consents.get(asked.id) ?? 0) + 1);
      report = await say(talker, consent);
    }
    return report;
  }

  async #refuse(talker: Talker, { steps }: TurnReport, say: Say, random: SeededRandom): Promise<TurnReport> {
    const report = await say(talker, random.pick(talker.refusals));
    if (report.answer !== talker.refused) this.#faults.push(`a refusal got the answer: ${report.answer}`);
    for (const { id, status } of steps)
      if (status === 'confirming' || status === 'pending') this.#refused.add(id);
    return report;
  }

  async #task(talker: Talker, assistant: AssistantProcess, random: SeededRandom, say: Say): Promise<void> {
    const { write, order, send, plan, undo } = talker;
    const what = random.below(7);
    if (what === 0) await this.#settle(talker, await say(talker, order), say, random);
    else if (what === 3) await this.#settle(talker, await say(talker, undo), say, random);
    else if (what === 1 && send !== undefined && plan !== undefined) {
      const before = assistant.told.length;
      this.#world.propose([
        { tool: 'read-value', args: { machine: 'machine-12', points: ['temperature'] } },
        { tool: 'export-report', args: { format: 'csv' }, from: { results: { step: 0, field: '' } } },
      ]);
      const { steps } = await say(talker, plan);
      if (!steps.some(({ status }) => status === 'running')) return;
      await eventually('what became of the report is told', () => {
        if (assistant.isGone) throw new AssistantGone();
        return assistant.told.length > before;
      });
      await this.#settle(talker, await say(talker, send), say, random);
    } else if (what === 2 && plan !== undefined) {
      this.#world.propose([
        { tool: 'create-work-order', args: { machine: 'machine-12' } },
        { tool: 'write-value', args: { machine: 'machine-12', point: 'setpoint', value: this.#newValue() } },
        {
          tool: 'create-work-order',
          args: { machine: 'machine-12' },
          from: { text: { step: 0, field: 'state' } },
        },
      ]);
      await this.#settle(talker, await say(talker, plan), say, random);
    } else await this.#settle(talker, await say(talker, random.pick(write)(this.#newValue())), say, random);
  }

  #newValue(): number {
    this.#value += 1;
    return this.#value;
  }

  /** What a report says of steps has been promised. */
  #keep(report: TurnReport): TurnReport {
    for (const { id, tool, status } of report.steps)
      if (this.#refused.has(id) && UNDER_WAY.includes(status))
        this.#faults.push(`${tool} ${id} was refused, and is ${status} again: ${report.answer}`);
    for (const { id, tool, status } of report.steps)
      if (!(status === 'done' && LOOKS.includes(tool))) this.#promised.set(id, { tool, status });
    return report;
  }

  async #look(life: number, told: readonly string[]): Promise<void> {
    const { actions, faults } = await stateAfter(this.#state, []);
    const found = new Map(actions.map((action) => [action.id, action]));
    this.#faults.push(...faults.map((fault) => `after kill ${life}: ${fault}`));
    for (const [id, { tool, status }] of this.#promised) {
      const now = found.get(id)?.status;
      if (now === undefined)
        this.#faults.push(`after kill ${life}: ${tool} ${id} was said to be ${status} and is lost`);
      else if (status !== now && DEFINITE.includes(status) && !(status === 'done' && now === 'compensated'))
        this.#faults.push(`after kill ${life}: ${tool} ${id} was said to be ${status} and is ${now}`);
    }
    this.#promised.clear();
    for (const id of this.#refused) {
      const { tool, status = 'cancelled' } = found.get(id) ?? {};
      if (UNDER_WAY.includes(status))
        this.#faults.push(`after kill ${life}: ${tool} ${id} was refused and is ${status}`);
    }
    for (const { id, tool, status, args } of actions) {
      if (status === 'pending' || status === 'confirming') this.#fall(status, id);
      if (status !== 'running') continue;
      const isWritten = this.#world.written.some((value) => value === args['value']);
      this.#fall(`running_${tool}${isWritten ? '_after_it_was_sent' : ''}`, id);
    }
    this.#exportsTold += told.filter((line) => line.startsWith(REPORT_TOLD)).length;
    const exported = actions.filter(
      ({ tool, status }) => tool === 'export-report' && (status === 'done' || status === 'compensated'),
    );
    if (exported.length < this.#exportsTold)
      this.#faults.push(
        `after kill ${life}: ${this.#exportsTold} reports were told, ${exported.length} were made`,
      );
  }

  /** Each action counts once for what it was when it was cut off. */
  #fall(where: string, id: string): void {
    this.#fell.set(where, (this.#fell.get(where) ?? new Set()).add(id));
  }
}
