#!/usr/bin/env node
import { Command, Option } from 'commander';
import { programVersion } from './composition/runtime.ts';
import { LANGUAGES } from './domain/language/language.ts';
import { MEMORY_LAYOUTS } from './domain/plc/import/list-address.ts';
import { LIST_ENCODINGS } from './domain/plc/import/text-of-bytes.ts';
import { BYTE_ORDERS } from './domain/plc/point-encoding.ts';
import { REGISTER_TABLES } from './domain/plc/register-address.ts';
import { EdgeError, messageOf } from './runtime/edge-error.ts';

/** Exit statuses: 0 done, 1 it did not work, 2 it was asked for wrongly. */
const USAGE_ERROR = 2;

const program = new Command('hermes-edge')
  .description('A voice and PLC assistant for the factory floor.')
  .version(programVersion(), '--version', 'the version of the program')
  .showHelpAfterError('(see hermes-edge --help)')
  .showSuggestionAfterError()
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR));

const configOption = () => new Option('--config <file>', 'configuration file').env('HERMES_EDGE_CONFIG');
const languageOption = () => new Option('--language <language>', 'of the demo').choices([...LANGUAGES]);
const jsonOption = () => new Option('--json', 'the result as JSON on stdout').default(false);

program
  .command('run')
  .description('run the daemon until it is stopped')
  .addOption(configOption())
  .option('--demo', 'bring everything a site would: broker, production line, voice', false)
  .addOption(languageOption())
  .option('--once', 'with --demo: stop after the commands of the demo have been answered', false)
  .action(async (options) => (await import('./commands/run.ts')).run(options));

program
  .command('ask <text...>')
  .description('give a command in words, as if it had been spoken')
  .addOption(configOption())
  .option('--speak', 'speak the answer as well', false)
  .addOption(jsonOption())
  .action(async (text: string[], options) =>
    (await import('./commands/ask.ts')).ask(text.join(' '), options),
  );

program
  .command('say <text...>')
  .description('speak a text')
  .addOption(configOption())
  .addOption(
    new Option('--language <language>', 'of the text; told from its characters otherwise').choices([
      ...LANGUAGES,
    ]),
  )
  .addOption(jsonOption())
  .action(async (text: string[], options) =>
    (await import('./commands/say.ts')).say(text.join(' '), options),
  );

program
  .command('listen')
  .description('show live what is heard and what it would mean; acts on nothing')
  .addOption(configOption())
  .addOption(languageOption())
  .option('--wav <file>', 'listen to a WAV file instead of the microphone')
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/listen.ts')).listen(options));

const simulateCommand = program
  .command('simulate')
  .description('a simulated production line: a Modbus TCP server on loopback')
  .option('--plant <file>', 'device map to serve; the demo line otherwise')
  .option('--port <port>', 'TCP port; the one in the device map otherwise', parsePort)
  .option('--speed <times>', 'run the physics so many times faster', parsePositive)
  .option('--seed <number>', 'the same seed gives the same noise', parseCount)
  .option(
    '--fault <fault:machine>',
    'begin with a fault, such as overheat:machine-12:60s; may be repeated',
    (value: string, before: readonly string[]) => [...before, value],
    [] as readonly string[],
  )
  .option('--rtu-over-tcp <port>', 'serve the frames of a serial line as well, on this port', parsePort)
  .option('--serial <path>', 'serve a serial port or pseudo terminal as well')
  .option('--baud <rate>', 'of the serial port; 19200 otherwise', parseCount)
  .addOption(
    new Option('--parity <parity>', 'of the serial port; even otherwise').choices(['none', 'even', 'odd']),
  )
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/simulate.ts')).simulate(options));

simulateCommand
  .command('fault <what...>')
  .description(
    'put a fault on a running line: FAULT MACHINE (stuck and illegal: MACHINE.POINT), list, or clear [FAULT] [MACHINE]',
  )
  .option('--for <time>', 'until it goes by itself, such as 60s')
  .option('--delay <time>', 'of slow, such as 380ms')
  .option('--registers <range>', 'of illegal: table and addresses as sent, such as holding:0-9')
  .option('--most <registers>', 'of fewer: the most that are read at once', parseCount)
  .addOption(new Option('--kind <kind>', 'of noise').choices(['garbage', 'garbled', 'stray']))
  .option('--share <share>', 'of noise and busy: how many of the answers are hit, 0 to 1', parseShare)
  .option('--offset <time>', 'of clock: how far it is ahead, such as 90s or -5m')
  .option('--port <port>', 'of the line, where several are running', parsePort)
  .addOption(jsonOption())
  .action(async (what: string[], _options, command: Command) =>
    (await import('./commands/simulate-fault.ts')).simulateFault(what, command.optsWithGlobals()),
  );

program
  .command('history <machine> [point]')
  .description('what was recorded of a machine or a point: highest, lowest, mean, last')
  .addOption(configOption())
  .option(
    '--period <words>',
    'such as yesterday, last shift, since monday, last 8 hours, 2026-03-01 .. 2026-03-05, 昨天',
    'today',
  )
  .addOption(jsonOption())
  .action(async (machine: string, point: string | undefined, options) =>
    (await import('./commands/history.ts')).history(machine, point, options),
  );

program
  .command('doctor')
  .description('check every part and say how to mend what is wrong')
  .addOption(configOption())
  .addOption(languageOption())
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/doctor.ts')).doctor(options));

program
  .command('config')
  .description('work with the configuration')
  .command('check [file]')
  .description('check the configuration and the files it names')
  .addOption(configOption())
  .addOption(jsonOption())
  .action(async (file: string | undefined, options) =>
    (await import('./commands/config-check.ts')).configCheck(file, options),
  );

const plant = program.command('plant').description('work with device maps: check, find out, import');

plant
  .command('check <file...>')
  .description('check device maps together, and show every point as the manual and the wire count it')
  .addOption(jsonOption())
  .action(async (files: string[], options) =>
    (await import('./commands/plant-check.ts')).plantCheck(files, options),
  );

plant
  .command('watch [file...]')
  .description('every point with its value, quality and age, live: from the daemon, or polled from here')
  .addOption(configOption())
  .option('--machine <id>', 'only the points of this machine')
  .option('--once', 'show everything once', false)
  .addOption(jsonOption())
  .action(async (files: string[], options) =>
    (await import('./commands/plant-watch.ts')).plantWatch(files, options),
  );

plant
  .command('import <file>')
  .description('make a device map from a tag list (CSV) of an engineering tool')
  .option('--column <role=header>', 'what a column holds; the others are guessed and shown', collect, [])
  .addOption(
    new Option('--separator <separator>', 'told from the text otherwise').choices([
      'comma',
      'semicolon',
      'tab',
    ]),
  )
  .addOption(
    new Option('--encoding <encoding>', 'told from the bytes otherwise').choices([...LIST_ENCODINGS]),
  )
  .option('--machine <id>', 'of rows that name none')
  .option('--machine-from <regexp>', 'its first group is the machine in the name, such as "([^.]+)\\."')
  .addOption(new Option('--base <base>', 'what plain addresses count from').choices(['0', '1']))
  .addOption(
    new Option('--register <register>', 'of addresses that name none; holding otherwise').choices([
      ...REGISTER_TABLES,
    ]),
  )
  .addOption(
    new Option('--memory <layout>', 'how %MW and %MD lie in the registers').choices([...MEMORY_LAYOUTS]),
  )
  .addOption(new Option('--byte-order <order>', 'of the device').choices([...BYTE_ORDERS]))
  .option('--connection <id>', 'in the device map', 'line-1')
  .option('--device <id>', 'in the device map', 'plc')
  .option('--host <host>', 'of the PLC')
  .option('--port <port>', 'of the PLC', parsePort)
  .option('--unit <id>', 'unit id of the device', wholeNumber('--unit', 0, 255))
  .option('--out <file>', 'the device map goes here and not to stdout')
  .option('--force', 'replace the file that is there', false)
  .addOption(jsonOption())
  .action(async (file: string, options) =>
    (await import('./commands/plant-import.ts')).plantImport(file, options),
  );

plant
  .command('scan [host[:port]]')
  .description('find out, by reads alone, which units answer and what they allow')
  .option('--serial <path>', 'a serial port instead of a host')
  .option('--baud <rate>', 'of the serial port', wholeNumber('--baud', 300, 4_000_000), 19_200)
  .addOption(
    new Option('--parity <parity>', 'of the serial port').choices(['none', 'even', 'odd']).default('even'),
  )
  .addOption(
    new Option('--stop-bits <bits>', 'of the serial port; 1, and 2 without parity').choices(['1', '2']),
  )
  .option('--rtu-over-tcp', 'the gateway only hands bytes on', false)
  .option('--units <ids>', 'unit ids to ask, such as 1-10,247', parseUnits, parseUnits('0-10,247,255'))
  .option('--timeout-ms <ms>', 'limit of one answer', wholeNumber('--timeout-ms', 50, 30_000), 500)
  .option(
    '--pause-ms <ms>',
    'between an answer and the next request',
    wholeNumber('--pause-ms', 0, 10_000),
    20,
  )
  .addOption(jsonOption())
  .action(async (host: string | undefined, options) =>
    (await import('./commands/plant-scan.ts')).plantScan(host, options),
  );

function wholeNumber(option: string, least: number, most: number): (text: string) => number {
  return (text) => {
    const number = Number(text);
    if (/^\d+$/u.test(text) && number >= least && number <= most) return number;
    throw new EdgeError('USAGE', `${option} takes a whole number from ${least} to ${most}, not "${text}"`);
  };
}

/** `1-10,247` as each of them once, in order. */
function parseUnits(text: string): readonly number[] {
  const units = text.split(',').flatMap((part) => {
    const [, first, last = first] = /^\s*(\d{1,3})\s*(?:-\s*(\d{1,3}))?\s*$/u.exec(part) ?? [];
    const from = Number(first);
    const to = Number(last);
    if (!(from <= to && to <= 255))
      throw new EdgeError('USAGE', `--units takes ids from 0 to 255 such as 1-10,247, not "${text}"`);
    return Array.from({ length: to - from + 1 }, (_, index) => from + index);
  });
  return [...new Set(units)].toSorted((one, other) => one - other);
}

function collect(text: string, before: readonly string[]): readonly string[] {
  return [...before, text];
}

const plcLog = program.command('plclog').description("what the PLCs' event logs said");

plcLog
  .command('list')
  .description('the event logs of the plant and how much of each is kept')
  .addOption(configOption())
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/plc-log.ts')).listPlcLogs(options));

plcLog
  .command('show [machine]')
  .description('the newest records, or those since a time')
  .addOption(configOption())
  .option('--log <log>', 'only this log of the machine')
  .option('--since <time>', 'the oldest from this time on: 2026-03-01T12:00, or ago: 90m, 2h, 7d')
  .option('--limit <records>', 'at most so many', wholeNumber('--limit', 1, 100_000), 50)
  .addOption(jsonOption())
  .action(async (machine: string | undefined, options) =>
    (await import('./commands/plc-log.ts')).showPlcLog(machine, options),
  );

function parsePort(text: string): number {
  const port = Number(text);
  if (Number.isInteger(port) && port >= 0 && port <= 65_535) return port;
  throw new EdgeError('USAGE', `--port takes a whole number from 0 to 65535, not "${text}"`);
}

function parsePositive(text: string): number {
  const number = Number(text);
  if (number > 0 && number <= 1_000) return number;
  throw new EdgeError('USAGE', `--speed takes a number above 0, at most 1000, not "${text}"`);
}

function parseCount(text: string): number {
  if (/^\d{1,9}$/u.test(text)) return Number(text);
  throw new EdgeError('USAGE', `"${text}" is no whole number`);
}

function parseShare(text: string): number {
  const share = Number(text);
  if (text !== '' && share >= 0 && share <= 1) return share;
  throw new EdgeError('USAGE', `--share takes a number from 0 to 1, not "${text}"`);
}

// Whoever read the output has gone (`… | head -1`): end as at Ctrl-C instead of crashing, and only once.
let readerGone = false;
process.stdout.on('error', (error: NodeJS.ErrnoException) => {
  if (error.code !== 'EPIPE') throw error;
  if (!readerGone) process.kill(process.pid, 'SIGTERM');
  readerGone = true;
});

try {
  await program.parseAsync();
} catch (error) {
  if (!(error instanceof EdgeError)) throw error;
  process.stderr.write(
    `hermes-edge: ${error.message}\n${error.hint === undefined ? '' : `  ${error.hint}\n`}`,
  );
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  if (process.env['HERMES_EDGE_DEBUG'] && cause !== '') process.stderr.write(`  cause: ${cause}\n`);
  process.exitCode = error.code === 'USAGE' || error.code.startsWith('CONFIG_') ? USAGE_ERROR : 1;
}
