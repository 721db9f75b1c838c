import { EventEmitter } from 'node:events';
import { inspectAnswer, mbapOf, type Question, questionOf } from './mbap-frame.ts';
import type { TransactionIds } from './transaction-ids.ts';

export interface MbapPortEvents {
  /** Bytes for the device. */
  readonly send: (frame: Buffer) => void;
  /** The device said something that answers no question of ours: the line cannot be trusted any more. */
  readonly onStray: (reason: string) => void;
  /** The device answered the question in flight with something that does not fit it. */
  readonly onUnfit: (reason: string) => void;
}

/**
 * Between modbus-serial and the socket: requests come in as for a serial line and leave in frames of Modbus TCP, and
 * one answer that fits the request in flight comes back; nothing else ever reaches modbus-serial. Its own TCP port
 * counts transactions modulo 256, from 1 on each connection, so that a gateway which delivers an answer late, on the
 * next connection, would be believed. Called by ModbusLink.
 */
export class MbapPort extends EventEmitter {
  /** Asked by modbus-serial; whether the socket is open is the link's affair. */
  readonly isOpen = true;
  readonly #transactionIds: TransactionIds;
  readonly #events: MbapPortEvents;
  #question: Question | undefined;
  #received = Buffer.alloc(0);

  constructor(transactionIds: TransactionIds, events: MbapPortEvents) {
    super();
    this.#transactionIds = transactionIds;
    this.#events = events;
  }

  /** Called by modbus-serial. */
  open(callback: () => void): void {
    callback();
  }

  /** Called by modbus-serial with a read request as on a serial line. */
  write(rtu: Buffer): void {
    const transactionId = this.#transactionIds.next();
    this.#question = questionOf(rtu, transactionId);
    this.#events.send(mbapOf(rtu, transactionId));
  }

  /** Takes what the socket received. An answer has been handed on, and settled, before what follows it is judged. */
  receive(bytes: Buffer): void {
    if (this.#question === undefined) {
      this.#events.onStray('data that was not asked for');
      return;
    }
    this.#received = Buffer.concat([this.#received, bytes]);
    const inspection = inspectAnswer(this.#received, this.#question);
    switch (inspection.kind) {
      case 'incomplete':
        return;
      case 'stray':
        this.#events.onStray(inspection.reason);
        return;
      case 'unfit':
        this.#events.onUnfit(inspection.reason);
        return;
      case 'answer': {
        const surplus = this.#received.length - inspection.size;
        this.#question = undefined;
        this.#received = Buffer.alloc(0);
        this.emit('data', inspection.rtu);
        if (surplus > 0) this.#events.onStray('data that was not asked for');
      }
    }
  }
}
