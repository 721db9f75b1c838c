import type { Command } from 'commander';
import { configOption, jsonOption } from './options.ts';

/** `hermes-edge tools …`, `hermes-edge workflows …` and `hermes-edge tickets …`. */
export function addToolCommands(program: Command): void {
  const tools = program.command('tools').description('what the daemon can do, and whether it may');
  tools
    .command('list')
    .description('every tool with its state, and why one is not used')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./tools.ts')).listTools(options));
  tools
    .command('show <name>')
    .description('the contract of a tool and what its calls came to')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (name: string, options) => (await import('./tools.ts')).showTool(name, options));
  tools
    .command('check <folder>')
    .description('check a tool pack and run its tests; needs no daemon')
    .addOption(jsonOption())
    .action(async (folder: string, options) => (await import('./tools.ts')).checkTool(folder, options));

  const workflows = program.command('workflows').description('what is done in several steps, and its runs');
  workflows
    .command('list')
    .description('every workflow, why one cannot be started, and the newest runs')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./workflows.ts')).listWorkflows(options));
  workflows
    .command('show <id>')
    .description('a workflow by its name, or one run by its id; the beginning of the id will do')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./workflows.ts')).showWorkflow(id, options));

  const tickets = program.command('tickets').description('what a person should look at');
  tickets
    .command('list')
    .description('the open tickets, the newest first')
    .option('--all', 'those that have ended too', false)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (options) => (await import('./tickets.ts')).listTickets(options));
  tickets
    .command('show <id>')
    .description('everything that is known of a ticket')
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./tickets.ts')).showTicket(id, options));
  tickets
    .command('resolve <id>')
    .description('a person has settled it')
    .option('--by <name>', 'who; the user of this shell otherwise')
    .option('--note <text>', 'what it was')
    .option('--seen', 'somebody is looking at it: it stays open', false)
    .addOption(configOption())
    .addOption(jsonOption())
    .action(async (id: string, options) => (await import('./tickets.ts')).resolveTicket(id, options));
}
