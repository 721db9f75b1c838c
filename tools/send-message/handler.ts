import type { JsonValue } from '../../src/domain/json.ts';
import type { SayValue } from '../../src/domain/tool/say.ts';
import type { Handle, HandlerContext } from '../../src/tooling/handler-api.ts';
import { fault } from '../_shared/fault.ts';
import { isObject, objectsOf, optionalText, textOf, textsOf } from '../_shared/json.ts';

interface Recipient {
  readonly id: string;
  readonly names: { readonly kind: 'text'; readonly en: string; readonly zh: string };
}

export const handle: Handle = async (args, context) => {
  const wanted = textsOf(args['to']);
  if (wanted.length === 0) throw fault('INPUT_INVALID', 'to: name at least one person');
  const recipients: Recipient[] = [];
  for (const name of wanted) recipients.push(await recipient(name, context));
  const file = optionalText(args['file']);
  const text = optionalText(args['text']);
  if (file === undefined && text === undefined)
    throw fault('INPUT_INVALID', 'text: there is nothing to send: give a text or a file');
  const title = file === undefined ? undefined : await titleOf(file, context);
  const subject = optionalText(args['subject']) ?? title ?? 'Message 消息';
  const answer = await context.use('mail.send', {
    to: recipients.map(({ id }) => id),
    subject,
    text: text ?? `${subject}\n`,
    files: file === undefined ? [] : [file],
  });
  const outcome = isObject(answer) ? answer : {};
  const state = textOf(outcome['state'], 'the state of a message');
  if (state === 'refused' || state === 'expired')
    throw fault('INPUT_INVALID', `the mail server refuses it: ${optionalText(outcome['why']) ?? state}`, {
      say: [{ phrase: 'refused', values: { people: peopleWords(recipients) } }],
    });
  return {
    result: { to: recipients.map(({ id }) => id), state, file: file ?? null },
    say: [{ phrase: state === 'sent' ? 'sent' : 'waiting', values: { people: peopleWords(recipients) } }],
  };
};

/** One person for sure: a name that several have, or that is only like one, is asked about. */
async function recipient(name: string, { use }: HandlerContext): Promise<Recipient> {
  const found = await use('people.find', { name });
  if (!isObject(found)) throw new TypeError('people.find gave no answer');
  if (found['found'] === 'many') {
    const people = objectsOf(found['people'], 'people').map(recipientOf);
    throw fault('INPUT_INVALID', `to: 【${name}】 can be ${people.map(described).join(' or ')}`, {
      hint: `ask which one: ${people.map(({ id }) => id).join(', ')}`,
      say: [{ phrase: 'ask_which', values: { people: peopleWords(people) } }],
    });
  }
  if (found['found'] === 'none') {
    const nearest = optionalText(found['nearest']);
    throw fault('INPUT_INVALID', `to: nobody is called 【${name}】`, {
      ...(nearest === undefined ? {} : { hint: `did you mean "${nearest}"?` }),
      say: [{ phrase: 'nobody', values: { name } }],
    });
  }
  const person = recipientOf(found['person']);
  if (found['exact'] === true) return person;
  throw fault('INPUT_INVALID', `to: nobody is called 【${name}】`, {
    hint: `did you mean ${described(person)}?`,
    say: [{ phrase: 'ask_whether', values: { people: peopleWords([person]) } }],
  });
}

function recipientOf(person: JsonValue | undefined): Recipient {
  const names = isObject(person) && isObject(person['names']) ? person['names'] : {};
  return {
    id: textOf(isObject(person) ? person['id'] : undefined, 'the id of a person'),
    names: {
      kind: 'text',
      en: textOf(names['en'], 'the name of a person'),
      zh: textOf(names['zh'], 'the name of a person'),
    },
  };
}

function described({ id, names }: Recipient): string {
  return `${names.en} (${id})`;
}

function peopleWords(people: readonly Recipient[]): SayValue {
  return { kind: 'list', items: people.map(({ names }) => ({ phrase: 'person', values: { name: names } })) };
}

async function titleOf(file: string, { use }: HandlerContext): Promise<string> {
  const answer = await use('files.read', { file });
  const [found] = objectsOf(isObject(answer) ? answer['files'] : undefined, 'files');
  return textOf(found?.['title'], 'the title of a report');
}
