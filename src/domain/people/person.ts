import { z } from 'zod';
import { didYouMean } from '../../runtime/nearest.ts';
import { ROLES } from '../tool/tool-call.ts';
import { DATA_SCOPES } from '../tool/tool-contract.ts';

const name = z.string().trim().min(1).max(80);
const names = z.array(name).max(20);

/** Somebody of the site, as the directory file lists them. */
export const personSchema = z.strictObject({
  /** Stays the same when the name changes, such as `zhang-wei@maintenance`. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9._@-]*$/u, 'lower-case letters, digits, ".", "_", "@" and "-"')
    .max(64),
  names: z.strictObject({ en: name, zh: name }),
  /** Other names that they are called by. */
  also: z.strictObject({ en: names, zh: names }),
  /** What they are, as it is said beside the name: `engineer`, 工程师. */
  title: z.strictObject({ en: name.optional(), zh: name.optional() }),
  email: z.email('an e-mail address').max(254).optional(),
  role: z.enum(ROLES),
  /** The data that they may reach, whatever their role; all of it where nothing is said. */
  scope: z
    .array(
      z.enum(DATA_SCOPES, {
        error: ({ input }) =>
          `"${input}" is no data scope: ${DATA_SCOPES.join(', ')}.${didYouMean(String(input), DATA_SCOPES)}`,
      }),
    )
    .min(1)
    .max(DATA_SCOPES.length)
    .optional(),
  /** Number of the badge. */
  badge: z.string().trim().min(1).max(64).optional(),
});

export type Person = z.infer<typeof personSchema>;
