import type { JsonObject } from '../../src/domain/json.ts';
import type { SayValue } from '../../src/domain/tool/say.ts';
import type { Handle } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, objectsOf, textOf, textsOf } from '../_shared/json.ts';

const STEPS_SAID = 3;
/** Diagnoses of the past that are named beside the procedures. */
const CASES = 2;

interface Text {
  readonly title: string;
  readonly steps: readonly string[];
}

export const handle: Handle = async (args, { use }) => {
  const topic = textOf(args['topic'], 'topic');
  const given = await use('procedures.find', { words: topic, limit: 3, reports: CASES });
  const answer = isObject(given) ? given : {};
  const found = objectsOf(answer['procedures'], 'procedures');
  const [best] = found;
  if (best === undefined)
    throw fault('INPUT_INVALID', `topic: no procedure is about "${topic}"`, {
      hint: 'procedures are Markdown files in the procedures directory',
      say: [{ phrase: 'none', values: {} }],
    });
  const { en, zh } = textsIn(best);
  const count = Math.max(en.steps.length, zh.steps.length);
  return {
    result: {
      procedure: textOf(best['id'], 'the id of a procedure'),
      title: en.title,
      steps: en.steps,
      steps_zh: zh.steps,
      ...versionIn(answer['version']),
      others: [
        ...found.slice(1).map((other) => textOf(other['id'], 'the id of a procedure')),
        ...casesIn(answer['reports']),
      ],
    },
    say: [
      { phrase: 'title', values: { title: { kind: 'text', en: en.title, zh: zh.title }, count } },
      ...Array.from({ length: Math.min(STEPS_SAID, count) }, (_, at) => ({
        phrase: 'step',
        values: { number: at + 1, text: stepWords(en.steps[at], zh.steps[at]) },
      })),
      ...(count > STEPS_SAID ? [{ phrase: 'more', values: { count: count - STEPS_SAID } }] : []),
    ],
  };
};

/** Nothing where procedures come from files without versions. */
function versionIn(version: JsonObject[string] | undefined): JsonObject {
  if (!isObject(version)) return {};
  return { version: textOf(version['commit'], 'the commit'), version_at: textOf(version['at'], 'its time') };
}

/** Confirmed diagnoses of the same words: machine, code, day and id of the report. */
function casesIn(reports: JsonObject[string] | undefined): readonly string[] {
  return objectsOf(reports ?? [], 'reports').map(({ machine, code, day, id }) =>
    [machine, code, day, id].filter((part) => typeof part === 'string').join(' '),
  );
}

/** A procedure that is written in one language only is read in that one. */
function textsIn(procedure: JsonObject): { readonly en: Text; readonly zh: Text } {
  const en = textIn(procedure['en']);
  const zh = textIn(procedure['zh']);
  const either = en ?? zh ?? { title: textOf(procedure['id'], 'the id of a procedure'), steps: [] };
  return { en: en ?? either, zh: zh ?? either };
}

function textIn(value: JsonObject[string] | undefined): Text | undefined {
  return isObject(value)
    ? { title: textOf(value['title'], 'the title'), steps: textsOf(value['steps']) }
    : undefined;
}

function stepWords(en: string | undefined, zh: string | undefined): SayValue {
  const sentence = (text: string): string => text.replace(/[.。]\s*$/u, '');
  return { kind: 'text', en: sentence(en ?? zh ?? ''), zh: sentence(zh ?? en ?? '') };
}
