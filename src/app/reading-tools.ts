import { z } from 'zod';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import { messageOf } from '../runtime/edge-error.ts';
import { issuesText } from '../runtime/issues-text.ts';
import { didYouMean } from '../runtime/nearest.ts';
import type { Audit } from './ports/audit.ts';
import type { ToolReply } from './ports/inbound.ts';
import { readPoints } from './read-value.ts';
import type { TurnParts } from './turn.ts';

const readValueSchema = z.strictObject({ machine: z.string(), point: z.string() });
const machineStatusSchema = z.strictObject({ machine: z.string() });

const MAX_AUDITED_CHARACTERS = 500;

type Parts = Pick<TurnParts, 'plant' | 'reader' | 'clocks'> & { readonly audit: Audit };

/** The tools that may be called by name from outside: all of them only read. */
export class ReadingTools {
  readonly #parts: Parts;
  readonly #tools: Readonly<Record<string, (args: unknown) => Promise<ToolReply>>>;

  constructor(parts: Parts) {
    this.#parts = parts;
    this.#tools = {
      'read-value': (args) => this.#readValue(args),
      'machine-status': (args) => this.#machineStatus(args),
    };
  }

  /** Never rejects: what goes wrong is in the reply. Every call is audited. */
  async call(tool: string, args: unknown): Promise<ToolReply> {
    const run = Object.hasOwn(this.#tools, tool) ? this.#tools[tool] : undefined;
    const reply = await (run === undefined ? Promise.resolve(this.#unknownTool(tool)) : run(args)).catch(
      (error: unknown): ToolReply => ({
        ok: false,
        error: { code: 'TOOL_FAILED', message: messageOf(error) },
      }),
    );
    try {
      await this.#parts.audit.append('tool.called', {
        tool,
        arguments: bounded(args),
        ok: reply.ok,
        ...(reply.ok ? {} : { code: reply.error.code }),
      });
      return reply;
    } catch (error) {
      return { ok: false, error: { code: 'TOOL_FAILED', message: messageOf(error) } };
    }
  }

  async #readValue(args: unknown): Promise<ToolReply> {
    const parsed = readValueSchema.safeParse(args);
    if (!parsed.success) return invalid(issuesText(parsed.error));
    const { machine, point } = parsed.data;
    const found = this.#parts.plant.machine(machine);
    if (found === undefined) return this.#unknownMachine(machine);
    if (!found.points.has(point))
      return invalid(`${machine} has no point "${point}".${didYouMean(point, [...found.points.keys()])}`);
    const [result] = await readPoints([{ machine, point }], this.#parts);
    return { ok: true, result: { ...result?.report } };
  }

  async #machineStatus(args: unknown): Promise<ToolReply> {
    const parsed = machineStatusSchema.safeParse(args);
    if (!parsed.success) return invalid(issuesText(parsed.error));
    const { machine } = parsed.data;
    const found = this.#parts.plant.machine(machine);
    if (found === undefined) return this.#unknownMachine(machine);
    const refs = [...found.points.keys()].map((point) => ({ machine, point }));
    const results = await readPoints(refs, this.#parts);
    return { ok: true, result: { machine, points: results.map(({ report }) => report) } };
  }

  #unknownMachine(machine: string): ToolReply {
    return invalid(`there is no machine "${machine}".${didYouMean(machine, machineIds(this.#parts.plant))}`);
  }

  #unknownTool(tool: string): ToolReply {
    const names = Object.keys(this.#tools);
    const message = `there is no tool "${tool}" here: ${names.join(', ')}.${didYouMean(tool, names)}`;
    return { ok: false, error: { code: 'UNKNOWN_TOOL', message } };
  }
}

function machineIds(plant: PlantModel): string[] {
  return [...plant.machines.keys()];
}

/** Arguments come from outside: what is kept of them for ever stays small. */
function bounded(args: unknown): unknown {
  const bytes = JSON.stringify(args ?? null).length;
  return bytes <= MAX_AUDITED_CHARACTERS ? args : { omitted_characters: bytes };
}

function invalid(message: string): ToolReply {
  return { ok: false, error: { code: 'INPUT_INVALID', message } };
}
