import { expect, it } from 'vitest';
import { ticketWords } from '../../../src/app/ticket-words.ts';
import { PlantModel } from '../../../src/domain/plc/plant-model.ts';
import type { EscalationTicket } from '../../../src/domain/tool/ticket.ts';
import { ScriptedTools } from '../../support/scripted-runner.ts';
import { shippedPhrases } from '../../support/shipped-phrases.ts';

const parts = {
  phrases: shippedPhrases(),
  plant: new PlantModel([]),
  tools: new ScriptedTools({ export: async () => ({}) }),
  clocks: { bootId: 'now' },
};
const ticket = (id: string, given: Partial<EscalationTicket> = {}): EscalationTicket => ({
  id,
  tool: 'export',
  code: 'TOOL_FAILED',
  message: '',
  input: {},
  path: [],
  session_id: 's',
  turn_id: 't',
  safety: false,
  opened_at: '2026-03-01T00:00:00.000Z',
  boot_id: 'now',
  seq: 1,
  occurrences: 1,
  status: 'open',
  age_ms: 119_000,
  ttl_s: 3600,
  reminders: 0,
  ...given,
});

it('a ticket of an earlier boot is at least as old as was counted, and one of this boot no younger than is said', () => {
  expect(ticketWords([ticket('tk_aaaa000000')], parts, 'en')[1]).toBe(
    'Ticket A A A A, export: it did not work, two minutes old.',
  );
  const before = ticket('tk_aaaa000000', { boot_id: 'before' });
  expect(ticketWords([before], parts, 'en')[1]).toBe(
    'Ticket A A A A, export: it did not work, at least one minute old.',
  );
  expect(ticketWords([before], parts, 'zh')[1]).toBe('故障单A A A A，export，没有成功，已开至少一分钟。');
});

it('an id is said as far as it takes to tell it from the other open ones', () => {
  const [, newest, oldest] = ticketWords([ticket('tk_aaaa120000'), ticket('tk_aaaa1300ff')], parts, 'zh');
  expect(newest).toContain('故障单A A A A 1 3，');
  expect(oldest).toContain('故障单A A A A 1 2，');
  expect(ticketWords([ticket('tk_a'), ticket('tk_b')], parts, 'zh')[0]).toBe('有两张未解决的故障单。');
});

it('of many tickets three are named, one about safety before those that are newer', () => {
  const open = ['aaaa', 'bbbb', 'cccc', 'dddd', 'eeee'].map((id) =>
    ticket(`tk_${id}`, { safety: id === 'aaaa' || id === 'bbbb' }),
  );
  const named = ticketWords(open, parts, 'en').map((line) => /(\w) \1 \1 \1/u.exec(line)?.[1]);
  expect(named).toEqual([undefined, 'B', 'A', 'E']);
});
