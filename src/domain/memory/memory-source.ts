/** Where something that is remembered came from. */
export const MEMORY_SOURCES = ['plc', 'operator', 'tool', 'report', 'mqtt', 'model'] as const;
export type MemorySource = (typeof MEMORY_SOURCES)[number];

/**
 * How much is believed, from 0: lower trust never overrides higher, it only disputes it. What a PLC says or a person at the box
 * says counts most, then what a tool found, then text that came over MQTT or stands in a report, last what a model proposes.
 */
const TRUST: Readonly<Record<MemorySource, Trust>> = {
  model: 0,
  mqtt: 1,
  report: 1,
  tool: 2,
  operator: 3,
  plc: 3,
};
export type Trust = 0 | 1 | 2 | 3;

export function trustOf(source: MemorySource): Trust {
  return TRUST[source];
}

/** What these claim is not believed before the system that it is about has confirmed it, or a person has. */
export function needsSecondSignature(source: MemorySource): boolean {
  return trustOf(source) < 2;
}
