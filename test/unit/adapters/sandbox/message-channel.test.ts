import { duplexPair } from 'node:stream';
import { setImmediate as turn } from 'node:timers/promises';
import { describe, expect, it } from 'vitest';
import { MessageChannel } from '../../../../src/adapters/sandbox/message-channel.ts';
import type { JsonValue } from '../../../../src/domain/json.ts';
import { eventually } from '../../../support/eventually.ts';

class Heard {
  readonly messages: { readonly message: JsonValue; readonly payload: JsonValue | undefined }[] = [];
  readonly broken: { readonly why: string; readonly closed: boolean }[] = [];

  readonly events = {
    onMessage: (message: JsonValue, payload: JsonValue | undefined) =>
      this.messages.push({ message, payload }),
    onBroken: (why: string, closed: boolean) => this.broken.push({ why, closed }),
  };
}

/** A channel, what it hears, and the far end of its pipe. */
function channelAndPipe(maxPayloadBytes = 1_000_000) {
  const [near, far] = duplexPair();
  const heard = new Heard();
  return { channel: new MessageChannel(near, maxPayloadBytes, heard.events), heard, far };
}

describe('a channel of messages', () => {
  it('takes lines however the pipe cuts them, also inside a character', async () => {
    const { heard, far } = channelAndPipe();
    const bytes = Buffer.from('{"m":{"type":"use"},"v":"温度"}\n{"m":{"type":"end"}}\n');
    for (const byte of bytes) far.write(Buffer.of(byte));
    await eventually('both have come', () => heard.messages.length === 2);
    expect(heard.messages).toEqual([
      { message: { type: 'use' }, payload: '温度' },
      { message: { type: 'end' }, payload: undefined },
    ]);
  });

  it('carries payloads of every size, in the order in which they were sent', async () => {
    const [near, far] = duplexPair();
    const heard = new Heard();
    const sender = new MessageChannel(near, 1, new Heard().events);
    const receiver = new MessageChannel(far, 10_000_000, heard.events);
    const payloads: JsonValue[] = [
      1,
      'x'.repeat(100_000),
      { rows: Array.from({ length: 20_000 }, (_, i) => ({ i })) },
      [],
    ];
    for (const [n, payload] of payloads.entries()) sender.send({ n }, payload);
    await eventually('all have come', () => heard.messages.length === payloads.length);
    expect(heard.messages).toEqual(payloads.map((payload, n) => ({ message: { n }, payload })));
    receiver.close();
  });

  it('keeps no more in the pipe than a far side reads', async () => {
    const { channel, far } = channelAndPipe();
    channel.send({ n: 0 }, { rows: Array.from({ length: 50_000 }, (_, i) => ({ i })) });
    await turn();
    // Read or not yet: what has left the generator is a few parts, not the whole.
    expect(far.readableLength).toBeLessThan(100_000);
  });

  it.each([
    ['no JSON', 'garbage\n'],
    ['no object', '7\n'],
    ['no message', '{"v":1}\n'],
    ['a message that is a text', '{"m":"end"}\n'],
    ['a part that fits nowhere', '{"p":["close"]}\n'],
    ['a payload that never came', '{"m":{"type":"end"},"w":true}\n'],
    ['a key that reaches a prototype', '{"m":{"type":"end"},"v":{"__proto__":{}}}\n'],
    ['a line without an end', 'x'.repeat(300_000)],
  ])('ends when it gets %s, and says so once', async (_what, bytes) => {
    const { heard, far } = channelAndPipe();
    far.write(bytes);
    far.write('{"m":{"type":"later"}}\n');
    await eventually('it broke', () => heard.broken.length > 0);
    await turn();
    expect(heard.broken).toMatchObject([{ closed: false }]);
    expect(heard.messages).toEqual([]);
  });

  it('ends when one payload is larger than it may be', async () => {
    const { heard, far } = channelAndPipe(1000);
    for (let i = 0; i < 10; i++)
      far.write(`{"p":["open",null,"list"]}\n{"p":["items",["${'x'.repeat(200)}"]]}\n`);
    await eventually('it broke', () => heard.broken.length > 0);
    expect(heard.broken[0]?.why).toContain('1000 bytes');
  });

  it('tells a pipe that was closed from one that carried nonsense', async () => {
    const { heard, far } = channelAndPipe();
    far.end();
    await eventually('it broke', () => heard.broken.length > 0);
    expect(heard.broken).toMatchObject([{ closed: true }]);
  });
});
