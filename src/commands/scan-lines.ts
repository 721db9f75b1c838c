import { isBitTable } from '../domain/plc/modbus-request.ts';
import { isReadable, type ScanFindings, type TableFindings } from '../domain/plc/scan/scan-findings.ts';
import { aligned } from './aligned.ts';
import { terminalLine, terminalText } from './terminal-text.ts';

/** A scan for the eye, and what of it no scan can know. */
export function scanLines(
  findings: ScanFindings,
  snippet: string,
  transport: 'tcp' | 'rtu_over_tcp' | 'rtu',
): string[] {
  const { units, asked, answering, response_ms: response } = findings;
  return [
    ...(findings.ended_early === null ? [] : [`Ended early: ${findings.ended_early}. Found until then:`]),
    `${findings.where}: asked ${asked.length} unit ids (${rangesOf(asked)}), ${answering.length === 0 ? 'none answers' : `these answer: ${rangesOf(answering)}`}`,
    ...(findings.answers_every_unit
      ? [
          findings.is_one_device
            ? 'Every unit id answers, all with the same: it does not look at the unit id. It is shown once; describe it once.'
            : 'Every unit id answers, as a gateway does for devices that are not there: trust only those with something to read.',
        ]
      : []),
    ...findings.gateway_refused.map(
      ({ unit_id, exception }) =>
        `unit ${unit_id}: the gateway says that nothing is there (exception ${exception})`,
    ),
    `${findings.requests} requests, ${findings.timeouts} without an answer, ${findings.broken} broken${response === null ? '' : `; an answer takes ${response.p50} ms (median), ${response.max} ms at most`}`,
    ...(findings.closes_after_answer ? ['It closes the connection after each answer.'] : []),
    ...(units.length > 1 && units.some(isReadable)
      ? units
          .filter((unit) => !isReadable(unit))
          .map(({ unit_id }) => `unit ${unit_id}: answers, nothing to read was found`)
      : []),
    ...(units.some(isReadable) ? units.filter(isReadable) : units).flatMap(
      ({ unit_id, tables, identification }) => [
        '',
        `Unit ${unit_id}${identification.length === 0 ? '' : ` (${identification.map(terminalLine).join(', ')})`}`,
        ...aligned(tables.map(tableCells)),
      ],
    ),
    ...(units.length === 0
      ? ['', ...silenceLines(findings, transport)]
      : [
          '',
          `Tried in each table: ${findings.tried_addresses.join(', ')}. Only what lies next to these is found; what is missing here`,
          'may still exist: test it with plant watch FILE.',
          'Only reads were sent. Addresses are as sent (base 0). What a scan cannot find out: how the manual counts',
          'addresses (address_base), in which order a value of two registers arrives (byte_order), and what it all means.',
          '',
          'To begin a plant file with:',
          '',
          snippet.trimEnd(),
        ]),
  ].map(terminalText);
}

/** What to look at where no unit answers. */
function silenceLines(
  { broken, foreign, timeouts }: ScanFindings,
  transport: 'tcp' | 'rtu_over_tcp' | 'rtu',
): string[] {
  const found: string[] = [];
  if (foreign > 0)
    found.push(
      {
        tcp: 'What answers here is no Modbus TCP: check the port (Modbus has 502 mostly); for a gateway of serial frames give --rtu-over-tcp.',
        rtu_over_tcp:
          'What answers here are no frames of a serial line: check the port and the line settings of the gateway; for Modbus TCP leave --rtu-over-tcp out.',
        rtu: 'What answers here are no whole frames: check --baud, --parity and --stop-bits.',
      }[transport],
    );
  else if (broken > 0 && transport !== 'rtu')
    found.push(
      'The connection is closed without an answer: check the port, and whether the device lets this address in.',
    );
  if (timeouts > 0 && foreign === 0 && transport !== 'rtu')
    found.push(
      transport === 'tcp'
        ? 'The port is open and nothing answers: a gateway that only hands bytes on wants serial frames, try --rtu-over-tcp.'
        : 'The port is open and nothing answers: a device or gateway of Modbus TCP wants no serial frames, try without --rtu-over-tcp.',
    );
  return [
    ...found,
    'Check the unit ids (--units 1-247), and give a slow gateway more time (--timeout-ms 2000).',
  ];
}

function tableCells({ register, outcome, area, most_per_request, exceptions }: TableFindings): string[] {
  const met = Object.entries(exceptions).map(([kind, count]) =>
    /^\d+$/u.test(kind) ? `exception ${kind} x ${count}` : `${kind} x ${count}`,
  );
  const found =
    area === null
      ? {
          unsupported: 'not supported (exception 1)',
          no_address_found: 'nothing at the addresses tried',
          silent: 'no answer',
          readable: '',
        }[outcome]
      : `${area.first}-${area.last}${area.goes_on ? ' and on' : ''}`;
  const most =
    area === null
      ? ''
      : most_per_request === null
        ? `no limit on ${isBitTable(register) ? 'bits' : 'registers'} per request found`
        : `${most_per_request} a request`;
  return [`  ${register}`, found, most, met.join(', ')];
}

function rangesOf(numbers: readonly number[]): string {
  const ranges: [number, number][] = [];
  for (const number of numbers) {
    const last = ranges.at(-1);
    if (last !== undefined && last[1] === number - 1) last[1] = number;
    else ranges.push([number, number]);
  }
  return ranges.map(([first, last]) => (first === last ? `${first}` : `${first}-${last}`)).join(', ');
}
