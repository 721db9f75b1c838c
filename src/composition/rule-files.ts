import { PolledFile } from '../adapters/files/polled-file.ts';
import type { Config } from '../config/config-schema.ts';
import { shipped } from '../config/shipped.ts';
import { isPhraseKey, PHRASE_PLACEHOLDERS } from '../domain/phrases/phrase-keys.ts';
import { INTENT_SLOTS } from '../domain/planning/intents.ts';
import { MAX_RULE_FILE_CHARACTERS, type RuleScope } from '../domain/planning/parse-rules.ts';
import type { PlantModel } from '../domain/plc/plant-model.ts';
import type { ToolRegistry } from '../tooling/tool-registry.ts';
import type { Runtime } from './runtime.ts';

/** The rules that come with the program, as faults name them. */
export const SHIPPED_RULES = 'config/rules.json';

/** The site's own rules, or else the shipped ones; `name` is for faults. */
export function rulesOf(
  { rules }: Pick<Config, 'rules'>,
  { scheduler }: Pick<Runtime, 'scheduler'>,
): { readonly source: PolledFile; readonly name: string } {
  const maxBytes = 4 * MAX_RULE_FILE_CHARACTERS;
  return {
    source: new PolledFile(rules ?? shipped(SHIPPED_RULES), { maxBytes }, scheduler),
    name: rules ?? SHIPPED_RULES,
  };
}

/** What the rules of a site may name. */
export function ruleScopeOf(
  plant: PlantModel,
  registry: Pick<ToolRegistry, 'all'>,
  workflowParameters: ReadonlyMap<string, readonly string[] | undefined>,
): RuleScope {
  const tools = registry
    .all()
    .map(
      ({ name, contract }) =>
        [
          name,
          contract === undefined ? undefined : Object.keys(contract.schema.parameters.properties),
        ] as const,
    );
  return {
    intents: INTENT_SLOTS,
    tools: new Map([...workflowParameters, ...tools]),
    phrases: new Set(Object.keys(PHRASE_PLACEHOLDERS).filter(isPhraseKey)),
    plant: new Map([...plant.machines.values()].map(({ id, points }) => [id, [...points.keys()]])),
  };
}
