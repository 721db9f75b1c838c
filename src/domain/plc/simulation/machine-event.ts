/** What happens to a simulated machine, with the code under which its PLC logs it. */
export const MACHINE_EVENTS = {
  start: 1,
  stop: 2,
  overheat: 3,
  jam: 4,
  recovered: 5,
  door_open: 6,
  door_closed: 7,
  batch_done: 8,
  maintenance: 9,
  /** Somebody wrote a value. */
  written: 10,
} as const;
export type MachineEventName = keyof typeof MACHINE_EVENTS;

export interface MachineEvent {
  /** The scan in which it happened. */
  readonly scan: number;
  readonly name: MachineEventName;
  /** The value that goes with it, such as the temperature of a trip; 0 where none does. */
  readonly value: number;
}
