declare module 'node-record-lpcm16' {
  import type { ChildProcess } from 'node:child_process';
  import type { Readable } from 'node:stream';

  interface RecordOptions {
    readonly sampleRate?: number;
    readonly channels?: number;
    readonly audioType?: 'wav' | 'raw';
    /** `arecord`, `rec`, `sox`, or the absolute path of a CommonJS module that makes the command. */
    readonly recorder?: string;
    readonly device?: string;
    /** Whatever else the recorder module reads. */
    readonly [extra: string]: unknown;
  }

  interface Recording {
    readonly process: ChildProcess;
    stream(): Readable;
    stop(): void;
  }

  const recorder: { record(options: RecordOptions): Recording };
  export = recorder;
}
