import { mkdtemp, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { basename, dirname, join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { FileEngine } from '../../../src/adapters/speech/file-engine.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';

const never = new AbortController().signal;
let root: string;
let directory: string;
beforeEach(async () => {
  root = await mkdtemp(join(tmpdir(), 'spoken-'));
  directory = join(root, 'deeper', 'spoken');
});
afterEach(() => rm(root, { recursive: true }));

function engine(wall = (): Date => new Date()): FileEngine {
  return new FileEngine({ directory }, { clocks: { ...systemClocks(), wall }, scheduler: systemScheduler });
}

async function keep(fileEngine: FileEngine, text: string, language: 'en' | 'zh' = 'en'): Promise<string> {
  const spoken = await fileEngine.speak({ text, language }, never);
  if (spoken.kind !== 'kept') throw new Error(`the line was ${spoken.kind}`);
  return spoken.file;
}

describe('a line without a loudspeaker', () => {
  it.each([
    ['en', 'Pump three is ready.'],
    ['zh', '三号泵已就绪。'],
  ] as const)('in "%s" is kept as a WAV file in a directory made for it', async (language, text) => {
    const file = await keep(engine(), text, language);
    expect(dirname(file)).toBe(directory);
    const wav = await readFile(file);
    expect(wav.toString('ascii', 0, 4)).toBe('RIFF');
    expect(wav.readUInt32LE(4)).toBe(wav.length - 8);
    expect(wav.readUInt32LE(24)).toBe(22_050);
    expect(wav.readUInt32LE(40)).toBe(wav.length - 44);
    expect((wav.length - 44) / 2 / 22_050).toBeGreaterThan(0.5);
    expect(await readdir(directory)).toEqual([basename(file)]);
  });

  it('joins the newest 50; older ones go, foreign files stay', async () => {
    const first = await keep(engine(), 'One.');
    await Promise.all(
      Array.from({ length: 49 }, (_, i) =>
        writeFile(join(directory, `2020-01-01T00-00-${String(i).padStart(2, '0')}-000Z-000001.wav`), ''),
      ),
    );
    await writeFile(join(directory, 'notes.txt'), 'mine');
    const second = await keep(engine(), 'Two.');
    const names = await readdir(directory);
    expect(names).toHaveLength(51);
    expect(names).toEqual(expect.arrayContaining([basename(first), basename(second), 'notes.txt']));
    expect(names).not.toContain('2020-01-01T00-00-00-000Z-000001.wav');
  });

  it('is kept even when the clock has gone back', async () => {
    await keep(engine(), 'One.');
    await Promise.all(
      Array.from({ length: 50 }, (_, i) =>
        writeFile(join(directory, `2030-01-01T00-00-${String(i).padStart(2, '0')}-000Z-000001.wav`), ''),
      ),
    );
    const file = await keep(
      engine(() => new Date(0)),
      'Two.',
    );
    expect(await readdir(directory)).toContain(basename(file));
  });

  it('fails where the directory cannot be made', async () => {
    await writeFile(join(root, 'deeper'), '');
    await expect(engine().speak({ text: 'One.', language: 'en' }, never)).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      hint: expect.stringContaining('directory'),
    });
  });
});
