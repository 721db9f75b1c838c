import { z } from 'zod';

const prose = z.string().trim().min(1).max(2000);

const reportTextSchema = z.strictObject({
  cause: prose,
  /** What was done about it, in its order. */
  done: z.array(prose).max(30),
});
export type ReportText = z.infer<typeof reportTextSchema>;

/** A diagnosis that a person has confirmed. Ids are what its file is called by, so they are plain. */
export const diagnosisReportSchema = z.strictObject({
  /** Equal for repeats of one confirmation: written twice, it is kept once. */
  id: z
    .string()
    .regex(/^[a-z0-9][a-z0-9-]*$/u, 'lower-case letters, digits and "-"')
    .max(80),
  machine: z
    .string()
    .regex(/^[\p{L}\p{N}][\p{L}\p{N}_-]*$/u, 'letters, digits, "_" and "-"')
    .max(80),
  /** Of the alarm or the event. */
  code: z.string().trim().min(1).max(80).optional(),
  /** Of the site's calendar. */
  day: z.iso.date(),
  /** ISO 8601. */
  at: z.iso.datetime({ offset: true }),
  session: z.string().min(1).max(100).optional(),
  /** The id of a person or a station; in the file a pseudonymous one. */
  confirmedBy: z.string().min(1).max(100),
  texts: z
    .strictObject({ en: reportTextSchema.optional(), zh: reportTextSchema.optional() })
    .refine(({ en, zh }) => en !== undefined || zh !== undefined, 'a text in English or Chinese'),
});
export type DiagnosisReport = z.infer<typeof diagnosisReportSchema>;
