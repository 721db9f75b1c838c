/**
 * A whole assistant that is talked to over stdin: a line with its setting, then one with a station and a text for each turn.
 * Says on stdout, a line each, that it is ready, what it answered and what it told unasked. Ends with its stdin, in order.
 */
import { writeSync } from 'node:fs';
import { createInterface } from 'node:readline';
import { type AssistantSaid, assistantSettingSchema, assistantTurnSchema } from './assistant-lines.ts';
import { startConversation } from './live-conversation.ts';

// Said is what has left the process: nothing of it may wait for a kill to come first.
const say = (line: AssistantSaid): void => void writeSync(1, `${JSON.stringify(line)}\n`);

const lines = createInterface({ input: process.stdin })[Symbol.asyncIterator]();
const first = await lines.next();
if (first.done !== true) {
  const { plant, config, directory, packs, isUntested } = assistantSettingSchema.parse(
    JSON.parse(first.value),
  );
  const conversation = await startConversation({
    plant,
    config,
    directory,
    packs,
    isUntested,
    onTold: (told) => say({ kind: 'told', told }),
  });
  conversation.assistant.ready();
  say({ kind: 'ready' });
  for (let line = await lines.next(); line.done !== true; line = await lines.next()) {
    const { turn, station, text } = assistantTurnSchema.parse(JSON.parse(line.value));
    void conversation.ask(text, station).then((report) => say({ kind: 'report', turn, report }));
  }
  await conversation.stop(true);
}
// What is called off need not be waited for.
process.exit();
