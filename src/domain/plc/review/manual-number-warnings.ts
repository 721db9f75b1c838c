import type { DeviceMap } from '../device-map-shape.ts';
import type { SettingsIssue } from '../point-settings-checks.ts';
import { type RegisterTable, resolveAddress } from '../register-address.ts';

interface WrittenAddress {
  readonly path: readonly string[];
  readonly register: RegisterTable;
  readonly address: number;
}

/** Numbers such as 40101 under a base that takes them literally: all of a device, most of them, or one by one. */
export function manualNumberWarnings(map: DeviceMap): SettingsIssue[] {
  return Object.entries(map.devices).flatMap(([id, { address_base: base }]) => {
    if (base === 'modicon') return [];
    const written = writtenIn(map, id);
    const manual = written.filter((each) => manualWire(each) !== undefined);
    const others = written.filter((each) => manualWire(each) === undefined);
    if (manual.length === 0) return [];
    if (manual.length > others.length)
      return [
        {
          path: ['devices', id, 'address_base'],
          message: `${others.length === 0 ? 'all its addresses' : `${manual.length} of its ${written.length} addresses`} look like 40001 and so on: if the manual numbers registers like that, use address_base: modicon`,
        },
      ];
    return manual
      .filter((each) => isFar(each, others))
      .map((each) => {
        const ownTable = others.filter(({ register }) => register === each.register);
        return {
          path: [...each.path],
          message: `${each.address} is far from the others (${rangeOf(ownTable.length > 0 ? ownTable : others)}) and looks like a manual's number for wire ${manualWire(each)}`,
        };
      });
  });
}

/** What the number would be on the wire if it carried its table; coils have no digit of their own to be told by. */
function manualWire({ register, address }: WrittenAddress): number | undefined {
  if (register === 'coil') return undefined;
  const resolved = resolveAddress(register, address, 'modicon');
  return resolved.ok ? resolved.address : undefined;
}

const NEAR = 1000;

/** An area that runs on past 40000 is none of a manual's numbers. */
function isFar({ address }: WrittenAddress, others: readonly WrittenAddress[]): boolean {
  return others.every((other) => Math.abs(other.address - address) > NEAR);
}

function rangeOf(others: readonly WrittenAddress[]): string {
  const addresses = others.map(({ address }) => address);
  const [least, most] = [Math.min(...addresses), Math.max(...addresses)];
  return least === most ? String(least) : `${least} to ${most}`;
}

function writtenIn({ machines }: DeviceMap, device: string): WrittenAddress[] {
  return Object.entries(machines).flatMap(([id, machine]) => {
    const own = (named: string | undefined): boolean => (named ?? machine.device) === device;
    const points = Object.entries(machine.points)
      .filter(([, point]) => own(point.device))
      .map(([key, { register, address }]) => ({
        path: ['machines', id, 'points', key, 'address'],
        register,
        address,
      }));
    const logs = Object.entries(machine.logs ?? {})
      .filter(([, log]) => own(log.device))
      .flatMap(([key, log]) => {
        const path = ['machines', id, 'logs', key];
        const { register } = log;
        return [
          { path: [...path, 'head'], register, address: log.head },
          ...(log.kind === 'ring'
            ? [{ path: [...path, 'first_record'], register, address: log.first_record }]
            : []),
          ...(log.clock === undefined
            ? []
            : [
                {
                  path: [...path, 'clock', 'address'],
                  register: log.clock.register,
                  address: log.clock.address,
                },
              ]),
        ];
      });
    return [...points, ...logs];
  });
}
