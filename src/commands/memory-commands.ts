import type { Command } from 'commander';
import { collect, configOption, jsonOption, wholeNumber } from './options.ts';

const BY = 'who, by an id or a name of the people file; whoever is at this box otherwise';

/** `hermes-edge memory …`. */
export function addMemoryCommands(program: Command): void {
  const memory = program.command('memory').description('what is remembered, and where each fact came from');
  addLooking(memory);
  addChanging(memory);
}

function addLooking(memory: Command): void {
  memory
    .command('stats')
    .description('every level: how much is in it and how long that stays')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./memory.ts')).memoryStats(options));
  memory
    .command('search <words...>')
    .description('what the same words find when they are spoken, or why nothing')
    .option('--limit <memories>', 'at most so many', wholeNumber('--limit', 1, 20), 5)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (words: string[], options) =>
      (await import('./memory.ts')).searchMemory(words.join(' '), options),
    );
  memory
    .command('show <id>')
    .description('an episode, or a fact that is known now: its origin, what was told, what was done to it')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./memory.ts')).showMemory(id, options));
  memory
    .command('about <thing...>')
    .description('what is known of a machine, a line or a person, by any name')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (thing: string[], options) =>
      (await import('./memory.ts')).memoryAbout(thing.join(' '), options),
    );
  memory
    .command('facts [subject...]')
    .description('what is believed, of everything or of a name or subject such as machine:pump-7')
    .option('--past', 'what was believed before, too', false)
    .option('--at <time>', 'what held then: 2026-03-01T12:00, yesterday, or ago: 90m, 2h, 7d')
    .option('--known-at <time>', 'what the box knew then; now unless given')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (subject: string[], options) =>
      (await import('./memory.ts')).listFacts(subject.join(' ') || undefined, options),
    );
  memory
    .command('pending')
    .description('facts that wait for a second signature, or that are disputed')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./memory.ts')).listPending(options));
  memory
    .command('log')
    .description('what memory did to itself, the newest first; no content')
    .option('--limit <entries>', 'at most so many', wholeNumber('--limit', 1, 10_000), 50)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./memory.ts')).memoryLog(options));
  memory
    .command('archive [day]')
    .description('what memory has let go of, by the day, for an audit')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (day: string | undefined, options) =>
      (await import('./memory.ts')).memoryArchive(day, options),
    );
}

function addChanging(memory: Command): void {
  memory
    .command('approve <id>')
    .description('gives a pending fact its second signature, as a maintainer')
    .option('--by <name>', BY)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./memory.ts')).settleFact(id, 'verified', options));
  memory
    .command('reject <id>')
    .description('refuses a pending fact, as a maintainer')
    .option('--by <name>', BY)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./memory.ts')).settleFact(id, 'rejected', options));
  memory
    .command('add <text...>')
    .description('remembers a text, as if it had been said')
    .option('--by <name>', BY)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (text: string[], options) =>
      (await import('./memory.ts')).addMemory(text.join(' '), options),
    );
  memory
    .command('forget <id>')
    .description('takes an episode out, with the facts that were told in it')
    .option('--by <name>', BY)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./memory.ts')).forgetMemory(id, options));
  memory
    .command('erase <person>')
    .description('takes a person out of everything that this box keeps, for good')
    .option('--also <name>', 'another name or a telephone number; may be given again', collect, [])
    .option('--yes', 'without asking', false)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (person: string, options) => (await import('./memory.ts')).erasePerson(person, options));
}
