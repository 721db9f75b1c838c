import { z } from 'zod';
import { jsonObjectSchema, jsonValueSchema } from '../domain/json.ts';
import { TOOL_ERROR_CODES } from '../domain/tool/tool-call.ts';
import { CAPABILITIES } from '../domain/tool/tool-contract.ts';

/** An answer of a capability that is an error. */
export const cannedFailureSchema = z.strictObject({
  fails: z.strictObject({ code: z.string().min(1), message: z.string().min(1), hint: z.string().optional() }),
});

const uses = z.partialRecord(z.enum(CAPABILITIES), z.array(jsonObjectSchema)).optional();

const testCaseSchema = z.strictObject({
  name: z.string().min(1),
  args: jsonObjectSchema.default({}),
  /** What each capability answers, in order; `{ fails: { code, message } }` is an error. Nothing else is in reach. */
  capabilities: z.partialRecord(z.enum(CAPABILITIES), z.array(jsonValueSchema)).default({}),
  expect: z.union([
    z.strictObject({
      /** The result has these fields with these values, and may have more. */
      ok: jsonObjectSchema,
      /** The keys of the phrases that are said, in order. */
      say: z.array(z.string()).optional(),
      /** What the handler asked of capabilities, in order: these arguments, and maybe more. */
      uses,
    }),
    z.strictObject({ code: z.enum(TOOL_ERROR_CODES), uses }),
  ]),
});
export type TestCase = z.infer<typeof testCaseSchema>;

/** `test-cases.json` of a tool pack. */
export const testCasesSchema = z
  .array(testCaseSchema)
  .min(1, 'a tool without test cases is not used')
  .max(200);
