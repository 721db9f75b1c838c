import { describe, expect, it } from 'vitest';
import { type AnnouncementPriority, Announcer, type SpeakingEvent } from '../../../src/app/announcer.ts';
import type { SpeechEngine, SpeechLine, SpokenAs } from '../../../src/app/ports/speech-engine.ts';
import type { Clocks, Scheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

/** Speaks a line until the test ends it, and notes what it was asked. */
class HandEngine implements SpeechEngine {
  readonly name = 'hand';
  readonly begun: string[] = [];
  prepared = 0;
  #finish: ((error?: Error) => void) | undefined;

  prepare(): void {
    this.prepared += 1;
  }

  speak(line: SpeechLine, signal: AbortSignal, onFirstSound?: () => void): Promise<SpokenAs> {
    expect(this.#finish, 'two lines at once').toBeUndefined();
    this.begun.push(line.text);
    onFirstSound?.();
    return new Promise((resolve, reject) => {
      const end = (act: () => void): void => {
        this.#finish = undefined;
        act();
      };
      signal.addEventListener('abort', () => end(() => reject(signal.reason)), { once: true });
      this.#finish = (error) =>
        end(() => (error === undefined ? resolve({ kind: 'played' }) : reject(error)));
    });
  }

  async end(error?: Error): Promise<void> {
    this.#finish?.(error);
    await settled();
  }
}

/** Lets every promise that can settle do so. */
function settled(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}

class HandTime implements Scheduler {
  nowMs = 1000;
  #timers: { readonly atMs: number; readonly run: () => void }[] = [];
  readonly clocks: Clocks = {
    monotonicMs: () => this.nowMs,
    wall: () => new Date(0),
    bootId: 'boot',
    nextSeq: () => 1,
  };

  after(delayMs: number, run: () => void): () => void {
    const timer = { atMs: this.nowMs + delayMs, run };
    this.#timers.push(timer);
    return () => {
      this.#timers = this.#timers.filter((each) => each !== timer);
    };
  }

  async pass(ms: number): Promise<void> {
    const untilMs = this.nowMs + ms;
    for (;;) {
      const next = this.#timers.toSorted((a, b) => a.atMs - b.atMs)[0];
      if (next === undefined || next.atMs > untilMs) break;
      this.#timers = this.#timers.filter((each) => each !== next);
      this.nowMs = next.atMs;
      next.run();
      await settled();
    }
    this.nowMs = untilMs;
  }
}

async function station() {
  const engine = new HandEngine();
  const time = new HandTime();
  const floor = { taken: false, busy: () => floor.taken };
  const announcer = new Announcer(engine, {
    clocks: time.clocks,
    scheduler: time,
    logger: silentLogger(),
    floor,
  });
  await announcer.start();
  const say = (text: string, priority: AnnouncementPriority = 'answer') =>
    announcer.announce({ text, language: 'en', priority });
  return { engine, time, floor, announcer, say };
}

describe('lines to the loudspeaker', () => {
  it('are spoken one at a time, in the order in which they came', async () => {
    const { engine, say } = await station();
    const outcomes = [say('one'), say('two'), say('three')];
    expect(engine.begun).toEqual(['one']);
    await engine.end();
    expect(engine.begun).toEqual(['one', 'two']);
    await engine.end();
    await engine.end();
    expect(engine.begun).toEqual(['one', 'two', 'three']);
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['played', 'played', 'played']);
  });

  it('are taken most important first, without breaking into the line being spoken', async () => {
    const { engine, say } = await station();
    void say('begun', 'critical');
    void say('message', 'message');
    void say('low', 'low');
    void say('medium', 'medium');
    void say('answer');
    void say('critical', 'critical');
    void say('high', 'high');
    for (let i = 0; i < 7; i += 1) await engine.end();
    expect(engine.begun).toEqual(['begun', 'critical', 'high', 'answer', 'medium', 'low', 'message']);
  });

  it('give way to a critical one at once, and are said again from the beginning', async () => {
    const { engine, say } = await station();
    const first = say('a long answer');
    void say('another');
    void say('fire', 'critical');
    await engine.end();
    for (let i = 0; i < 3; i += 1) await engine.end();
    expect(engine.begun).toEqual(['a long answer', 'fire', 'a long answer', 'another']);
    expect(await first).toEqual({ kind: 'played', text: 'a long answer' });
  });

  it('that come too late say so instead of a value that is true no more', async () => {
    const { engine, time, announcer, say } = await station();
    void say('begun', 'high');
    const late = announcer.announce({
      text: 'seventy three degrees',
      language: 'en',
      priority: 'answer',
      stale: { atMs: time.nowMs + 5000, instead: 'too old' },
    });
    await time.pass(5000);
    await engine.end();
    await engine.end();
    expect(engine.begun).toEqual(['begun', 'too old']);
    expect(await late).toEqual({ kind: 'played', text: 'too old' });
  });

  it('that are answers can be silenced without the alarms', async () => {
    const { engine, announcer, say } = await station();
    const answer = say('an answer');
    const waiting = say('another answer');
    void say('an alarm', 'medium');
    announcer.silence('answers');
    expect(await answer).toMatchObject({ kind: 'stopped' });
    expect(await waiting).toMatchObject({ kind: 'stopped', heardMs: 0 });
    await engine.end();
    expect(engine.begun).toEqual(['an answer', 'an alarm']);
  });

  it('tell how much of them was heard when they are silenced', async () => {
    const { time, announcer, say } = await station();
    const line = say('an alarm', 'high');
    await time.pass(1234);
    announcer.silence();
    expect(await line).toEqual({ kind: 'stopped', heardMs: 1234, text: 'an alarm' });
  });

  it('beyond 32 waiting push out the oldest of the least important, which learns of it', async () => {
    const { engine, announcer, say } = await station();
    void say('begun');
    const oldestLow = say('oldest low', 'low');
    void say('newer low', 'low');
    for (let i = 0; i < 30; i += 1) void say(`normal ${i}`);
    void say('one too many', 'high');
    expect(await oldestLow).toEqual({ kind: 'dropped', text: 'oldest low' });
    expect(announcer.health().figures).toMatchObject({ dropped: 1, waiting: 32 });
    for (let i = 0; i < 33; i += 1) await engine.end();
    expect(engine.begun).toHaveLength(33);
    expect(engine.begun.at(-1)).toBe('newer low');
  });

  it('give way themselves when everything that waits is more important', async () => {
    const { say } = await station();
    void say('begun');
    for (let i = 0; i < 32; i += 1) void say(`high ${i}`, 'high');
    expect((await say('unimportant', 'low')).kind).toBe('dropped');
  });

  it('that fail say why, and the next is spoken all the same', async () => {
    const { engine, announcer, say } = await station();
    const first = say('one');
    const second = say('two');
    await engine.end(new Error('the speaker is unplugged'));
    expect(await first).toEqual({ kind: 'failed', text: 'one', reason: 'the speaker is unplugged' });
    expect(announcer.health()).toMatchObject({
      status: 'degraded',
      detail: expect.stringContaining('the speaker is unplugged'),
    });
    await engine.end();
    expect((await second).kind).toBe('played');
    expect(announcer.health().status).toBe('ok');
  });
});

describe('silence', () => {
  it('ends the line being spoken and forgets those that wait', async () => {
    const { engine, announcer, say } = await station();
    const outcomes = [say('one'), say('two', 'critical')];
    announcer.silence();
    expect((await Promise.all(outcomes)).map(({ kind }) => kind)).toEqual(['stopped', 'stopped']);
    expect(engine.begun).toEqual(['one']);
  });

  it('does not silence what is said after it', async () => {
    const { engine, announcer, say } = await station();
    void say('one');
    announcer.silence();
    const next = say('two');
    await settled();
    await engine.end();
    expect((await next).kind).toBe('played');
  });

  it('is all there is after the announcer has stopped', async () => {
    const { engine, announcer, say } = await station();
    await announcer.stop();
    expect((await say('late', 'critical')).kind).toBe('stopped');
    expect(engine.begun).toEqual([]);
  });
});

describe('while a person is speaking', () => {
  it('a line waits until the person has finished', async () => {
    const { engine, time, floor, say } = await station();
    floor.taken = true;
    void say('answer', 'high');
    await time.pass(3000);
    expect(engine.begun).toEqual([]);
    floor.taken = false;
    await time.pass(50);
    expect(engine.begun).toEqual(['answer']);
  });

  it('a critical line does not wait, and those before it still do', async () => {
    const { engine, floor, say } = await station();
    floor.taken = true;
    void say('answer');
    void say('fire', 'critical');
    await engine.end();
    expect(engine.begun).toEqual(['fire']);
  });

  it('a line waits 15 s at most', async () => {
    const { engine, time, floor, say } = await station();
    floor.taken = true;
    void say('answer');
    await time.pass(14_900);
    expect(engine.begun).toEqual([]);
    await time.pass(200);
    expect(engine.begun).toEqual(['answer']);
  });

  it('a line silenced while it waited does not shorten the wait of a later one', async () => {
    const { engine, time, floor, announcer, say } = await station();
    floor.taken = true;
    void say('forgotten');
    await time.pass(14_000);
    announcer.silence();
    await time.pass(60_000);
    void say('later');
    await time.pass(2000);
    expect(engine.begun).toEqual([]);
  });

  it('the engine gets ready for the answer, unless it is speaking', async () => {
    const { engine, announcer, say } = await station();
    announcer.expectLine();
    expect(engine.prepared).toBe(1);
    void say('one');
    announcer.expectLine();
    expect(engine.prepared).toBe(1);
  });
});

describe('those who listen along', () => {
  it('hear when a line starts, sounds and ends, until they unsubscribe', async () => {
    const { engine, time, announcer, say } = await station();
    const events: SpeakingEvent[] = [];
    const unsubscribe = announcer.onSpeaking((event) => events.push(event));
    void say('one');
    time.nowMs = 1700;
    await engine.end();
    expect(events.map(({ kind, text, atMs }) => [kind, text, atMs])).toEqual([
      ['started', 'one', 1000],
      ['first-sound', 'one', 1000],
      ['ended', 'one', 1700],
    ]);
    unsubscribe();
    void say('two');
    expect(events).toHaveLength(3);
  });

  it('may answer a line with another without two being spoken at once', async () => {
    const { engine, announcer, say } = await station();
    let answered = false;
    announcer.onSpeaking(({ kind }) => {
      if (kind !== 'started' || answered) return;
      answered = true;
      void say('two', 'critical');
    });
    void say('one');
    await engine.end();
    await engine.end();
    expect(engine.begun).toEqual(['one', 'two']);
  });
});
