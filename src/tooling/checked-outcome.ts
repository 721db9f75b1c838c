import { checkResult } from '../domain/tool/check-result.ts';
import type { Say } from '../domain/tool/say.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import type { HandlerOutcome } from './sandbox-port.ts';

/** What came out of the sandbox, held against the contract: a result that does not fit is OUTPUT_INVALID. */
export function checkedOutcome(contract: ToolContract, outcome: HandlerOutcome): HandlerOutcome {
  if (!outcome.ok) {
    const { say, ...failure } = outcome;
    // What went wrong counts, also where it cannot be said in the tool's own words.
    return say === undefined || unknownPhrase(contract, say) !== undefined ? failure : outcome;
  }
  const checked = checkResult(contract, outcome.result);
  if (!checked.ok) return { ok: false, code: 'OUTPUT_INVALID', message: checked.message };
  const unknown = unknownPhrase(contract, outcome.say);
  if (unknown !== undefined)
    return {
      ok: false,
      code: 'OUTPUT_INVALID',
      message: `say: "${unknown.slice(0, 60)}" is none of the tool's phrases`,
    };
  return { ...outcome, result: checked.result };
}

function unknownPhrase({ phrases }: ToolContract, say: Say): string | undefined {
  return say.find(({ phrase }) => !Object.hasOwn(phrases, phrase))?.phrase;
}
