import { z } from 'zod';
import type { JsonObject } from '../../domain/json.ts';
import type { Decoded } from '../../domain/plc/decode.ts';
import { findByName } from '../../domain/plc/find-by-name.ts';
import type { PlantModel, PlantPoint } from '../../domain/plc/plant-model.ts';
import type { PointValue } from '../../domain/plc/reading.ts';
import type { WriteOrder, WriteOutcome } from '../../domain/plc/writing/write-order.ts';
import type { ToolCall } from '../../domain/tool/tool-call.ts';
import { EdgeError } from '../../runtime/edge-error.ts';
import type { Capability } from '../../tooling/capability.ts';

const name = z.string().min(1).max(100);
const argsSchema = z.strictObject({
  machine: name,
  point: name,
  value: z.union([z.number(), z.boolean(), z.string().max(200)]),
});

const SWITCH_WORDS: Readonly<Record<string, boolean>> = {
  on: true,
  off: false,
  true: true,
  false: false,
  开: true,
  关: false,
};

interface Parts {
  readonly plant: PlantModel;
  readonly writer: { write(order: WriteOrder, signal?: AbortSignal): Promise<WriteOutcome> };
  /** Whether the call is an output that the site declared to be automatic, which acts unasked. */
  readonly isAutomatic: (call: ToolCall) => boolean;
}

/**
 * Writes one point through the writer of points, which checks, reads before and after, and keeps the audit. A person has
 * to have said yes to this very call: to the point, whose value they heard, and to a value that stands in the call.
 */
export function pointsWrite(parts: Parts): Capability<z.infer<typeof argsSchema>> {
  const { plant, writer } = parts;
  return {
    name: 'points.write',
    args: argsSchema,
    run: async (args, { call, signal }) => {
      const machine = findByName(args.machine, plant.machineList(), 'machine');
      const ref = { machine, point: findByName(args.point, plant.pointList(machine), `point of ${machine}`) };
      const point = plant.point(ref);
      if (point === undefined) throw new EdgeError('INPUT_INVALID', `there is no ${ref.point} of ${machine}`);
      const order = parts.isAutomatic(call) ? {} : consented(call, point, args.value);
      const outcome = await writer.write(
        {
          ref,
          value: valueMeant(point, args.value),
          by: (call.consent?.by ?? call.caller.station).slice(0, 200),
          because: `${call.tool} ${call.callId}`.slice(0, 200),
          ...order,
        },
        signal,
      );
      return reportOf(outcome);
    },
  };
}

function consented(call: ToolCall, point: PlantPoint, value: PointValue): Pick<WriteOrder, 'expected'> {
  const { consent } = call;
  if (consent === undefined)
    throw new EdgeError('NOT_CONFIRMED', `nobody confirmed that ${nameOf(point)} is written`);
  if (!Object.values(call.args).includes(value))
    throw new EdgeError('NOT_CONFIRMED', `${JSON.stringify(value)} is not what was confirmed`);
  const ground = consent.ground.find(
    (each) => each.machine === point.ref.machine && each.point === point.ref.point,
  );
  if (ground !== undefined) return { expected: ground.value };
  // Of a point that cannot be read nobody can say what it shows.
  if (point.access === 'write') return {};
  throw new EdgeError('NOT_CONFIRMED', `the value of ${nameOf(point)} was not read back before`);
}

/** Words for on and off stand for the value of a bit, unless its texts are these words. */
function valueMeant({ encoding, enumTexts }: PlantPoint, value: PointValue): PointValue {
  if (typeof value !== 'string' || encoding.type !== 'bool') return value;
  const isText = [...enumTexts.values()].some(({ en, zh }) => en === value || zh === value);
  const word = value.toLowerCase();
  return !isText && Object.hasOwn(SWITCH_WORDS, word) ? (SWITCH_WORDS[word] ?? value) : value;
}

function nameOf({ ref }: PlantPoint): string {
  return `${ref.machine}.${ref.point}`;
}

function reportOf(outcome: WriteOutcome): JsonObject {
  const { id, status, reason, ref, detail, asked, written, isRounded, isRecorded, condition } = outcome;
  return {
    id,
    ...ref,
    status,
    reason,
    detail,
    asked,
    written: written ?? null,
    before: goodValue(outcome.before),
    found: goodValue(outcome.found),
    is_rounded: isRounded,
    is_recorded: isRecorded,
    condition: condition === undefined ? null : condition.text,
  };
}

function goodValue(decoded: Decoded | undefined): PointValue | null {
  return decoded?.quality === 'good' ? decoded.value : null;
}
