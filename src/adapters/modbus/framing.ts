import type { Question } from './question.ts';

export type Inspection =
  | { readonly kind: 'incomplete' }
  /** `rtu` is the answer as on a serial line; it ends `size` bytes into what was received. */
  | { readonly kind: 'answer'; readonly rtu: Buffer; readonly size: number }
  /** Belongs to no question of ours. */
  | { readonly kind: 'stray'; readonly reason: string }
  /** Meant as the answer to the question, and does not fit it. */
  | { readonly kind: 'unfit'; readonly reason: string };

/** How requests and answers are told apart on a line: one for each connection, one question at a time. */
export interface Framing {
  /** From the form of a serial line, checksum included, to that of this line. */
  frame(rtu: Buffer): Buffer;

  /** Judges the bytes received since the question was framed, as soon as enough of them are there. */
  inspect(received: Buffer, question: Question): Inspection;
}
