import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { parse } from 'yaml';
import { INTENT_SLOTS } from '../../src/domain/planning/intents.ts';
import { parseRules, type RuleScope } from '../../src/domain/planning/parse-rules.ts';
import type { RuleFile } from '../../src/domain/planning/rule-file.ts';
import { type ToolContract, toolContractSchema } from '../../src/domain/tool/tool-contract.ts';

const TOOLS = new URL('../../tools/', import.meta.url);

/** The contract of each shipped tool. */
export function shippedContracts(): ReadonlyMap<string, ToolContract> {
  const folders = readdirSync(TOOLS).filter((name) => existsSync(new URL(`${name}/tool.yaml`, TOOLS)));
  return new Map(
    folders.map((name) => {
      const text = readFileSync(new URL(`${name}/tool.yaml`, TOOLS), 'utf8');
      return [name, toolContractSchema.parse(parse(text))];
    }),
  );
}

/** Each shipped tool and workflow with its parameters. */
function shippedTools(): ReadonlyMap<string, readonly string[]> {
  const parameters = [...shippedContracts()].map(
    ([name, { schema }]) => [name, Object.keys(schema.parameters.properties)] as const,
  );
  return new Map([...parameters, ['workflow.check-machine', ['machine']]]);
}

export const ruleScope: RuleScope = {
  intents: INTENT_SLOTS,
  tools: shippedTools(),
  phrases: new Set(['busy', 'writes_unavailable', 'no_procedure']),
  plant: new Map([['pump-3', ['pressure', 'speed']]]),
};

export const SHIPPED_RULES = new URL('../../config/rules.json', import.meta.url);

export function shippedRules(): RuleFile {
  return parseRules(readFileSync(SHIPPED_RULES, 'utf8'), 'rules.json', ruleScope);
}
