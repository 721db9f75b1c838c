import type { Delivery } from '../../app/ports/outbox-deliverer.ts';
import type { TicketSink } from '../../app/ports/ticket-sink.ts';
import type { JsonObject } from '../../domain/json.ts';
import { messageOf } from '../../runtime/edge-error.ts';
import type { MqttSurface } from './mqtt-surface.ts';

/** Tells tickets on `edge/v1/{site}/{node}/ticket`. */
export class MqttTicketSink implements TicketSink {
  readonly name = 'mqtt';
  readonly #surface: Pick<MqttSurface, 'publish'>;

  constructor(surface: Pick<MqttSurface, 'publish'>) {
    this.#surface = surface;
  }

  async tell(id: string, body: JsonObject): Promise<Delivery> {
    try {
      await this.#surface.publish('ticket', 'ticket/1', { ...body, id });
      return { kind: 'delivered' };
    } catch (error) {
      return { kind: 'later', why: messageOf(error), scope: 'message' };
    }
  }
}
