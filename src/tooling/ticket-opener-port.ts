import type { JsonObject } from '../domain/json.ts';
import type { ToolErrorCode } from '../domain/tool/tool-call.ts';

/** What a person should look at. */
export interface TicketRequest {
  readonly tool: string;
  readonly code: ToolErrorCode;
  readonly message: string;
  /** Without what the contract keeps back. */
  readonly input: JsonObject;
  readonly path: readonly string[];
  readonly sessionId: string;
  readonly turnId: string;
  readonly stateHash: string | undefined;
  /** Something may have been done to a machine. */
  readonly safety: boolean;
}

export interface TicketOpener {
  /** The id of the ticket, which may be one that is open for the same reason. Rejects when it could not be kept. */
  open(request: TicketRequest): Promise<string>;
}
