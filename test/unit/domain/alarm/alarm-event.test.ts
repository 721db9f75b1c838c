import { describe, expect, it } from 'vitest';
import { alarmEventKey, alarmMessageSchema } from '../../../../src/domain/alarm/alarm-event.ts';

const message = { id: 'e1', state: 'raised', priority: 'high', text: 'temperature high' };

describe('an alarm message', () => {
  it.each([
    message,
    { ...message, text: { en: 'temperature high', zh: '温度偏高' } },
    { ...message, text: { zh: '温度偏高' } },
    { ...message, ts: '2026-01-02T03:04:05Z', seq: 0, boot_id: 'b' },
  ])('is taken: %o', (given) => {
    expect(alarmMessageSchema.parse(given)).toEqual(given);
  });

  it('may hold keys of a newer sender', () => {
    expect(alarmMessageSchema.parse({ ...message, colour: 'red' })).toEqual(message);
  });

  it.each([
    { ...message, id: '' },
    { ...message, state: 'active' },
    { ...message, priority: 'urgent' },
    { ...message, text: '   ' },
    { ...message, text: { fr: 'chaud' } },
    { ...message, ts: 'yesterday' },
    [message],
    null,
  ])('is refused: %o', (given) => {
    expect(alarmMessageSchema.safeParse(given).success).toBe(false);
  });

  it('is cut, never refused, when its text is long', () => {
    const { text } = alarmMessageSchema.parse({ ...message, text: '热'.repeat(5000) });
    expect(text).toBe(`${'热'.repeat(499)}…`);
  });

  it('is the same event only for the same alarm of the same source', () => {
    const event = (source: string, name: string, id: string) =>
      alarmEventKey({ ...alarmMessageSchema.parse({ ...message, id }), source, name, received_at: '' });
    expect(
      new Set([
        event('a', 'b', 'c'),
        event('a', 'b', 'd'),
        event('a', 'x', 'c'),
        event('y', 'b', 'c'),
        event('a,b', '', 'c'),
      ]).size,
    ).toBe(5);
    expect(event('a', 'b', 'c')).toBe(event('a', 'b', 'c'));
  });
});
