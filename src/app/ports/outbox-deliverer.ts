import type { JsonObject } from '../../domain/json.ts';
import type { OutboxMessage } from './session-store.ts';

/** What became of one attempt to deliver. */
export type Delivery =
  | { readonly kind: 'delivered'; readonly detail?: JsonObject }
  /** To be tried again. `channel` when nothing else of the channel would get through either, or must not overtake it. */
  | { readonly kind: 'later'; readonly why: string; readonly scope: 'message' | 'channel' }
  /** The far side will never take it as it is. */
  | { readonly kind: 'never'; readonly why: string };

/** Takes the messages of one channel to the far side. */
export interface OutboxDeliverer {
  readonly channel: string;
  /** Never rejects. A repeat with the same id does nothing at the far side. */
  deliver(message: OutboxMessage, signal: AbortSignal): Promise<Delivery>;
}
