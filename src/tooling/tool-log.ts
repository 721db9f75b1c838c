import type { Logger } from '../runtime/logger.ts';
import type { ToolEvent, ToolObserver } from './tool-observer.ts';

/** Writes every call of a tool into the log: what was called for whom and how it ended, and nothing of its arguments. */
export class ToolLog implements ToolObserver {
  readonly #logger: Logger;

  constructor(logger: Logger) {
    this.#logger = logger;
  }

  onStart(event: ToolEvent): void {
    this.#logger.debug(fieldsOf(event), 'a tool was called');
  }

  onSuccess(event: Parameters<ToolObserver['onSuccess']>[0]): void {
    const { durationMs, degradedBy } = event;
    this.#logger.debug(
      {
        ...fieldsOf(event),
        duration_ms: Math.round(durationMs),
        ...(degradedBy === undefined ? {} : { degraded_by: degradedBy }),
      },
      'a tool has ended well',
    );
  }

  onFailure(event: Parameters<ToolObserver['onFailure']>[0]): void {
    const { durationMs, code } = event;
    this.#logger.warn({ ...fieldsOf(event), duration_ms: Math.round(durationMs), code }, 'a tool has failed');
  }
}

function fieldsOf({ tool, callId, sessionId, turnId, origin, path, inputDigest }: ToolEvent) {
  return {
    tool,
    call_id: callId,
    session_id: sessionId,
    turn_id: turnId,
    origin,
    ...(path.length === 0 ? {} : { within: path }),
    input_digest: inputDigest,
  };
}
