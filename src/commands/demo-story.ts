import type { SpokenOutcome } from '../app/announcer.ts';
import type { TurnReport } from '../app/turn-report.ts';
import type { DemoObserver, DemoSummary } from '../demo.ts';
import type { AlarmMessage } from '../domain/alarm/alarm-event.ts';
import { programName } from './program-name.ts';
import { shownValue } from './shown-value.ts';

/** In the shell's words: an event with an id that came before is not spoken again. */
const DISTINCT_ID = `'"$(date +%s)"'`;

/** Tells on stdout what goes on in the demo, one line a thing. */
export class DemoStory implements DemoObserver {
  readonly #out: NodeJS.WritableStream;
  /** Printed already, so that it is not printed again when it is spoken. */
  #answer: string | undefined;

  constructor(out: NodeJS.WritableStream) {
    this.#out = out;
  }

  visitor(text: string): void {
    this.#line('');
    this.#line(`A synthesised voice says: ${text}`);
  }

  alarm(source: string, name: string, { id, state, priority, text }: AlarmMessage): void {
    const words = typeof text === 'string' ? text : Object.values(text).join(' / ');
    this.#line('');
    this.#line(`Alarm ${state}: ${source}/${name} (${priority}, id ${id}): ${words}`);
  }

  turn(report: TurnReport): void {
    this.#line(`  heard        ${report.heard}`);
    const slots = Object.entries(report.slots).map(([slot, value]) => `${slot}=${value}`);
    this.#line(`  understood   ${[report.intent ?? 'nothing', ...slots].join(' ')}`);
    for (const reading of report.readings) {
      const { value, quality, reason } = reading;
      const shown =
        quality === 'good' && value !== undefined
          ? shownValue({ ...reading, value })
          : `${quality}: ${reason}`;
      this.#line(`  PLC          ${reading.machine}.${reading.point} = ${shown}`);
    }
    this.#line(`  answers      ${report.answer ?? '(silence)'}`);
    this.#answer = report.answer;
  }

  spoken(outcome: SpokenOutcome): void {
    if (outcome.text !== this.#answer) this.#line(`  says         ${outcome.text}`);
    this.#answer = undefined;
    if (outcome.kind === 'played') this.#line('  spoken       to the end, through the speaker');
    else if (outcome.kind === 'kept') this.#line(`  spoken       into ${outcome.file} (no speaker here)`);
    else this.#line(`  not spoken   ${outcome.kind === 'failed' ? outcome.reason : outcome.kind}`);
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }
}

/** The first lines of the demo: what stands ready. */
export function demoGreeting({
  language,
  machines,
  points,
  mqttPort,
  modbusPort,
  stateDir,
  listens,
}: DemoSummary): string {
  return [
    `Hermes Edge is ready (demo, ${language === 'zh' ? 'Chinese' : 'English'}).`,
    `  production line   simulated: ${machines} machines, ${points} points, Modbus TCP on 127.0.0.1:${modbusPort}`,
    '  writing           on, to the simulated line only; each write has to be confirmed',
    `  MQTT broker       embedded, 127.0.0.1:${mqttPort}, MQTT 3.1.1`,
    '  voice             a tiny synthetic model: it hears synthesisers and, now and then, people',
    `  microphone        ${listens ? 'the default one' : 'none here: a synthesised voice gives the commands'}`,
    `  state             ${stateDir}`,
    '',
  ].join('\n');
}

/** The last lines of the demo: what a person may do now, and how to end it. */
export function whatNext({
  language,
  examples,
  conversation,
  stateDir,
  point,
  fault,
  mqttPort,
  httpPort,
  listens,
}: DemoSummary): string {
  const alarm = JSON.stringify({
    id: 'ID',
    state: 'raised',
    priority: 'high',
    text: language === 'zh' ? '温度偏高' : 'temperature high',
  });
  const lead = listens
    ? `\nSay into the microphone, for example:\n${examples.map((text) => `  "${text}"`).join('\n')}\nOr type it in another terminal, in this folder:`
    : '\nNow give it commands yourself, in another terminal, in this folder:';
  return [
    lead,
    ...examples.map((text) => `  ${programName()} ask "${text}"`),
    `  ${programName()} say "${language === 'zh' ? '你好' : 'good morning'}"`,
    `Compare, keep what was found as a file in ${stateDir}/reports, and take that back:`,
    ...conversation.map((text) => `  ${programName()} ask "${text}"`),
    'See every value live, see what was, and make something go wrong:',
    `  ${programName()} plant watch`,
    `  ${programName()} history ${point}`,
    `  ${programName()} simulate fault ${fault} --for 5m`,
    'Send it an alarm (needs mosquitto-clients):',
    `  mosquitto_pub -p ${mqttPort} -q 1 -t edge/v1/demo/edge-1/alarm/line/oven/event -m '${alarm.replace('ID', DISTINCT_ID)}'`,
    'Ask how it is (needs curl):',
    `  curl -s http://127.0.0.1:${httpPort}/healthz`,
    'Stop it with Ctrl-C.',
    '',
  ].join('\n');
}
