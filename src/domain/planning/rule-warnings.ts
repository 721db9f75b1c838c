import type { RuleFile } from './rule-file.ts';
import { termsOf } from './rule-terms.ts';

/** A rule that is valid and cannot be carried out as it is: `rule "id": then.0.tool: why`, one for each tool that cannot be used. */
export function ruleWarnings({ rules }: RuleFile, canBeUsed: (tool: string) => boolean): readonly string[] {
  return rules.flatMap((rule) =>
    termsOf(rule).flatMap(({ kind, name, path }) =>
      kind === 'tool' && path.at(-1) === 'tool' && !canBeUsed(name)
        ? [`rule "${rule.id}": ${path.join('.')}: "${name}" is there and cannot be used`]
        : [],
    ),
  );
}
