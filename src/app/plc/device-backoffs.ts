import { DeviceBackoff } from '../../domain/plc/polling/device-backoff.ts';

/** Which devices are being left alone, known to all who ask them unasked: polls and logs. */
export class DeviceBackoffs {
  readonly #backoffs = new Map<string, DeviceBackoff>();

  of(device: string): DeviceBackoff {
    const known = this.#backoffs.get(device);
    if (known !== undefined) return known;
    const backoff = new DeviceBackoff();
    this.#backoffs.set(device, backoff);
    return backoff;
  }
}
