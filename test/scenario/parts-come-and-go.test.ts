import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemon } from '../support/daemon-process.ts';
import { onePlant, voiceConfig } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type PymodbusServer, startPymodbusServer } from '../support/pymodbus-server.ts';
import { descendants, isRunning } from '../support/running-program.ts';
import { noise, synthesiseFile, writeSound } from '../support/synthesise.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../support/virtual-sound-card.ts';

const COMMAND = 'read the temperature of machine twelve';

describe('while the daemon runs', () => {
  let card: VirtualSoundCard;
  let plc: PymodbusServer;
  let broker: Mosquitto;
  let daemon: DaemonProcess;
  let directory: string;
  let wav: string;

  beforeAll(async () => {
    directory = mkdtempSync(join(tmpdir(), 'hermes-parts-'));
    wav = join(directory, 'command.wav');
    [card, plc, broker] = await Promise.all([
      startVirtualSoundCard(),
      startPymodbusServer(),
      startMosquitto(),
    ]);
    await plc.set(1, 'holding', 10, 73);
    await plc.set(1, 'holding', 20, 6);
    await synthesiseFile(wav, COMMAND, { language: 'en', beforeMs: 2500, afterMs: 1200 });
    // A hall is never silent to the last bit; a microphone that is, is reported.
    const hall = join(directory, 'hall.wav');
    await writeSound(hall, noise('white', 900_000, 0.001));
    card.playIntoMicrophone(hall).catch(() => 'ends with the card');
    daemon = await startDaemon(voiceConfig({ language: 'en', mqttUrl: broker.url }), {
      env: card.env,
      plant: onePlant(plc.port),
    });
    await allWell();
  });
  afterAll(async () => {
    await daemon.stop();
    await broker.remove();
    await plc.stop();
    await card.stop();
    rmSync(directory, { recursive: true });
  });

  const allWell = () =>
    eventually('all is well', async () => (await daemon.health()).status === 'ok', 40_000);
  const troubled = async (): Promise<string[]> =>
    (await daemon.health()).parts
      .filter(({ status }) => status === 'down' || status === 'degraded')
      .map(({ name }) => name);
  const figure = async (part: string, name: string): Promise<number> =>
    (await daemon.health()).parts.find((each) => each.name === part)?.figures?.[name] ?? 0;

  /** Speech right after a gap in the audio is asked for again: the file begins with more than that much of the hall. */
  async function spokenCommandIsAnswered(outcome: 'COMPLETED' | 'FAILED' = 'COMPLETED'): Promise<void> {
    const before = await figure('announcer', 'spoken');
    await card.playIntoMicrophone(wav);
    await eventually('an answer', async () => (await figure('announcer', 'spoken')) > before, 15_000);
    expect(daemon.log.filter((line) => line['msg'] === 'turn decided').at(-1)).toMatchObject({ outcome });
  }
  async function typedCommand(): Promise<{ outcome: string; answer: string }> {
    return JSON.parse((await daemon.command('ask', '--json', COMMAND)).stdout);
  }
  /** Children of the daemon whose command line holds a word. */
  function children(word: string): number[] {
    return readdirSync('/proc')
      .filter((entry) => /^\d+$/u.test(entry))
      .map(Number)
      .filter((pid) => {
        try {
          const parent = / \d+ \((?:.|\n)*\) \S (\d+)/u.exec(
            ` ${readFileSync(`/proc/${pid}/stat`, 'utf8')}`,
          )?.[1];
          return Number(parent) === daemon.pid && readFileSync(`/proc/${pid}/cmdline`, 'utf8').includes(word);
        } catch (error) {
          if (error instanceof Error && 'code' in error) return false;
          throw error;
        }
      });
  }
  function killChild(word: string): void {
    const pids = children(word);
    expect(pids.length).toBeGreaterThan(0);
    for (const pid of pids) process.kill(pid, 'SIGKILL');
  }

  it('the microphone process may be killed: typed commands go on, and it is heard again', async () => {
    killChild('arecord');
    await eventually('the microphone is named', async () => (await troubled()).includes('microphone'));
    expect(await typedCommand()).toMatchObject({ outcome: 'COMPLETED' });
    await allWell();
    await spokenCommandIsAnswered();
  });

  it('the recogniser may be killed: typed commands go on, and it understands again', async () => {
    killChild('recogniser/worker');
    await eventually('the recogniser is named', async () => (await troubled()).includes('recogniser'));
    expect(await typedCommand()).toMatchObject({ outcome: 'COMPLETED' });
    await allWell();
    await spokenCommandIsAnswered();
  });

  it('the Modbus server may stop: it says so instead of a value, and reads again when it is back', async () => {
    await plc.stop();
    const failed = await typedCommand();
    expect(failed.outcome).toBe('FAILED');
    expect(failed.answer).not.toMatch(/seventy|73/u);
    await eventually('modbus is named', async () => (await troubled()).includes('modbus'));
    await spokenCommandIsAnswered('FAILED');
    await plc.restart();
    await allWell();
    expect(await typedCommand()).toMatchObject({ outcome: 'COMPLETED' });
    await spokenCommandIsAnswered();
  });

  it('the broker may stop: voice goes on, and an alarm is heard when it is back', async () => {
    await broker.stop();
    await eventually('mqtt is named', async () => (await troubled()).includes('mqtt'));
    expect(await troubled()).toEqual(['mqtt']);
    await spokenCommandIsAnswered();
    await broker.start();
    await allWell();
    const before = await figure('alarms', 'received');
    const spokenBefore = await figure('announcer', 'spoken');
    const alarm = JSON.stringify({
      id: `e-${process.pid}`,
      state: 'raised',
      priority: 'high',
      text: 'temperature high',
    });
    execFileSync('mosquitto_pub', [
      '-p',
      String(broker.port),
      '-q',
      '1',
      '-V',
      'mqttv5',
      '-t',
      'edge/v1/hall/edge-1/alarm/oven/overheat/event',
      '-m',
      alarm,
    ]);
    await eventually('the alarm', async () => (await figure('alarms', 'received')) === before + 1);
    await eventually(
      'it is spoken',
      async () => (await figure('announcer', 'spoken')) > spokenBefore,
      15_000,
    );
  });

  it('it has one recorder and one recogniser, and leaves nothing over when it ends', async () => {
    expect(children('arecord')).toHaveLength(1);
    expect(children('recogniser/worker')).toHaveLength(1);
    const all = descendants(daemon.pid);
    expect(all.length).toBeGreaterThanOrEqual(2);
    expect(await daemon.stop()).toBe(0);
    await eventually('all of them are gone', () => !all.some(isRunning));
  });
});
