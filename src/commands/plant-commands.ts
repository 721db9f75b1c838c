import { type Command, Option } from 'commander';
import { MEMORY_LAYOUTS } from '../domain/plc/import/list-address.ts';
import { COLUMN_ROLES } from '../domain/plc/import/list-columns.ts';
import { LIST_ENCODINGS } from '../domain/plc/import/text-of-bytes.ts';
import { BYTE_ORDERS } from '../domain/plc/point-encoding.ts';
import { REGISTER_TABLES } from '../domain/plc/register-address.ts';
import { collect, configOption, jsonOption, parsePort, parseUnits, wholeNumber } from './options.ts';

/** `hermes-edge plant …`: device maps. */
export function addPlantCommands(program: Command): void {
  const plant = program.command('plant').description('work with device maps: check, find out, import');

  plant
    .command('check <file...>')
    .description('check device maps together, and show every point as the manual and the wire count it')
    .addOption(jsonOption())
    .action(async (files: string[], options) =>
      (await import('./plant-check.ts')).plantCheck(files, options),
    );

  plant
    .command('watch [file...]')
    .description('every point with its value, quality and age, live: from the daemon, or polled from here')
    .addOption(configOption())
    .option('--machine <machine>', 'only the points of this machine: its key or a name')
    .option('--once', 'show everything once; exit status 1 when a point is not good', false)
    .addOption(jsonOption())
    .action(async (files: string[], options) =>
      (await import('./plant-watch.ts')).plantWatch(files, options),
    );

  plant
    .command('import <file>')
    .description('make a device map from a tag list (CSV) of an engineering tool')
    .option(
      '--column <role=header>',
      `what a column holds, such as address=Adresse; the others are guessed and shown; roles: ${COLUMN_ROLES.join(', ')}`,
      collect,
      [],
    )
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
    .action(async (file: string, options) => (await import('./plant-import.ts')).plantImport(file, options));

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
      (await import('./plant-scan.ts')).plantScan(host, options),
    );
}
