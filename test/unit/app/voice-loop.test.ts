import { beforeEach, describe, expect, it } from 'vitest';
import { Announcer, QUEUE_CAPACITY } from '../../../src/app/announcer.ts';
import type { AudioFrame, Microphone } from '../../../src/app/ports/microphone.ts';
import type { Recogniser, Transcript } from '../../../src/app/ports/recogniser.ts';
import type { SpokenAs } from '../../../src/app/ports/speech-engine.ts';
import type { Told } from '../../../src/app/told.ts';
import type { ReadingReport, TurnReport } from '../../../src/app/turn-report.ts';
import { VoiceLoop } from '../../../src/app/voice-loop.ts';
import { loadSite } from '../../../src/composition/site.ts';
import { configSchema } from '../../../src/config/config-schema.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';

const service = {
  start: async () => undefined,
  stop: async () => undefined,
  health: () => ({ status: 'ok' as const, detail: '' }),
};

const report: TurnReport = {
  turn_id: 'tr_1',
  station: 'microphone',
  heard: 'read the temperature',
  intent: 'read_point',
  slots: {},
  outcome: 'COMPLETED',
  answer: 'machine twelve temperature is seventy three degrees.',
  readings: [],
  steps: [],
  session_id: 's',
  duration_ms: 1,
};

const READING: ReadingReport = {
  machine: 'machine-12',
  point: 'temperature',
  quality: 'good',
  value: 73,
  at: '2026-01-15T08:00:00.000Z',
  boot_id: 'b',
  seq: 1,
};

const transcript: Transcript = {
  text: 'read the temperature',
  words: [],
  audioLost: false,
  cut: false,
  snrDb: 20,
  endpointAtMs: 0,
};

describe('the voice loop', () => {
  let nowMs: number;
  let frame: (frame: AudioFrame) => void;
  let partial: (text: string) => void;
  let final: (transcript: Transcript) => void;
  let accepted: number;
  let discarded: number;
  /** Ends the line that is being spoken. */
  let endOfSound: (as?: SpokenAs | Error) => void;
  /** What became of the lines that answered turns. */
  let told: (readonly [turnId: string, told: Told])[];
  let handled: string[];
  /** What the session and the recogniser are told of what is heard. */
  let heard: string[];
  let answer: TurnReport | undefined;
  let announcer: Announcer;
  let loop: VoiceLoop;

  beforeEach(async () => {
    nowMs = 1000;
    accepted = 0;
    discarded = 0;
    handled = [];
    heard = [];
    told = [];
    answer = report;
    const clocks = { monotonicMs: () => nowMs, wall: () => new Date(0), bootId: 'b', nextSeq: () => 1 };
    const scheduler = { after: () => () => undefined };
    const logger = silentLogger();
    const microphone: Microphone = {
      ...service,
      name: 'microphone',
      onFrame: (listener) => {
        frame = listener;
        return () => undefined;
      },
    };
    const recogniser: Recogniser = {
      ...service,
      name: 'recogniser',
      accept: () => {
        accepted += 1;
      },
      discard: () => {
        discarded += 1;
      },
      rest: () => void heard.push('rest'),
      cut: () => void heard.push('cut'),
      onPartial: (listener) => {
        partial = listener;
        return () => undefined;
      },
      onFinal: (listener) => {
        final = listener;
        return () => undefined;
      },
      knownWords: async () => new Set<string>(),
      setGrammar: async () => undefined,
    };
    announcer = new Announcer(
      {
        name: 'test',
        speak: () =>
          new Promise<SpokenAs>((resolve, reject) => {
            endOfSound = (as = { kind: 'played' }) => (as instanceof Error ? reject(as) : resolve(as));
          }),
      },
      { clocks, scheduler, logger, floor: { busy: () => false } },
    );
    loop = new VoiceLoop({
      microphone,
      recogniser,
      announcer,
      clocks,
      logger,
      language: 'en',
      phrases: loadSite(configSchema.parse({})).phrases,
      onTurn: () => undefined,
      stations: {
        speechStarted: () => void heard.push('started'),
        keywordHeard: () => void heard.push('keyword'),
        speechEnded: () => void heard.push('ended'),
        answerTold: (_station, report, became) => void told.push([report.turn_id, became]),
        handle: async ({ text }) => {
          handled.push(text);
          return answer;
        },
      },
    });
    await loop.start();
  });

  const hear = (atMs: number): void =>
    frame({ pcm: new Int16Array(320), arrivedAtMs: atMs, gapBefore: false });
  const settled = () => new Promise((resolve) => setImmediate(resolve));

  it('hands sound to the recogniser, and an utterance to its station', async () => {
    hear(nowMs);
    final(transcript);
    await settled();
    expect([accepted, handled]).toEqual([1, ['read the temperature']]);
  });

  it('tells the session of noise, of a known word and of quiet, each once', () => {
    for (const text of ['[unk]', '[unk] [unk]', '[unk] stop', '[unk] stop the', '', '']) partial(text);
    expect(heard).toEqual(['started', 'keyword', 'ended']);
    expect(loop.hearing).toBe(false);
  });

  it('sleeps through one noise, and wakes at what is heard after 300 ms of quiet', () => {
    partial('[unk]');
    loop.sleep();
    expect([heard, loop.health().detail]).toEqual([['started', 'rest'], 'asleep']);
    partial('');
    nowMs += 299;
    partial('[unk]');
    expect([heard, loop.health().detail]).toEqual([['started', 'rest', 'ended'], 'asleep']);
    partial('');
    nowMs += 300;
    partial('[unk]');
    expect([heard.at(-1), loop.health().detail]).toEqual(['started', 'listening']);
  });

  it('hears a known word in the noise that it sleeps through, and hands it on', async () => {
    partial('[unk]');
    loop.sleep();
    partial('');
    partial('[unk] stop');
    expect(heard.slice(-2)).toEqual(['started', 'keyword']);
    final({ ...transcript, text: '[unk] stop' });
    await settled();
    expect(handled).toEqual(['[unk] stop']);
  });

  it('never sleeps in the middle of words, and cuts them when it is told to', () => {
    partial('read the');
    loop.sleep();
    expect(heard).toEqual(['started', 'keyword']);
    loop.cut();
    expect(heard.at(-1)).toBe('cut');
  });

  it('is deaf while it speaks and until the echo has died away', async () => {
    final(transcript);
    await settled();
    hear(nowMs);
    expect(accepted).toBe(0);
    final({ ...transcript, text: 'machine twelve temperature is' });
    endOfSound();
    await settled();
    hear(nowMs + 299);
    expect(accepted).toBe(0);
    hear(nowMs + 300);
    expect(accepted).toBe(1);
    expect(handled).toEqual(['read the temperature']);
    expect(discarded).toBe(2);
  });

  it('tells the station that its answer was heard when its sound has ended, and not before', async () => {
    final(transcript);
    await settled();
    expect(told).toEqual([]);
    endOfSound();
    await settled();
    expect(told).toEqual([['tr_1', { heard: true }]]);
  });

  it.each([
    ['cannot be said', () => endOfSound(new Error('no such device')), /no such device/u],
    ['is kept as a file', () => endOfSound({ kind: 'kept', file: 'a.wav' }), /no speaker/u],
    ['is cut short', () => announcer.silence(), /silenced/u],
  ] as const)('tells it that nobody has heard to its end what %s', async (_how, end, why) => {
    final(transcript);
    await settled();
    end();
    endOfSound(new Error('it was ended'));
    await settled();
    expect(told).toEqual([['tr_1', { heard: false, why: expect.stringMatching(why) }]]);
  });

  it('nor what gave way to others, or came so late that something else was said in its place', async () => {
    const say = (text: string) => void announcer.announce({ text, language: 'en', priority: 'high' });
    answer = { ...report, readings: [READING] };
    final(transcript);
    say('There is an alarm.');
    await settled();
    nowMs += 5_000;
    endOfSound();
    await settled();
    endOfSound();
    await settled();
    final(transcript);
    say('There is an alarm.');
    await settled();
    for (let nth = 0; nth < QUEUE_CAPACITY; nth += 1) say('There is another alarm.');
    await settled();
    expect(told).toEqual([
      ['tr_1', { heard: false, why: expect.stringMatching(/too late/u) }],
      ['tr_1', { heard: false, why: expect.stringMatching(/gave way/u) }],
    ]);
  });

  it('knows that somebody speaks from known words on, until they end or come to nothing', () => {
    partial('[unk]');
    expect(loop.hearing).toBe(false);
    partial('[unk] read');
    expect(loop.hearing).toBe(true);
    partial('');
    expect(loop.hearing).toBe(false);
    partial('read the');
    final(transcript);
    expect(loop.hearing).toBe(false);
  });

  it('counts what it kept silent about', async () => {
    answer = undefined;
    final({ ...transcript, text: '[unk]' });
    await settled();
    expect(loop.health().figures).toEqual({ turns: 0, ignored: 1 });
  });
});
