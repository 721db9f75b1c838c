import type { PointRef } from '../../domain/plc/point-ref.ts';
import type { KnownReading } from '../../domain/plc/reading.ts';
import type { BusPriority } from '../ports/plc-bus.ts';
import type { PlcReader } from '../ports/plc-reader.ts';
import type { PointImage } from './point-image.ts';
import type { PointReader } from './point-reader.ts';

/**
 * Reads live; of a device that does not answer it says how old the last value is. Never more than that: whoever asked
 * wants to know how it is now.
 */
export class RememberingReader implements PlcReader {
  readonly #reader: PointReader;
  readonly #image: PointImage;

  constructor(reader: PointReader, image: PointImage) {
    this.#reader = reader;
    this.#image = image;
  }

  async read(
    refs: readonly PointRef[],
    deadlineMs: number,
    priority?: BusPriority,
  ): Promise<readonly KnownReading[]> {
    const readings = await this.#reader.read(refs, deadlineMs, priority);
    return readings.map((reading): KnownReading => {
      const isUnanswered =
        reading.quality === 'bad' && (reading.reason === 'timeout' || reading.reason === 'unreachable');
      const last = isUnanswered ? this.#image.lastGood(reading.ref) : undefined;
      return isUnanswered && last !== undefined ? { ...reading, quality: 'stale', last } : reading;
    });
  }
}
