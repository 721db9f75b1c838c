import { z } from 'zod';
import { EdgeError, isEdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { HistoryAnswers } from '../history/history-answers.ts';
import { asJson } from './as-json.ts';

const name = z.string().min(1).max(100);
const argsSchema = z.strictObject({
  machine: name,
  /** All points of the machine without it. */
  point: name.optional(),
  period: z.string().trim().min(1).max(200),
  /** The values themselves too, of one point; `after` is the `next` of the page before. */
  samples: z.strictObject({ limit: z.int().min(1).max(1000), after: z.int().optional() }).optional(),
});

/** What was recorded of a point, or of all points of a machine: `{ reports }`, with `samples` also `{ samples, next }`. */
export function historyOver(parts: {
  /** Undefined where history is switched off. */
  readonly answers: Pick<HistoryAnswers, 'over' | 'samplesOver'> | undefined;
}): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'history.over',
    args: argsSchema,
    run: async ({ machine, point, period, samples }) => {
      const { answers } = parts;
      if (answers === undefined)
        throw new EdgeError('TOOL_UNAVAILABLE', 'no history is kept at this site', {
          hint: 'set history.enabled in the configuration',
        });
      try {
        const reports = (await answers.over(machine, point, period)).map(asJson);
        if (samples === undefined) return { reports };
        if (point === undefined)
          throw new EdgeError('INPUT_INVALID', 'point: the values of one point at a time');
        const page = await answers.samplesOver(machine, point, period, samples.limit, samples.after);
        return { reports, samples: page.samples.map(asJson), next: page.next ?? null };
      } catch (error) {
        if (isEdgeError(error, 'PERIOD_UNKNOWN'))
          throw new EdgeError('INPUT_INVALID', `period: ${error.message}`, {
            cause: error,
            ...(error.hint === undefined ? {} : { hint: error.hint }),
          });
        throw error;
      }
    },
  };
}
