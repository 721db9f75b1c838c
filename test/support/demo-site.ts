import type { Language } from '../../src/domain/language/language.ts';

/** A device map with one machine at an independent Modbus server; its temperature is the holding register 10 of unit 1. */
export function onePlant(port: number): string {
  return `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 1000 }
devices:
  machine-12-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
  pump-3-plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:
  machine-12:
    names: { en: [machine twelve], zh: [十二号机床] }
    device: machine-12-plc
    points:
      temperature:
        names: { en: [temperature], zh: [温度] }
        register: holding
        address: 10
        type: int16
        unit: { en: degrees, zh: 度 }
  pump-3:
    names: { en: [pump three], zh: [三号泵] }
    device: pump-3-plc
    points:
      pressure:
        names: { en: [pressure], zh: [压力] }
        register: holding
        address: 20
        type: int16
        unit: { en: bar, zh: 巴 }
`;
}

/** The configuration of a whole node on the virtual sound card. */
export function voiceConfig(options: {
  readonly language: Language;
  readonly mqttUrl?: string;
  readonly wordsPerMinute?: number;
}): string {
  const pace = options.wordsPerMinute === undefined ? '' : `, words_per_minute: ${options.wordsPerMinute}`;
  return [
    'site: hall',
    'node: edge-1',
    `language: ${options.language}`,
    'plant: [plant.yaml]',
    'microphone: { device: mic }',
    `speech: { device: speaker${pace} }`,
    ...(options.mqttUrl === undefined ? [] : [`mqtt: { url: "${options.mqttUrl}" }`]),
  ].join('\n');
}
