import type { Command } from 'commander';
import { configOption, jsonOption } from './options.ts';

const BY = 'who, by an id or a name of the people file; the user of this shell otherwise';

/** `hermes-edge lock`, `hermes-edge unlock` and `hermes-edge locks`. */
export function addLockCommands(program: Command): void {
  program
    .command('lock <machine>')
    .description('nothing is written to a machine on which somebody works, until it is unlocked')
    .option('--by <name>', BY)
    .option('--reason <text>', 'what is done there')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (machine: string, options) => (await import('./locks.ts')).lockMachine(machine, options));
  program
    .command('unlock <machine>')
    .description('by whoever locked it, or by a supervisor')
    .option('--by <name>', BY)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (machine: string, options) => (await import('./locks.ts')).unlockMachine(machine, options));
  program
    .command('locks')
    .description('the machines that are locked, and by whom')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./locks.ts')).listLocks(options));
}
