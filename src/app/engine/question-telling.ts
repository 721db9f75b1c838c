import { beingTold, heardToItsEnd } from '../../domain/gate/confirmation.ts';
import { CONFIRM_WINDOW_MS } from '../../domain/gate/gate.ts';
import type { Told } from '../told.ts';
import type { ConversationLog } from './conversation-log.ts';
import type { EngineParts } from './engine-parts.ts';
import type { LiveSession } from './live-session.ts';
import type { OpenConfirmation } from './open-confirmation.ts';
import type { TurnScope } from './turn-scope.ts';

/** Puts a question that waits for a consent into what a turn says. Nothing consents to it until that has been heard. */
export function putQuestion(session: LiveSession, scope: TurnScope, open: OpenConfirmation): void {
  session.confirmation = {
    ...open,
    confirmation: beingTold(open.confirmation, scope.telling),
    unheard: undefined,
  };
  scope.lines.push(open.question(scope.language));
}

/** What a turn had to say, as it is known when it has been told. */
export type Telling = Pick<TurnScope, 'id' | 'telling'>;

/** What a turn had to say has been told: whether the question in it, if there is one that still stands, may be consented to. */
export function questionTold(
  session: LiveSession,
  { id: turnId, telling }: Telling,
  told: Told,
  { clocks, logger, log }: Pick<EngineParts, 'clocks' | 'logger'> & { readonly log: ConversationLog },
): void {
  const open = session.confirmation;
  if (open === undefined || open.confirmation.telling !== telling) return;
  const { id } = open.confirmation;
  if (!told.heard) {
    const { why } = told;
    session.confirmation = { ...open, unheard: why };
    session.note('confirmation.unheard', { action: open.actionId, confirmation: id, turn_id: turnId, why });
    log.keep(session);
    logger.warn(
      { station: session.station, turn_id: turnId, why },
      'a question was not heard to its end: nobody can consent to it until it is',
    );
    return;
  }
  const confirmation = heardToItsEnd(open.confirmation, telling, CONFIRM_WINDOW_MS, {
    bootId: clocks.bootId,
    monotonicMs: clocks.monotonicMs(),
  });
  const isFirst = confirmation.wasHeard && !open.confirmation.wasHeard;
  session.confirmation = { ...open, confirmation, unheard: undefined };
  if (isFirst) session.apply({ type: 'question_heard' });
}
