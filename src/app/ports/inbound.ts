import type { AlarmMessage } from '../../domain/alarm/alarm-event.ts';
import type { BadgeMessage } from '../../domain/gate/badge.ts';
import type { Language } from '../../domain/language/language.ts';

/** The outcome of a tool that was asked for by name. */
export type ToolReply =
  | { readonly ok: true; readonly result: Readonly<Record<string, unknown>> }
  | { readonly ok: false; readonly error: { readonly code: string; readonly message: string } };

/** What the outside may ask of the daemon, whichever way it comes in. */
export interface Inbound {
  /** Resolves when the event is safely kept; rejects when it could not be, so that the sender may send again. */
  alarm(source: string, name: string, message: AlarmMessage): Promise<void>;
  /** Runs a reading tool. Never rejects. */
  command(tool: string, args: unknown): Promise<ToolReply>;
  /** Queues a line to be spoken. */
  say(text: string, language: Language | undefined): void;
  /** A badge was read at a station. Rejects when it could not be put on record; then it counts for nothing. */
  badge(message: BadgeMessage): Promise<void>;
}
