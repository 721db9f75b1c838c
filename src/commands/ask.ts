import { readFileSync, readlinkSync } from 'node:fs';
import { composeAnswerer } from '../composition/answerer.ts';
import { loadNodeOrDemo } from '../composition/node.ts';
import { controlSocketOf, type Site } from '../composition/site.ts';
import { type Language, languageOf } from '../domain/language/language.ts';
import { turnIdSchema } from '../domain/session/turn-id.ts';
import { EdgeError } from '../runtime/edge-error.ts';
import { issuesText } from '../runtime/issues-text.ts';
import { postControl } from './control-client.ts';
import { print } from './print.ts';
import { programName } from './program-name.ts';
import { terminalText } from './terminal-text.ts';
import { unknownWordsText } from './unknown-words-text.ts';

interface AskOptions {
  readonly config?: string;
  readonly speak: boolean;
  readonly json: boolean;
  readonly turnId?: string;
}

/**
 * `hermes-edge ask`: the running daemon answers; without one this process does, from the same configuration.
 * Exit status 1 when the command was not carried out.
 */
export async function ask(text: string, options: AskOptions): Promise<void> {
  if (text.trim() === '') throw new EdgeError('USAGE', 'say what to ask');
  const turnId = turnIdOf(options.turnId);
  const node = await loadNodeOrDemo(options.config);
  const reply =
    (await postControl(controlSocketOf(node.config), '/ask', {
      text,
      speak: options.speak,
      station: stationOfCaller(),
      turn_id: turnId,
    })) ?? (await alone(text, options, node));
  const field = (name: string): unknown =>
    typeof reply === 'object' && reply !== null ? Reflect.get(reply, name) : undefined;
  const language = languageOf(text);
  print(options.json, reply, () =>
    [...meanwhileOf(field('meanwhile'), language), String(field('answer') ?? '')].join('\n'),
  );
  if (field('outcome') === 'FAILED') process.exitCode = 1;
  if (field('intent') === undefined && field('outcome') === 'FAILED' && !options.json) {
    const unknown = unknownWordsText(text, node.books[language]);
    const [none, all, help] =
      language === 'zh'
        ? ['没有这样的说法。', '可以说的话：', '帮助']
        : ['It fits no sentence.', 'What can be said: ', 'help'];
    process.stderr.write(
      `${none}\n${unknown === '' ? '' : `${terminalText(unknown)}\n`}${all}${programName()} ask "${help}"\n`,
    );
  }
}

function meanwhileOf(lines: unknown, language: Language): readonly string[] {
  const mark = language === 'zh' ? '（此前）' : '(meanwhile) ';
  return Array.isArray(lines) ? lines.map((line) => `${mark}${terminalText(String(line))}`) : [];
}

function turnIdOf(given: string | undefined): string | undefined {
  if (given === undefined) return undefined;
  const turnId = turnIdSchema.safeParse(given);
  if (!turnId.success) throw new EdgeError('USAGE', `--turn-id is ${issuesText(turnId.error)}`);
  return turnId.data;
}

/** A terminal or script is one conversation: its question is answered there, and "stop" cancels what it asked. */
function stationOfCaller(): string {
  const user = process.getuid?.() ?? 0;
  const where = terminal();
  return `ask-${user}-${where === undefined ? process.ppid : `${where}-${sessionLeader()}`}`;
}

/** The process that leads the terminal's session: a later shell at the same terminal is somebody else. */
function sessionLeader(): string {
  try {
    // The name in brackets may hold blanks; behind it come state, parent, group and session (proc_pid_stat(5)).
    const fields = readFileSync('/proc/self/stat', 'utf8')
      .replace(/^.*\) /su, '')
      .split(' ');
    return fields[3] ?? '';
  } catch {
    return '';
  }
}

function terminal(): string | undefined {
  if (!process.stdin.isTTY) return undefined;
  try {
    return readlinkSync('/proc/self/fd/0')
      .replace(/^\/dev\//u, '')
      .replace(/[^\w.-]/gu, '.')
      .slice(0, 40);
  } catch {
    // Without /proc the parent process tells the callers apart as well.
    return undefined;
  }
}

async function alone(text: string, options: AskOptions, node: Site): Promise<unknown> {
  if (options.speak) {
    throw new EdgeError('NO_DAEMON', 'no daemon is running, and --speak needs its voice', {
      hint: 'start it, or leave --speak out',
    });
  }
  process.stderr.write('No daemon is running; this process reads the PLC itself.\n');
  const answerer = await composeAnswerer(node);
  try {
    await answerer.start();
    return await answerer.ask(text, stationOfCaller(), options.turnId);
  } finally {
    await answerer.stop();
  }
}
