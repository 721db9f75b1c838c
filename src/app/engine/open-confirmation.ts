import type { Confirmation } from '../../domain/gate/confirmation.ts';
import type { Language } from '../../domain/language/language.ts';

/** A question that waits for a person's consent, with what belongs to it in the conversation. */
export interface OpenConfirmation {
  readonly confirmation: Confirmation;
  readonly actionId: string;
  /** The whole question in the listener's language: what would be done, and what to say. */
  readonly question: (language: Language) => string;
  /** Why its newest telling was not heard to its end; undefined when it was, or is still under way. */
  readonly unheard?: string | undefined;
}
