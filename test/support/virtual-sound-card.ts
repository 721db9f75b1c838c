import { type ChildProcess, spawn } from 'node:child_process';
import { existsSync, rmSync, watch } from 'node:fs';
import { mkdtemp, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { fileURLToPath } from 'node:url';

const SCRIPT = fileURLToPath(new URL('../../scripts/virtual-sound-card', import.meta.url));
const START_LIMIT_MS = 10_000;

export interface Recording {
  /** Resolves when sound played from now on is sure to be in the recording. */
  readonly ready: Promise<void>;
  /** Raw signed 16 bit, 16 kHz, mono: everything since the beginning. */
  stop(): Promise<Buffer>;
}

export interface VirtualSoundCard {
  /** ALSA_CONFIG_PATH and PULSE_SERVER; ALSA then knows the devices `mic`, `speaker` and `default`. */
  readonly env: Record<string, string>;
  /** Resolves when the last sample has been played. */
  playIntoMicrophone(wavPath: string): Promise<void>;
  /** `onChunk` gets each piece as it arrives, with the monotonic time of its arrival in milliseconds. */
  recordSpeaker(onChunk?: (chunk: Buffer, atMs: number) => void): Recording;
  /** The same of what the microphone hears. */
  recordMicrophone(onChunk?: (chunk: Buffer, atMs: number) => void): Recording;
  /** The speaker is heard by the microphone until the returned function is called. */
  hearItself(): Promise<() => Promise<void>>;
  /** Unplugs the microphone: what records from it is cut off. */
  removeMicrophone(): Promise<void>;
  addMicrophone(): Promise<void>;
  /** The whole card goes away at once, as with SIGKILL; `revive` brings it back under the same names. */
  kill(): Promise<void>;
  revive(): Promise<void>;
  stop(): Promise<void>;
}

/** A private PulseAudio with two null sinks. It dies with the process that started it, however that ends. */
export async function startVirtualSoundCard(): Promise<VirtualSoundCard> {
  const directory = await mkdtemp(join(tmpdir(), 'card-'));
  const socket = join(directory, 'pulse.sock');
  const env = { PULSE_SERVER: `unix:${socket}`, ALSA_CONFIG_PATH: join(directory, 'asoundrc') };
  const clientEnv = { ...process.env, ...env, XDG_RUNTIME_DIR: directory, HOME: directory };
  const clients = new Set<ChildProcess>();
  let server = await startServer(directory, socket);

  const atExit = (): void => {
    for (const child of [server, ...clients]) child.kill('SIGKILL');
    rmSync(directory, { recursive: true, force: true });
  };
  process.once('exit', atExit);

  function client(program: string, args: readonly string[]): ChildProcess {
    const child = spawn(program, args, { env: clientEnv, stdio: ['ignore', 'pipe', 'pipe'] });
    clients.add(child);
    child.once('close', () => clients.delete(child));
    return child;
  }

  async function run(program: string, ...args: string[]): Promise<string> {
    const child = client(program, args);
    const [code, output, complaint] = await Promise.all([
      exitCode(child),
      all(child.stdout),
      all(child.stderr),
    ]);
    if (code !== 0) throw new Error(`${program} ${args.join(' ')} ended with ${code}: ${complaint}`);
    return output.trim();
  }

  async function kill(): Promise<void> {
    const gone = exitCode(server);
    server.kill('SIGKILL');
    await gone;
  }

  function record(sink: 'mic' | 'speaker', onChunk?: (chunk: Buffer, atMs: number) => void): Recording {
    const child = client('parec', [
      `--device=${sink}.monitor`,
      '--raw',
      '--format=s16le',
      '--rate=16000',
      '--channels=1',
      '--latency-msec=5',
      '--process-time-msec=5',
    ]);
    const chunks: Buffer[] = [];
    const gone = exitCode(child);
    const ready = new Promise<void>((resolve, reject) => {
      child.stdout?.on('data', (chunk: Buffer) => {
        chunks.push(chunk);
        onChunk?.(chunk, Number(process.hrtime.bigint()) / 1e6);
        resolve();
      });
      gone.then(() => reject(new Error('parec ended before it recorded anything')), reject);
    });
    ready.catch(() => undefined);
    return {
      ready,
      async stop() {
        child.kill('SIGTERM');
        await gone;
        return Buffer.concat(chunks);
      },
    };
  }

  return {
    env,
    async playIntoMicrophone(wavPath) {
      await run('paplay', '--device=mic', '--latency-msec=20', wavPath);
    },
    recordSpeaker: (onChunk) => record('speaker', onChunk),
    recordMicrophone: (onChunk) => record('mic', onChunk),
    async hearItself() {
      const source = ['source=speaker.monitor', 'sink=mic', 'latency_msec=20'];
      const index = await run('pactl', 'load-module', 'module-loopback', ...source);
      return async () => {
        await run('pactl', 'unload-module', index);
      };
    },
    async removeMicrophone() {
      const modules = await run('pactl', 'list', 'short', 'modules');
      const line = modules.split('\n').find((candidate) => candidate.includes('sink_name=mic'));
      const index = line?.split('\t')[0];
      if (index === undefined) throw new Error('the microphone has been removed already');
      await run('pactl', 'unload-module', index);
    },
    async addMicrophone() {
      const sink = ['sink_name=mic', 'rate=16000', 'channels=1', 'format=s16le', 'norewinds=1'];
      await run('pactl', 'load-module', 'module-null-sink', ...sink);
    },
    kill,
    async revive() {
      server = await startServer(directory, socket);
    },
    async stop() {
      process.removeListener('exit', atExit);
      for (const child of clients) child.kill('SIGKILL');
      await kill();
      await rm(directory, { recursive: true, force: true });
    },
  };
}

/** Resolves when the socket is there; PulseAudio opens it last. */
async function startServer(directory: string, socket: string): Promise<ChildProcess> {
  rmSync(socket, { force: true });
  // A parent that is killed runs no exit handler: the kernel then kills the server for it.
  const server = spawn('setpriv', ['--pdeathsig', 'KILL', SCRIPT, 'run', directory], {
    stdio: ['ignore', 'ignore', 'pipe'],
  });
  const complaint = all(server.stderr);
  const limit = AbortSignal.timeout(START_LIMIT_MS);
  const watcher = watch(directory);
  try {
    await new Promise<void>((resolve, reject) => {
      watcher.on('change', () => {
        if (existsSync(socket)) resolve();
      });
      watcher.once('error', reject);
      server.once('error', reject);
      server.once('exit', (code) => {
        complaint.then((said) => reject(new Error(`PulseAudio ended with ${code}: ${said}`)), reject);
      });
      limit.addEventListener('abort', () =>
        reject(new Error(`PulseAudio did not start in ${START_LIMIT_MS} ms`)),
      );
      if (existsSync(socket)) resolve();
    });
  } catch (error) {
    server.kill('SIGKILL');
    throw error;
  } finally {
    watcher.close();
  }
  return server;
}

function exitCode(child: ChildProcess): Promise<number | null> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve(child.exitCode);
  return new Promise((resolve, reject) => {
    child.once('error', reject);
    child.once('close', (code) => resolve(code));
  });
}

function all(stream: NodeJS.ReadableStream | null): Promise<string> {
  return stream === null ? Promise.resolve('') : text(stream);
}
