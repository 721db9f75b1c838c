import { describe, expect, it } from 'vitest';
import { AudioBacklog } from '../../../../src/adapters/recogniser/audio-backlog.ts';

/** 20 ms whose samples are all `mark`. */
function audio(mark: number): Int16Array {
  return new Int16Array(320).fill(mark);
}

function drain(backlog: AudioBacklog): string[] {
  const out: string[] = [];
  for (let next = backlog.shift(); next !== undefined; next = backlog.shift())
    out.push(next.kind === 'audio' ? `${next.pcm[0]}${next.lostBefore ? ' after a hole' : ''}` : next.kind);
  return out;
}

const GRAMMAR = { kind: 'grammar', id: 1, items: ['stop'] } as const;

describe('the backlog of the recogniser', () => {
  it('keeps audio, grammars and discards in order', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 100, maxInFlightMs: 100 });
    backlog.pushAudio(audio(1), false);
    backlog.pushControl(GRAMMAR);
    backlog.pushAudio(audio(2), false);
    expect(drain(backlog)).toEqual(['1', 'grammar', '2']);
  });

  it('drops the oldest audio over its limit, counts it, and marks the audio after the hole', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 40, maxInFlightMs: 100 });
    for (const mark of [1, 2, 3, 4]) backlog.pushAudio(audio(mark), false);
    expect(backlog.queuedMs).toBe(40);
    expect(backlog.droppedMs).toBe(40);
    expect(drain(backlog)).toEqual(['3 after a hole', '4']);
  });

  it('never drops a grammar or a discard', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 20, maxInFlightMs: 100 });
    backlog.pushControl({ kind: 'discard' });
    backlog.pushControl(GRAMMAR);
    for (const mark of [1, 2, 3]) backlog.pushAudio(audio(mark), false);
    expect(drain(backlog)).toEqual(['discard', 'grammar', '3 after a hole']);
  });

  it('hands out no more than may be with the child, and more as it is heard', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 1_000, maxInFlightMs: 40 });
    for (const mark of [1, 2, 3, 4]) backlog.pushAudio(audio(mark), false);
    expect(drain(backlog)).toEqual(['1', '2']);
    expect(backlog.inFlight).toBe(true);
    backlog.heard(320);
    expect(drain(backlog)).toEqual(['3']);
    backlog.heard(640);
    expect(backlog.inFlight).toBe(false);
  });

  it('hands out a frame that is larger than the limit when nothing else is under way', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 1_000, maxInFlightMs: 10 });
    backlog.pushAudio(audio(1), false);
    expect(drain(backlog)).toEqual(['1']);
  });

  it('forgets audio that waits before a discard, without calling it lost', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 100, maxInFlightMs: 100 });
    backlog.pushAudio(audio(1), false);
    backlog.pushControl({ kind: 'discard' });
    backlog.pushAudio(audio(2), false);
    expect(drain(backlog)).toEqual(['discard', '2']);
    expect(backlog.droppedMs).toBe(0);
  });

  it('marks the next audio when a child has gone with what it had', () => {
    const backlog = new AudioBacklog({ maxQueuedMs: 100, maxInFlightMs: 20 });
    backlog.pushAudio(audio(1), false);
    backlog.pushAudio(audio(2), false);
    backlog.pushControl(GRAMMAR);
    expect(drain(backlog)).toEqual(['1']);
    backlog.childGone();
    expect(drain(backlog)).toEqual(['2 after a hole']);
    backlog.heard(320);
    backlog.childGone();
    backlog.pushAudio(audio(3), false);
    expect(drain(backlog)).toEqual(['3 after a hole']);
  });
});
