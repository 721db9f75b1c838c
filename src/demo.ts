import { createServer } from 'node:net';
import type { TurnReport } from './app/turn-report.ts';
import { composeBroker, composeControlledLine } from './composition/line.ts';
import { createRuntime } from './composition/runtime.ts';
import { exampleSentences, loadSite, type Site } from './composition/site.ts';
import { composeVisitor, probeAudio } from './composition/voice.ts';
import { demoConfig, demoStateDir } from './config/demo-config.ts';
import { composeDaemon, type Daemon, type Observer } from './daemon.ts';
import type { Language } from './domain/language/language.ts';
import type { PlantModel } from './domain/plc/plant-model.ts';
import { exampleFault } from './domain/plc/simulation/line-fault.ts';

/** What the demo can tell about itself. */
export interface DemoSummary {
  readonly language: Language;
  readonly machines: number;
  readonly points: number;
  readonly mqttPort: number;
  readonly modbusPort: number;
  readonly httpPort: number;
  readonly stateDir: string;
  readonly examples: readonly string[];
  /** Sentences of one conversation, each about the one before; the last ones take back what was done. */
  readonly conversation: readonly string[];
  /** A point of the line, and a fault that it can have: machine and point, fault and machine. */
  readonly point: string;
  readonly fault: string;
  /** False: nobody can speak to it here, so a synthesised voice gives commands. */
  readonly listens: boolean;
}

export interface Demo {
  readonly daemon: Daemon;
  summary(): DemoSummary;
  /** Has the synthesised voice, where there is no microphone, say each example and wait for its answer; ends at once when aborted. */
  visit(signal: AbortSignal): Promise<void>;
}

export interface DemoObserver extends Observer {
  /** The synthesised voice is about to say this. */
  visitor(text: string): void;
}

/** Longest wait for the answer to one sentence of the synthesised voice. */
const ANSWER_WITHIN_MS = 8000;
const LINE_CONNECTION = 'line-1';

/** A daemon with everything that a site would bring. */
export async function composeDemo(language: Language, observer: DemoObserver): Promise<Demo> {
  const [mqttPort, httpPort, modbusPort] = [await freePort(1883), await freePort(8480), await freePort(1502)];
  const stateDir = demoStateDir(language);
  const site = loadSite(demoConfig({ language, stateDir, mqttPort, httpPort }));
  const runtime = createRuntime(site.config.log.level);
  const audio = await probeAudio(site.config, runtime);
  const visitor = audio.microphone ? undefined : composeVisitor(language, runtime);
  const examples = exampleSentences(site.plant, language);
  const [point] = site.plant.points();
  const fault = exampleFault([...site.plant.machines.values()]);

  let answered: () => void = () => undefined;
  const daemon = await composeDaemon(site, {
    runtime,
    speaker: audio.speaker,
    before: [composeBroker(mqttPort), ...composeControlledLine(site.plant, { port: modbusPort }, runtime)],
    endpointOf: (connection) =>
      connection === LINE_CONNECTION ? { host: '127.0.0.1', port: modbusPort } : undefined,
    ...(visitor === undefined ? {} : { microphone: visitor.microphone }),
    observer: {
      turn: (report: TurnReport) => observer.turn(report),
      alarm: (source, name, message) => observer.alarm(source, name, message),
      spoken: (outcome) => {
        observer.spoken(outcome);
        answered();
      },
    },
  });
  return {
    daemon,
    summary: () => ({
      language,
      machines: site.plant.machines.size,
      points: site.plant.points().length,
      mqttPort,
      modbusPort,
      httpPort,
      stateDir,
      examples,
      conversation: exampleConversation(site.plant, language),
      point: `${point?.ref.machine ?? ''} ${point?.ref.point ?? ''}`,
      fault: `${fault?.name ?? ''} ${fault?.target ?? ''}`,
      listens: visitor === undefined,
    }),
    async visit(signal) {
      if (visitor === undefined) return;
      signal.addEventListener('abort', () => answered(), { once: true });
      for (const text of examples) {
        if (signal.aborted) return;
        observer.visitor(text);
        const answer = new Promise<void>((resolve) => {
          const cancel = runtime.scheduler.after(ANSWER_WITHIN_MS, resolve);
          answered = () => {
            cancel();
            resolve();
          };
        });
        await visitor.speak(text);
        await answer;
      }
    },
  };
}

/** A value, the same of another machine, a file of both, and the file removed again; empty where no two machines compare. */
function exampleConversation(plant: PlantModel, language: Language): readonly string[] {
  const [read] = exampleSentences(plant, language);
  const [first, ...others] = plant.machines.values();
  const [point] = first?.points.keys() ?? [];
  const other = others.find(({ points }) => point !== undefined && points.has(point))?.names[language][0];
  if (read === undefined || other === undefined) return [];
  return language === 'zh'
    ? [read, `和${other}对比`, '导出', '取消导出', '可以']
    : [read, `compare it with ${other}`, 'export that', 'cancel the export', 'yes'];
}

/** The demo's site as data, for commands that need no running demo. */
export function demoSite(language: Language): Site {
  return loadSite(
    demoConfig({ language, stateDir: demoStateDir(language), mqttPort: undefined, httpPort: 0 }),
  );
}

/** `preferred`, or any free port where that is taken. */
async function freePort(preferred: number): Promise<number> {
  return (await tryPort(preferred)) ?? (await tryPort(0)) ?? preferred;
}

function tryPort(port: number): Promise<number | undefined> {
  return new Promise((resolve) => {
    const server = createServer();
    server.once('error', () => resolve(undefined));
    server.listen(port, '127.0.0.1', () => {
      const address = server.address();
      server.close(() => resolve(typeof address === 'object' && address !== null ? address.port : undefined));
    });
  });
}
