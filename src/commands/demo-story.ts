import type { TurnReport } from '../app/turn-report.ts';
import type { Daemon, Observer } from '../daemon.ts';

/** Tells on stdout what goes on in the demo, one line a thing. */
export class DemoStory implements Observer {
  readonly #out: NodeJS.WritableStream;

  constructor(out: NodeJS.WritableStream) {
    this.#out = out;
  }

  visitor(text: string): void {
    this.#line('');
    this.#line(`A synthesised voice says: ${text}`);
  }

  turn(report: TurnReport): void {
    this.#line(`  heard        ${report.heard}`);
    const slots = Object.entries(report.slots).map(([slot, value]) => `${slot}=${value}`);
    this.#line(`  understood   ${[report.intent ?? 'nothing', ...slots].join(' ')}`);
    for (const reading of report.readings) {
      const value =
        reading.quality === 'good'
          ? `${reading.value} ${reading.unit ?? ''}`
          : `${reading.quality}: ${reading.reason}`;
      this.#line(`  PLC          ${reading.machine}.${reading.point} = ${value.trim()}`);
    }
    this.#line(`  answers      ${report.answer ?? '(silence)'}`);
  }

  spoken(outcome: {
    readonly kind: string;
    readonly text: string;
    readonly file?: string;
    readonly reason?: string;
  }): void {
    if (outcome.kind === 'played') this.#line('  spoken       to the end, through the speaker');
    else if (outcome.kind === 'kept') this.#line(`  spoken       into ${outcome.file} (no speaker here)`);
    else this.#line(`  not spoken   ${outcome.reason ?? outcome.kind}`);
  }

  whatNext(daemon: Daemon): string {
    const { examples, language, mqttPort, httpPort } = daemon.summary();
    const [first = 'help'] = examples;
    const say = daemon.listensToPeople
      ? `Say into the microphone, for example:\n${examples.map((text) => `  "${text}"`).join('\n')}\nOr type it in another terminal, in this folder:`
      : 'Now give it commands yourself, in another terminal, in this folder:';
    const alarm = JSON.stringify({
      id: 'a1',
      state: 'raised',
      priority: 'high',
      text: language === 'zh' ? '温度偏高' : 'temperature high',
    });
    return [
      '',
      say,
      ...examples.map((text) => `  npx hermes-edge ask "${text}"`),
      `  npx hermes-edge ask --json "${first}"`,
      '  npx hermes-edge listen --help        what it hears, live',
      `Send it an alarm (mosquitto-clients): mosquitto_pub -p ${mqttPort} -q 1 -t edge/v1/demo/edge-1/alarm/line/oven/event -m '${alarm}'`,
      `Its health: curl http://127.0.0.1:${httpPort}/healthz`,
      'Stop it with Ctrl-C.',
      '',
    ].join('\n');
  }

  #line(text: string): void {
    this.#out.write(`${text}\n`);
  }
}

/** The first lines of the demo: what stands ready. */
export function demoGreeting(daemon: Daemon): string {
  const { language, machines, points, mqttPort, modbusPort, stateDir } = daemon.summary();
  return [
    `Hermes Edge is ready (demo, ${language === 'zh' ? 'Chinese' : 'English'}).`,
    `  production line   simulated: ${machines} machines, ${points} points, Modbus TCP on 127.0.0.1:${modbusPort}`,
    `  MQTT broker       embedded, 127.0.0.1:${mqttPort}`,
    `  voice             the tiny synthetic model: it hears synthesisers and, now and then, people`,
    `  microphone        ${daemon.listensToPeople ? 'the default one' : 'none here: a synthesised voice gives the commands'}`,
    `  state             ${stateDir}`,
    '',
  ].join('\n');
}
