import { checkResult } from '../domain/tool/check-result.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';
import type { HandlerOutcome } from './sandbox-port.ts';

/** What came out of the sandbox, held against the contract: a result that does not fit is OUTPUT_INVALID. */
export function checkedOutcome(contract: ToolContract, outcome: HandlerOutcome): HandlerOutcome {
  if (!outcome.ok) return outcome;
  const checked = checkResult(contract, outcome.result);
  if (!checked.ok) return { ok: false, code: 'OUTPUT_INVALID', message: checked.message };
  const unknown = outcome.say.find(({ phrase }) => !Object.hasOwn(contract.phrases, phrase));
  if (unknown !== undefined)
    return {
      ok: false,
      code: 'OUTPUT_INVALID',
      message: `say: "${unknown.phrase.slice(0, 60)}" is none of the tool's phrases`,
    };
  return { ...outcome, result: checked.result };
}
