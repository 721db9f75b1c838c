/**
 * Which requirement is proved by which tests. `whole` says whether the tests prove all of it or a part; a requirement
 * that is not here is not proved. `test/unit/requirements.test.ts` checks that every id, file and test exists.
 */

/** The families of requirements and how many each has. */
export const FAMILIES: Readonly<Record<string, number>> = {
  S: 20,
  N: 6,
  T: 20,
  MC: 6,
  CO: 8,
  MX: 8,
  MM: 6,
  M: 15,
  A: 3,
  P: 7,
  O: 5,
  D: 7,
  F: 20,
};

export interface Proof {
  readonly whole: boolean;
  /** What of it is proved, where that is not all. */
  readonly part?: string;
  /** Test file below `test/`, then the test's name as it is written there. */
  readonly tests: readonly (readonly [file: string, name: string])[];
}

const MACHINE = 'unit/domain/session/session-machine.test.ts';
const SESSION = 'contract/app/session.test.ts';
const STATIONS = 'contract/app/stations.test.ts';
const TOOLS = 'contract/app/reading-tools.test.ts';
const STORAGE = 'contract/sqlite/state-database.test.ts';
const MQTT = 'contract/mqtt/mqtt-surface.test.ts';
const SYSTEMD = 'contract/systemd/systemd-service.test.ts';
const SPOKEN = 'scenario/spoken-read.test.ts';
const PARTS = 'scenario/parts-come-and-go.test.ts';

export const REQUIREMENTS: Readonly<Record<string, Proof>> = {
  'S-01': {
    whole: true,
    tests: [
      [MACHINE, 'refuses an illegal event with a reason, and changes nothing'],
      [SESSION, 'refuses an illegal event, writes it into the audit, and stays as it was'],
    ],
  },
  'S-02': {
    whole: false,
    part: 'the states and outcomes; not yet every fallback',
    tests: [
      [MACHINE, 'takes a spoken read from speech to completion'],
      [MACHINE, 'ends no turn twice, and none that it did not open, whatever comes'],
    ],
  },
  'S-03': {
    whole: false,
    part: 'the limits of each state and the third failure; parsing falls back to asking, not to keywords',
    tests: [
      [MACHINE, 'listens 30 s, parses 500 ms, routes 200 ms, confirms 60 s, and rests for ever'],
      [MACHINE, 'takes silence for no: an open confirmation that runs out is cancelled'],
      [MACHINE, 'gives up at the third failure'],
      [SESSION, 'ends a turn that hangs: its signal fires'],
    ],
  },
  'S-14': {
    whole: false,
    part: 'stations are kept apart; not yet measured at 300 sessions',
    tests: [
      [STATIONS, 'keeps the questions of two stations apart'],
      [STATIONS, 'serves many stations at once, each its own answer'],
    ],
  },
  'N-04': {
    whole: false,
    part: 'numbers, ordinals and names; low confidence asks again; no dates yet',
    tests: [
      [
        STATIONS,
        'asks which of two machines with one name is meant, and takes a name or a place for an answer',
      ],
      ['unit/domain/intent/hearing-policy.test.ts', 'wants a lone word to be sure'],
    ],
  },
  'N-06': {
    whole: false,
    part: 'rules decide every path; there is no model yet that could be an executor',
    tests: [
      [SPOKEN, 'is answered aloud with the value that the PLC holds, and with the new one when it changes'],
    ],
  },
  'T-06': {
    whole: false,
    part: 'the reading tools that can be called by name',
    tests: [[TOOLS, 'refuse %o and say why']],
  },
  'P-07': {
    whole: false,
    part: 'schema, size, retained messages, response topics; not yet TLS and rate limits',
    tests: [
      [MQTT, 'refuses and counts what is no alarm, without losing the next one'],
      [MQTT, 'never acts on a retained message'],
      [MQTT, 'never answers into its own inputs'],
    ],
  },
  'D-01': {
    whole: false,
    part: 'deaf while it speaks; not run on a Raspberry Pi',
    tests: [[SPOKEN, 'does not hear itself when the microphone hears the speaker']],
  },
  'D-02': {
    whole: false,
    part: '${ENV}; rules do not exist yet',
    tests: [
      [
        'unit/config/load-yaml.test.ts',
        'takes values from the environment, with the type that the key wants',
      ],
      ['unit/config/load-yaml.test.ts', 'names a variable that the environment lacks, and the way out'],
    ],
  },
  'D-03': {
    whole: false,
    part: 'non-root, hardened, watchdog tied to progress, memory ceiling of 768 MB; no processor quota',
    tests: [
      [SYSTEMD, 'is hardened to an exposure of at most 2.0'],
      [SYSTEMD, 'sends no ping without progress, says so, and goes on when it is back'],
    ],
  },
  'D-04': {
    whole: false,
    part: 'each part killed while the daemon runs; no load yet',
    tests: [
      [PARTS, 'the microphone process may be killed: typed commands go on, and it is heard again'],
      [PARTS, 'the recogniser may be killed: typed commands go on, and it understands again'],
      [PARTS, 'the Modbus server may stop: it says so instead of a value, and reads again when it is back'],
      [PARTS, 'the broker may stop: voice goes on, and an alarm is heard when it is back'],
    ],
  },
  'D-06': { whole: true, tests: [[STORAGE, 'survives a power cut: WAL, and synchronous FULL']] },
  'F-01': {
    whole: false,
    part: "stations never get each other's answers; ids of sessions do not exist yet",
    tests: [[STATIONS, 'serves many stations at once, each its own answer']],
  },
  'F-16': {
    whole: false,
    part: 'limits of every write, and units of every value; tools and currencies do not exist yet',
    tests: [
      [
        'contract/modbus/point-writer.test.ts',
        'sends nothing at all for a value that is out of range or of another type',
      ],
      ['unit/domain/plc/writing/write-value.test.ts', 'never leaves its limits, whatever is asked'],
    ],
  },
  'F-03': {
    whole: true,
    tests: [
      [MACHINE, 'can always be brought to rest, and every state but rest has a limit'],
      [SESSION, 'ends a turn that hangs: its signal fires'],
    ],
  },
};
