import { readFileSync } from 'node:fs';
import { INTENT_SLOTS } from '../../src/domain/planning/intents.ts';
import { parseRules, type RuleScope } from '../../src/domain/planning/parse-rules.ts';
import type { RuleFile } from '../../src/domain/planning/rule-file.ts';

/** The parameters of the shipped tools. */
const TOOLS: Readonly<Record<string, readonly string[]>> = {
  'read-value': ['machine', 'points'],
  'read-history': ['machine', 'point', 'period', 'statistic'],
  compare: ['machines', 'point', 'period'],
  'read-plc-log': ['machine', 'period'],
  'write-value': ['machine', 'point', 'value'],
  'export-report': ['of', 'results', 'format'],
  'find-report': ['period', 'kind', 'format'],
  'send-message': ['to', 'file', 'text'],
  'create-work-order': ['machine', 'text', 'diagnosis'],
  'close-work-order': ['number'],
  'machine-status': ['machine'],
  diagnose: ['machine'],
  'system-status': [],
  'who-am-i': [],
  'how-to': ['topic', 'machine'],
};

export const ruleScope: RuleScope = {
  intents: INTENT_SLOTS,
  tools: new Map(Object.entries(TOOLS)),
  phrases: new Set(['busy', 'writes_unavailable']),
  plant: new Map([['pump-3', ['pressure', 'speed']]]),
};

export const SHIPPED_RULES = new URL('../../config/rules.json', import.meta.url);

export function shippedRules(): RuleFile {
  return parseRules(readFileSync(SHIPPED_RULES, 'utf8'), 'rules.json', ruleScope);
}
