import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { retentionText } from '../../../../src/commands/memory-stats-lines.ts';
import { CLASS_RULES, MEMORY_CLASSES } from '../../../../src/domain/memory/memory-class.ts';
import {
  MEMORY_SOURCES,
  needsSecondSignature,
  trustOf,
} from '../../../../src/domain/memory/memory-source.ts';
import { tableOf } from '../../../support/markdown-table.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/memory.md');

const classes = tableOf(
  ['class', 'stays'],
  MEMORY_CLASSES.map((name) => {
    const { decayPerHour, expiresAfterHours, recheckAfterHours } = CLASS_RULES[name];
    const rule = {
      class: name,
      decay_per_h: decayPerHour,
      expires_after_h: expiresAfterHours,
      recheck_after_h: recheckAfterHours,
    };
    return [`\`${name}\``, retentionText(rule)];
  }),
);
const sources = tableOf(
  ['source', 'trust', 'second signature'],
  MEMORY_SOURCES.toSorted((one, other) => trustOf(other) - trustOf(one)).map((source) => [
    `\`${source}\``,
    String(trustOf(source)),
    needsSecondSignature(source) ? 'needed' : '',
  ]),
);

it.each([
  ['how long each class stays', 'classes', classes],
  ['how much each source is believed', 'sources', sources],
])('the page about memory says %s as the program has it', (_what, name, table) => {
  const text = readFileSync(PAGE, 'utf8');
  const place = new RegExp(`(<!-- ${name} -->\\n\\n)[^]*?(\\n\\n<!-- end -->)`, 'u');
  const wanted = text.replace(place, (_all, before: string, after: string) => `${before}${table}${after}`);
  expect(wanted).toContain(table);
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(PAGE, wanted);
  expect(readFileSync(PAGE, 'utf8')).toBe(wanted);
});
