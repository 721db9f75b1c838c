/**
 * In: audio frames, grammars, discards. Out: partial texts and transcripts. The daemon wires it between the
 * microphone and `app/handle-utterance`. libvosk runs in a child (worker.ts) that is watched, killed when it hangs or
 * grows, and started again with the same grammar.
 */
import type { AudioFrame } from '../../app/ports/microphone.ts';
import type { Recogniser, Transcript } from '../../app/ports/recogniser.ts';
import { backoffMs } from '../../runtime/backoff.ts';
import type { Cancel, Clocks, Scheduler } from '../../runtime/clocks.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import type { Health, Unsubscribe } from '../../runtime/service.ts';
import { AudioBacklog } from './audio-backlog.ts';
import { Requests } from './requests.ts';
import { checkModel, findLibvosk } from './voice-files.ts';
import { ownWorkerCommand, type WorkerCommand } from './worker-command.ts';
import type { WorkerMessage } from './worker-messages.ts';
import { WorkerProcess } from './worker-process.ts';

export interface VoskRecogniserOptions {
  /** Folder of a Vosk model whose graph takes grammars. */
  readonly model: string;
  /** `auto` for the libvosk that npm's `vosk` brings (Linux on x86-64), or the path of one. */
  readonly libvosk: string;
  /** Speech longer than this is cut. Default 15 s. */
  readonly maxUtteranceMs?: number;
  /** Audio that may wait for a child that is busy or being started; over it the oldest goes. Default 3 s. */
  readonly backlogMs?: number;
  /** A child that makes no progress for this long is killed. Default 5 s. */
  readonly hangMs?: number;
  /** Loading the library and the model may take this long. Default 30 s. */
  readonly startMs?: number;
  /** Resident memory of the child at which it is replaced between utterances, at five quarters at once. Default 400. */
  readonly memoryLimitMb?: number;
  /** Replaces the way the child is started. */
  readonly workerCommand?: WorkerCommand;
}

export interface RecogniserContext {
  readonly logger: Logger;
  readonly clocks: Clocks;
  readonly scheduler: Scheduler;
}

const WATCH_EVERY_MS = 250;
const MEMORY_EVERY_MS = 1_000;
const IN_FLIGHT_MS = 500;
const BACKOFF = { baseMs: 200, maxMs: 15_000 };
/** A child that lived this long has earned a quick restart. */
const STEADY_AFTER_MS = 30_000;
const FILES_ARE_WRONG = new Set(['LIBVOSK_BROKEN', 'VOICE_MODEL_BROKEN']);

interface GrammarAnswer {
  readonly failed: boolean;
  readonly refused: readonly string[];
}

export class VoskRecogniser implements Recogniser {
  readonly name = 'recogniser';
  readonly #options: Required<Omit<VoskRecogniserOptions, 'workerCommand'>>;
  readonly #command: WorkerCommand;
  readonly #logger: Logger;
  readonly #clocks: Clocks;
  readonly #scheduler: Scheduler;
  readonly #backlog: AudioBacklog;
  readonly #partialListeners = new Set<(text: string) => void>();
  readonly #finalListeners = new Set<(transcript: Transcript) => void>();
  readonly #grammarRequests = new Requests<GrammarAnswer>();
  readonly #knownRequests = new Requests<ReadonlySet<string>>();
  #libvoskPath = '';
  #worker: WorkerProcess | undefined;
  #state: 'off' | 'starting' | 'ready' | 'waiting' = 'off';
  #phrases: readonly string[] | undefined;
  #partial = '';
  #failure: EdgeError | undefined;
  #downWhy = '';
  #attempt = 0;
  #spawnedAtMs = 0;
  #progressAtMs = 0;
  #memoryAtMs = 0;
  #residentMb = 0;
  #droppedMsAtWatch = 0;
  #droppedAtMs = Number.NEGATIVE_INFINITY;
  #restarts = 0;
  #interrupted = 0;
  #cancelTimers = new Set<Cancel>();
  #firstOutcome: (() => void) | undefined;
  #gone: (() => void) | undefined;

  constructor(options: VoskRecogniserOptions, context: RecogniserContext) {
    const { workerCommand, ...given } = options;
    this.#options = {
      maxUtteranceMs: 15_000,
      backlogMs: 3_000,
      hangMs: 5_000,
      startMs: 30_000,
      memoryLimitMb: 400,
      ...given,
    };
    this.#command = workerCommand ?? ownWorkerCommand();
    this.#logger = context.logger.child({ part: this.name });
    this.#clocks = context.clocks;
    this.#scheduler = context.scheduler;
    this.#backlog = new AudioBacklog({ maxQueuedMs: this.#options.backlogMs, maxInFlightMs: IN_FLIGHT_MS });
  }

  /**
   * Resolves when the child listens, or after its first failure, which is then tried again. Rejects only when the
   * files are wrong: LIBVOSK_MISSING, LIBVOSK_WRONG_ARCHITECTURE, LIBVOSK_NOT_A_LIBRARY, LIBVOSK_BROKEN,
   * VOICE_MODEL_MISSING, VOICE_MODEL_FIXED, VOICE_MODEL_BROKEN.
   */
  async start(signal: AbortSignal): Promise<void> {
    signal.throwIfAborted();
    this.#libvoskPath = await findLibvosk(this.#options.libvosk);
    await checkModel(this.#options.model);
    signal.throwIfAborted();
    const outcome = new Promise<void>((resolve) => {
      this.#firstOutcome = resolve;
    });
    this.#spawn();
    this.#watch();
    await outcome;
    const failure = this.#failure;
    if (failure !== undefined && FILES_ARE_WRONG.has(failure.code)) {
      await this.stop(1_000);
      throw failure;
    }
  }

  async stop(deadlineMs: number): Promise<void> {
    this.#state = 'off';
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
    this.#rejectQuestions();
    const worker = this.#worker;
    if (worker === undefined) return;
    const gone = new Promise<void>((resolve) => {
      this.#gone = resolve;
    });
    worker.close();
    this.#after(deadlineMs / 2, () => worker.kill('it did not end in time'));
    await gone;
    for (const cancel of this.#cancelTimers) cancel();
    this.#cancelTimers.clear();
  }

  health(): Health {
    return {
      ...this.#status(),
      figures: {
        restarts: this.#restarts,
        interrupted_utterances: this.#interrupted,
        dropped_audio_ms: this.#backlog.droppedMs,
        backlog_ms: this.#backlog.queuedMs,
        child_rss_mb: Math.round(this.#residentMb),
      },
    };
  }

  accept(frame: AudioFrame): void {
    if (this.#state === 'off') return;
    this.#backlog.pushAudio(frame.pcm, frame.gapBefore);
    this.#pump();
  }

  discard(): void {
    this.#tellPartial('');
    // A child that is not there has heard nothing, and what it would have heard is forgotten.
    this.#backlog.pushControl({ kind: 'discard' });
    this.#pump();
  }

  rest(): void {
    this.#tell({ kind: 'rest' });
  }

  cut(): void {
    this.#tell({ kind: 'cut' });
  }

  /** A child that is not there has heard nothing. */
  #tell(frame: { readonly kind: 'rest' | 'cut' }): void {
    if (this.#state !== 'ready') return;
    this.#backlog.pushControl(frame);
    this.#pump();
  }

  onPartial(listener: (text: string) => void): Unsubscribe {
    this.#partialListeners.add(listener);
    return () => this.#partialListeners.delete(listener);
  }

  onFinal(listener: (transcript: Transcript) => void): Unsubscribe {
    this.#finalListeners.add(listener);
    return () => this.#finalListeners.delete(listener);
  }

  knownWords(words: readonly string[]): Promise<ReadonlySet<string>> {
    if (this.#state !== 'ready') return Promise.reject(this.#downError());
    return this.#knownRequests.ask((id) => {
      this.#control({ kind: 'knownWords', id, items: words });
    });
  }

  /**
   * Resolves when the child has taken the grammar, or at once when there is none: the next child begins with it.
   * Phrases with a word that the model does not know are left out and logged. Rejects with GRAMMAR_REFUSED.
   */
  async setGrammar(phrases: readonly string[]): Promise<void> {
    this.#phrases = phrases;
    if (this.#state !== 'ready') return;
    const answer = await this.#sendGrammar(phrases);
    if (answer.failed)
      throw new EdgeError('GRAMMAR_REFUSED', `libvosk refuses a grammar of ${phrases.length} phrases`);
  }

  #sendGrammar(phrases: readonly string[]): Promise<GrammarAnswer> {
    return this.#grammarRequests.ask((id) => {
      this.#control({ kind: 'grammar', id, items: phrases });
    });
  }

  #control(frame: Parameters<AudioBacklog['pushControl']>[0]): void {
    // The limit for an answer begins now when nothing else was under way.
    if (!this.#outstanding()) this.#progressAtMs = this.#clocks.monotonicMs();
    this.#backlog.pushControl(frame);
    this.#pump();
  }

  #pump(): void {
    if (this.#state !== 'ready') return;
    if (!this.#outstanding()) this.#progressAtMs = this.#clocks.monotonicMs();
    for (let next = this.#backlog.shift(); next !== undefined; next = this.#backlog.shift())
      this.#worker?.send(next);
  }

  #outstanding(): boolean {
    return this.#backlog.inFlight || this.#grammarRequests.size + this.#knownRequests.size > 0;
  }

  #spawn(): void {
    const { model, maxUtteranceMs } = this.#options;
    this.#state = 'starting';
    this.#failure = undefined;
    this.#spawnedAtMs = this.#clocks.monotonicMs();
    this.#progressAtMs = this.#spawnedAtMs;
    this.#worker = new WorkerProcess(this.#command, [this.#libvoskPath, model, String(maxUtteranceMs)], {
      onMessage: (message) => this.#onMessage(message),
      onExit: (why) => this.#onExit(why),
    });
  }

  #onMessage(message: WorkerMessage): void {
    this.#progressAtMs = this.#clocks.monotonicMs();
    switch (message.type) {
      case 'ready':
        this.#onReady();
        return;
      case 'heard':
        this.#backlog.heard(message.samples);
        this.#pump();
        return;
      case 'partial':
        this.#tellPartial(message.text);
        return;
      case 'final': {
        this.#partial = '';
        const text = message.words.map((word) => word.text).join(' ');
        const { words, audioLost, cut, snrDb, endpointAtMs } = message;
        for (const listener of this.#finalListeners)
          listener({ text, words, audioLost, cut, snrDb, endpointAtMs });
        return;
      }
      case 'grammar':
        if (message.refused.length > 0)
          this.#logger.warn(
            { phrases: message.refused.slice(0, 20) },
            'phrases hold words the voice model lacks',
          );
        this.#grammarRequests.answer(message.id, message);
        return;
      case 'known':
        this.#knownRequests.answer(message.id, new Set(message.words));
        return;
      case 'failed':
        this.#failure = new EdgeError(message.code, message.message, {
          retry: 'safe',
          hint: 'Fetch the library or the model again with scripts/fetch-voice-model.',
        });
    }
  }

  #onReady(): void {
    this.#state = 'ready';
    this.#logger.info({ model: this.#options.model, pid: this.#worker?.pid }, 'the recogniser listens');
    if (this.#phrases !== undefined) {
      // Its answer is logged by #onMessage; a child that cannot take the grammar ends by itself.
      this.#worker?.send({ kind: 'grammar', id: 0, items: this.#phrases });
    }
    this.#pump();
    this.#settleStart();
  }

  #onExit(why: string): void {
    const complaint = this.#worker?.complaint ?? '';
    this.#worker = undefined;
    this.#gone?.();
    if (this.#state === 'off') return;
    this.#downWhy = this.#failure?.message ?? why;
    this.#state = 'waiting';
    if (this.#partial !== '') this.#interrupted += 1;
    this.#tellPartial('');
    this.#backlog.childGone();
    this.#rejectQuestions();
    if (this.#clocks.monotonicMs() - this.#spawnedAtMs > STEADY_AFTER_MS) this.#attempt = 0;
    const delayMs = backoffMs(this.#attempt, BACKOFF);
    this.#attempt += 1;
    this.#logger.warn(
      { why: this.#downWhy, complaint, delayMs },
      'the recogniser has gone and will be started again',
    );
    this.#after(delayMs, () => {
      this.#restarts += 1;
      this.#spawn();
    });
    this.#settleStart();
  }

  #settleStart(): void {
    this.#firstOutcome?.();
    this.#firstOutcome = undefined;
  }

  /** A grammar on its way is kept for the next child; a question is not. */
  #rejectQuestions(): void {
    this.#grammarRequests.endAll((open) => open.resolve({ failed: false, refused: [] }));
    this.#knownRequests.endAll((open) => open.reject(this.#downError()));
  }

  #downError(): EdgeError {
    return new EdgeError(
      'RECOGNISER_DOWN',
      `the recogniser does not listen: ${this.#downWhy || this.#state}`,
      {
        retry: 'safe',
      },
    );
  }

  #watch(): void {
    this.#after(WATCH_EVERY_MS, () => {
      const nowMs = this.#clocks.monotonicMs();
      if (this.#backlog.droppedMs > this.#droppedMsAtWatch) this.#droppedAtMs = nowMs;
      this.#droppedMsAtWatch = this.#backlog.droppedMs;
      const stillMs = nowMs - this.#progressAtMs;
      const { hangMs, startMs } = this.#options;
      if (this.#state === 'starting' && stillMs > startMs)
        this.#worker?.kill(`it was not ready in ${startMs} ms`);
      if (this.#state === 'ready' && this.#outstanding() && stillMs > hangMs)
        this.#worker?.kill(`it made no progress in ${hangMs} ms`);
      if (nowMs - this.#memoryAtMs >= MEMORY_EVERY_MS) {
        this.#memoryAtMs = nowMs;
        void this.#checkMemory();
      }
      this.#watch();
    });
  }

  async #checkMemory(): Promise<void> {
    const worker = this.#worker;
    const residentMb = await worker?.residentMb();
    if (residentMb === undefined || worker !== this.#worker) return;
    this.#residentMb = residentMb;
    const limitMb = this.#options.memoryLimitMb;
    if (residentMb > limitMb * 1.25 || (residentMb > limitMb && this.#partial === ''))
      worker?.kill(`it held ${Math.round(residentMb)} MB, over its limit of ${limitMb} MB`);
  }

  #tellPartial(text: string): void {
    if (text === this.#partial) return;
    this.#partial = text;
    for (const listener of this.#partialListeners) listener(text);
  }

  #after(delayMs: number, run: () => void): void {
    const cancel = this.#scheduler.after(delayMs, () => {
      this.#cancelTimers.delete(cancel);
      run();
    });
    this.#cancelTimers.add(cancel);
  }

  #status(): Pick<Health, 'status' | 'detail'> {
    switch (this.#state) {
      case 'off':
        return { status: 'off', detail: 'not started' };
      case 'starting':
        return this.#restarts === 0
          ? { status: 'starting', detail: `loading ${this.#options.model}` }
          : { status: 'down', detail: `being started again: ${this.#downWhy}` };
      case 'waiting':
        return { status: 'down', detail: `will be started again: ${this.#downWhy}` };
      case 'ready':
        return this.#clocks.monotonicMs() - this.#droppedAtMs < 10_000
          ? { status: 'degraded', detail: 'cannot keep up: audio was dropped in the last 10 s' }
          : { status: 'ok', detail: `listening with ${this.#options.model}` };
    }
  }
}
