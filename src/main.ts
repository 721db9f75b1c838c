#!/usr/bin/env node
import { Command, Option } from 'commander';
import { addLockCommands } from './commands/lock-commands.ts';
import { addMemoryCommands } from './commands/memory-commands.ts';
import { configOption, jsonOption, languageOption, wholeNumber } from './commands/options.ts';
import { addPlantCommands } from './commands/plant-commands.ts';
import { pasteable } from './commands/program-name.ts';
import { addSimulateCommands } from './commands/simulate-commands.ts';
import { terminalText } from './commands/terminal-text.ts';
import { addToolCommands } from './commands/tool-commands.ts';
import { programVersion } from './composition/runtime.ts';
import { LANGUAGES } from './domain/language/language.ts';
import { EdgeError, messageOf } from './runtime/edge-error.ts';

/** Exit statuses: 0 done, 1 it did not work, 2 it was asked for wrongly. */
const USAGE_ERROR = 2;
const WRONGLY_ASKED = ['USAGE', 'INPUT_INVALID', 'PERIOD_UNKNOWN', 'TOOL_VALIDATION', 'MEMORY_UNKNOWN'];

const program = new Command('hermes-edge')
  .description('A voice and PLC assistant for the factory floor.')
  .version(programVersion(), '--version', 'the version of the program')
  .showHelpAfterError('(see hermes-edge --help)')
  .showSuggestionAfterError()
  .exitOverride((error) => process.exit(error.exitCode === 0 ? 0 : USAGE_ERROR));

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
  .option('--turn-id <id>', 'tr_ and 12 hexadecimal digits: given again, answered again, nothing done twice')
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

const plcLog = program.command('plclog').description("what the PLCs' event logs said");

plcLog
  .command('list')
  .description('the event logs of the plant, how much of each is kept and whether it is followed now')
  .addOption(configOption())
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/plc-log-list.ts')).listPlcLogs(options));

plcLog
  .command('show [machine]')
  .description('the newest records, or those since a time')
  .addOption(configOption())
  .option('--log <log>', 'only this log of the machine')
  .option(
    '--since <time>',
    'the oldest from this time on: 2026-03-01T12:00, yesterday, "last shift", or ago: 90m, 2h, 7d',
  )
  .option('--period <words>', 'the oldest of a period, such as yesterday, last shift, last 8 hours, 昨天')
  .option('--limit <records>', 'at most so many', wholeNumber('--limit', 1, 100_000), 50)
  .addOption(jsonOption())
  .action(async (machine: string | undefined, options) =>
    (await import('./commands/plc-log.ts')).showPlcLog(machine, options),
  );

const sessions = program.command('sessions').description('conversations: what was asked, done and said');

sessions
  .command('list')
  .description('the sessions that are kept, the one used last first')
  .addOption(configOption())
  .addOption(jsonOption())
  .action(async (options) => (await import('./commands/sessions.ts')).listSessions(options));

sessions
  .command('show <id>')
  .description('one session: its state, its ledger and what happened in it; the beginning of the id will do')
  .addOption(configOption())
  .addOption(jsonOption())
  .action(async (id: string, options) => (await import('./commands/sessions.ts')).showSession(id, options));

addSimulateCommands(program);
addPlantCommands(program);
addToolCommands(program);
addLockCommands(program);
addMemoryCommands(program);

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
    `hermes-edge: ${terminalText(error.message)}\n${error.hint === undefined ? '' : `  ${terminalText(pasteable(error.hint))}\n`}`,
  );
  const cause = error.cause === undefined ? '' : messageOf(error.cause);
  if (process.env['HERMES_EDGE_DEBUG'] && cause !== '')
    process.stderr.write(`  cause: ${terminalText(cause)}\n`);
  const isUsage = WRONGLY_ASKED.includes(error.code) || error.code.startsWith('CONFIG_');
  process.exitCode = isUsage ? USAGE_ERROR : 1;
}
