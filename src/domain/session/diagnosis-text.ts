import { z } from 'zod';
import type { JsonObject } from '../json.ts';
import type { Language } from '../language/language.ts';

const words = z.object({ en: z.string().nullable(), zh: z.string().nullable() });
const diagnosisSchema = z.object({
  machine: z.string(),
  findings: z.array(words),
  events: z.array(words.extend({ at: z.string() })),
});

/** The evidence in the result of a diagnosis, one piece a sentence; of a result in another form its JSON. */
export function diagnosisText(result: JsonObject, language: Language): string {
  const { success, data } = diagnosisSchema.safeParse(result);
  if (!success) return JSON.stringify(result);
  const end = language === 'zh' ? '。' : '. ';
  const of = (piece: z.infer<typeof words>): string => piece[language] ?? piece.en ?? piece.zh ?? '';
  return [
    data.machine,
    ...data.findings.map(of),
    ...data.events.map((event) => `${event.at} ${of(event)}`.trim()),
  ]
    .join(end)
    .concat(end)
    .trim();
}
