import { describe, expect, it } from 'vitest';
import { FallbackEngine } from '../../../../src/adapters/speech/fallback-engine.ts';
import { speechFailed } from '../../../../src/adapters/speech/speech-failed.ts';
import type { SpeechEngine, SpeechLine, SpokenAs } from '../../../../src/app/ports/speech-engine.ts';
import { type Clocks, systemClocks } from '../../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';

class ScriptedEngine implements SpeechEngine {
  readonly name: string;
  readonly heard: string[] = [];
  broken = false;

  constructor(name: string) {
    this.name = name;
  }

  async speak(line: SpeechLine, signal: AbortSignal): Promise<SpokenAs> {
    this.heard.push(line.text);
    signal.throwIfAborted();
    if (this.broken) throw speechFailed(`${this.name} is broken`, `mend ${this.name}`);
    return { kind: 'played' };
  }
}

function setUp() {
  const first = new ScriptedEngine('first');
  const english = new ScriptedEngine('english');
  let nowMs = 0;
  const clocks: Clocks = { ...systemClocks(), monotonicMs: () => nowMs };
  const engine = new FallbackEngine(
    [
      { engine: first, languages: ['en', 'zh'] },
      { engine: english, languages: ['en'] },
    ],
    { clocks, logger: silentLogger() },
  );
  const speak = (text: string, language: 'en' | 'zh' = 'en', signal = new AbortController().signal) =>
    engine.speak({ text, language }, signal);
  return { first, english, engine, speak, pass: (ms: number) => (nowMs += ms) };
}

describe('several engines', () => {
  it('leave every line to the first while it works', async () => {
    const { first, english, engine, speak } = setUp();
    await speak('one');
    expect([first.heard, english.heard]).toEqual([['one'], []]);
    expect(engine.health().status).toBe('ok');
  });

  it('give a line that one cannot speak to the next, and say so', async () => {
    const { first, english, engine, speak } = setUp();
    first.broken = true;
    expect(await speak('one')).toEqual({ kind: 'played' });
    expect(english.heard).toEqual(['one']);
    expect(engine.health()).toEqual({ status: 'degraded', detail: 'first: first is broken' });
  });

  it('leave a failed one out for 30 s and then try it again', async () => {
    const { first, engine, speak, pass } = setUp();
    first.broken = true;
    await speak('one');
    first.broken = false;
    pass(29_000);
    await speak('two');
    expect(first.heard).toEqual(['one']);
    pass(2000);
    await speak('three');
    expect(first.heard).toEqual(['one', 'three']);
    expect(engine.health().status).toBe('ok');
  });

  it('still try a resting one when no other speaks the language', async () => {
    const { first, speak } = setUp();
    first.broken = true;
    await expect(speak('一', 'zh')).rejects.toMatchObject({ code: 'SPEECH_FAILED', hint: 'mend first' });
    first.broken = false;
    expect(await speak('二', 'zh')).toEqual({ kind: 'played' });
  });

  it('fail with every reason when none can speak', async () => {
    const { first, english, engine, speak } = setUp();
    first.broken = true;
    english.broken = true;
    await expect(speak('one')).rejects.toMatchObject({
      code: 'SPEECH_FAILED',
      message: 'first: first is broken; english: english is broken',
    });
    expect(engine.health().status).toBe('down');
  });

  it('do not take a silenced line for a failure', async () => {
    const { first, english, engine, speak } = setUp();
    const silenced = new Error('silenced');
    await expect(speak('one', 'en', AbortSignal.abort(silenced))).rejects.toBe(silenced);
    expect([first.heard, english.heard]).toEqual([['one'], []]);
    expect(engine.health().status).toBe('ok');
  });
});
