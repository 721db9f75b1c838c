import { z } from 'zod';
import { turnReportSchema } from '../../src/app/turn-report.ts';

/** What `assistant-child.ts` is started with. */
export const assistantSettingSchema = z.object({
  plant: z.string(),
  config: z.record(z.string(), z.unknown()),
  directory: z.string(),
  packs: z.string(),
  /** Whether turns begin before the tools are tested. */
  isUntested: z.boolean(),
});
export type AssistantSetting = z.infer<typeof assistantSettingSchema>;

/** One turn of a station. */
export const assistantTurnSchema = z.object({ turn: z.int(), station: z.string(), text: z.string() });

/** What it says on stdout. */
export const assistantSaidSchema = z.discriminatedUnion('kind', [
  z.object({ kind: z.literal('ready') }),
  z.object({ kind: z.literal('report'), turn: z.int(), report: turnReportSchema }),
  z.object({ kind: z.literal('told'), told: z.string() }),
]);
export type AssistantSaid = z.infer<typeof assistantSaidSchema>;
