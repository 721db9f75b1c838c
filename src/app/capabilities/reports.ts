import { z } from 'zod';
import type { Period } from '../../domain/history/period.ts';
import type { JsonObject } from '../../domain/json.ts';
import { EdgeError, isEdgeError, messageOf } from '../../runtime/edge-error.ts';
import type { Logger } from '../../runtime/logger.ts';
import { nearest } from '../../runtime/nearest.ts';
import type { Capability } from '../../tooling/capability.ts';
import {
  REPORT_FORMATS,
  type ReportDraft,
  type ReportFile,
  type ReportStore,
} from '../ports/report-store.ts';

const MAX_CHUNK_CHARACTERS = 90_000;
const MAX_DRAFTS = 4;

const kind = z.string().regex(/^[a-z][a-z-]{0,30}$/u, 'one lower-case word');
const file = z.string().min(1).max(200);

const saveSchema = z.union([
  z.strictObject({
    begin: z.strictObject({ kind, title: z.string().max(200), format: z.enum(REPORT_FORMATS) }),
  }),
  z.strictObject({ append: z.base64().max(MAX_CHUNK_CHARACTERS) }),
  z.strictObject({ commit: z.literal(true) }),
  z.strictObject({ discard: z.literal(true) }),
]);

/**
 * Writes a report in pieces: `begin`, `append` (base64, at most 90,000 characters a piece), `commit`, which gives the file,
 * or `discard`. One at a time for each call; a call that is cancelled leaves nothing behind.
 */
export function filesSave(parts: {
  readonly reports: ReportStore;
  readonly logger: Logger;
}): Capability<z.infer<typeof saveSchema>> {
  const drafts = new Map<string, ReportDraft>();
  const drop = async (callId: string): Promise<void> => {
    const draft = drafts.get(callId);
    drafts.delete(callId);
    await draft?.discard();
  };
  const dropLater = (callId: string): void => {
    drop(callId).catch((error: unknown) => {
      parts.logger.warn({ error: messageOf(error) }, 'a report that was cancelled could not be removed');
    });
  };
  const draftOf = (callId: string): ReportDraft => {
    const draft = drafts.get(callId);
    if (draft === undefined) throw new EdgeError('INPUT_INVALID', 'no report was begun');
    return draft;
  };
  return {
    name: 'files.save',
    args: saveSchema,
    run: async (args, { call, signal }) => {
      const { callId } = call;
      signal.throwIfAborted();
      if ('begin' in args) {
        await drop(callId);
        // A handler that died while it wrote is not heard of again: the oldest gives way.
        const [oldest] = drafts.keys();
        if (drafts.size >= MAX_DRAFTS && oldest !== undefined) await drop(oldest);
        const key = `${call.idempotencyKey} ${args.begin.format}`;
        drafts.set(callId, await parts.reports.begin({ ...args.begin, key }));
        signal.addEventListener('abort', () => dropLater(callId), { once: true });
        if (signal.aborted) await drop(callId);
        signal.throwIfAborted();
        return { begun: true };
      }
      if ('append' in args) {
        await draftOf(callId).append(Buffer.from(args.append, 'base64'));
        return { appended: true };
      }
      if ('discard' in args) {
        await drop(callId);
        return { discarded: true };
      }
      const draft = draftOf(callId);
      drafts.delete(callId);
      const saved = await draft.commit();
      // Cancelled while it was put in place: nobody asked for it any more.
      if (signal.aborted) await parts.reports.remove(saved.file);
      signal.throwIfAborted();
      return fileJson(saved);
    },
  };
}

const removeSchema = z.strictObject({ file });

/** Removes a report: `{ removed }`, false when there was none of that name. */
export function filesRemove(parts: {
  readonly reports: ReportStore;
}): Capability<z.infer<typeof removeSchema>> {
  return {
    name: 'files.remove',
    args: removeSchema,
    run: async (args) => ({ removed: await parts.reports.remove(args.file) }),
  };
}

const readSchema = z.union([
  z.strictObject({ file }),
  z.strictObject({
    find: z.strictObject({
      kind: kind.optional(),
      period: z.string().trim().min(1).max(200).optional(),
      limit: z.int().min(1).max(50).default(10),
    }),
  }),
]);

/** What is known of one report by its name, or of the newest of a kind and a period: `{ files }`. */
export function filesRead(parts: {
  readonly reports: ReportStore;
  readonly periodOf: (words: string) => Period;
}): Capability<z.infer<typeof readSchema>> {
  return {
    name: 'files.read',
    args: readSchema,
    run: async (args) => {
      if ('file' in args) {
        const found = await parts.reports.info(args.file);
        if (found !== undefined) return { files: [fileJson(found)] };
        const names = (await parts.reports.find({ limit: 50 })).map((report) => report.file);
        const like = nearest(args.file, names);
        throw new EdgeError(
          'INPUT_INVALID',
          `file: there is no report "${args.file}".${like === undefined ? '' : ` Did you mean "${like}"?`}`,
        );
      }
      const { kind: wanted, period, limit } = args.find;
      const range = period === undefined ? undefined : parts.periodOf(period);
      const files = await parts.reports.find({
        kind: wanted,
        fromMs: range?.fromMs,
        toMs: range?.toMs,
        limit,
      });
      return {
        files: files.map(fileJson),
        period:
          range === undefined
            ? null
            : { from: new Date(range.fromMs).toISOString(), to: new Date(range.toMs).toISOString() },
      };
    },
  };
}

function fileJson({ file: name, kind: about, title, format, bytes, created_at }: ReportFile): JsonObject {
  return { file: name, kind: about, title, format, bytes, created_at };
}

/** Words for a period, as an error of the argument when they name none. */
export function periodArgument(parse: (words: string) => Period): (words: string) => Period {
  return (words) => {
    try {
      return parse(words);
    } catch (error) {
      if (!isEdgeError(error, 'PERIOD_UNKNOWN')) throw error;
      throw new EdgeError('INPUT_INVALID', `period: ${error.message}`, {
        cause: error,
        ...(error.hint === undefined ? {} : { hint: error.hint }),
      });
    }
  };
}
