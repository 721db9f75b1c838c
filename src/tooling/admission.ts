import type { ToolCall } from '../domain/tool/tool-call.ts';
import type { ToolContract } from '../domain/tool/tool-contract.ts';

export type Admission =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly code: 'DENIED' | 'NOT_CONFIRMED';
      readonly message: string;
      readonly hint?: string;
    };

/**
 * Asked at the last moment before a handler runs, with checked arguments: permission and consent once more, whoever asked and
 * whatever was decided before. Also of calls that a tool makes and of a tool that stands in for another.
 */
export type Admit = (call: ToolCall, contract: ToolContract) => Admission | Promise<Admission>;
