import type { Language } from '../language/language.ts';
import type { Action } from '../session/action.ts';
import type { Caller } from '../tool/tool-call.ts';
import type { Capture } from './capture.ts';
import type { EpisodeKind } from './episode.ts';

export interface EndedTurn {
  readonly id: string;
  readonly sessionId: string;
  readonly caller: Caller;
  readonly language: Language;
  /** What was answered; undefined when it kept silent. */
  readonly answer: string | undefined;
  /** Entries of the ledger that this turn made. */
  readonly actions: readonly Action[];
  readonly atMs: number;
}

/** What a finished call of a tool is remembered as; of the tools that are not here nothing is kept. The first of the table that fits counts. */
const KINDS: readonly (readonly [EpisodeKind, readonly string[]])[] = [
  ['diagnosis', ['diagnose', 'workflow.check-machine']],
  ['work_order', ['create-work-order', 'close-work-order']],
  ['command', ['write-value', 'send-message', 'export-report']],
  ['tool_result', ['read-value', 'machine-status', 'read-history', 'read-plc-log', 'compare']],
];
const CLOSING = 'close-work-order';
const MOST_CHARACTERS = 4000;

/** What is worth remembering of a turn that ended well with a tool's result; undefined of talk, refusals and what memory itself answered. */
export function captureOfTurn(turn: EndedTurn): Capture | undefined {
  const done = turn.actions.filter(({ status }) => status === 'done');
  const kind = KINDS.find(([, tools]) => done.some(({ tool }) => tools.includes(tool)))?.[0];
  if (kind === undefined || turn.answer === undefined || turn.answer === '') return undefined;
  const machines = done.flatMap(({ args }) =>
    [args['machine'], args['machines'], args['other_machine']].flat(),
  );
  const order = done.map(({ result }) => result?.['number']).find((number) => typeof number === 'number');
  const { caller } = turn;
  return {
    id: `turn.${turn.id}`.slice(0, 100),
    atMs: turn.atMs,
    kind,
    source: 'tool',
    origin: { kind: 'turn', id: turn.id.slice(0, 200), sessionId: turn.sessionId },
    scope: 'site',
    userId: caller.person?.id ?? caller.station,
    language: turn.language,
    text: turn.answer.slice(0, MOST_CHARACTERS),
    about: [...new Set(machines)]
      .filter((id) => typeof id === 'string')
      .slice(0, 20)
      .map((id) => ({ kind: 'machine' as const, id })),
    isWish: false,
    ...(order === undefined ? {} : { project: String(order) }),
    ...(order !== undefined && done.some(({ tool }) => tool === CLOSING)
      ? { closesProject: true as const }
      : {}),
  };
}
