import { type Command, Option } from 'commander';
import { collect, jsonOption, parseCount, parsePort, parsePositive, parseShare } from './options.ts';

/** `hermes-edge simulate …`: the simulated line and its faults. */
export function addSimulateCommands(program: Command): void {
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
      collect,
      [] as readonly string[],
    )
    .option('--rtu-over-tcp <port>', 'serve the frames of a serial line as well, on this port', parsePort)
    .option('--serial <path>', 'serve a serial port or pseudo terminal as well')
    .option('--baud <rate>', 'of the serial port; 19200 otherwise', parseCount)
    .addOption(
      new Option('--parity <parity>', 'of the serial port; even otherwise').choices(['none', 'even', 'odd']),
    )
    .addOption(jsonOption())
    .action(async (options) => (await import('./simulate.ts')).simulate(options));

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
      (await import('./simulate-fault.ts')).simulateFault(what, command.optsWithGlobals()),
    );
}
