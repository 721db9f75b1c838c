import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { SESSION_TABLE } from '../../../../src/domain/session/session-table.ts';
import { sessionDocument } from '../../../support/session-document.ts';

const PAGE = join(import.meta.dirname, '../../../../docs/session-machine.md');

it('the page about the machine is what its table says', () => {
  const text = sessionDocument(SESSION_TABLE);
  if (process.env['UPDATE_DOCS'] !== undefined) writeFileSync(PAGE, text);
  expect(readFileSync(PAGE, 'utf8')).toBe(text);
});
