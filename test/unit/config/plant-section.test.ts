import { describe, expect, it } from 'vitest';
import { type Config, configSchema } from '../../../src/config/config-schema.ts';
import { parseYaml } from '../../../src/config/load-yaml.ts';
import { isEdgeError } from '../../../src/runtime/edge-error.ts';

const parse = (yaml: string): Config => parseYaml(yaml, 'site.yaml', configSchema, {});
function faultsOf(yaml: string): string {
  try {
    parse(yaml);
  } catch (error) {
    if (isEdgeError(error, 'CONFIG_INVALID')) return error.message;
    throw error;
  }
  throw new Error('no fault');
}

describe('"Writes are off until the site switches them on"', () => {
  it.each([
    ['site: hall', []],
    ['plant: []', []],
    ['plant: [line-1.yaml, line-2.yaml]', ['line-1.yaml', 'line-2.yaml']],
    ['plant: { maps: [line-1.yaml] }', ['line-1.yaml']],
  ])('%s', (yaml, maps) => {
    expect(parse(yaml).plant).toEqual({ maps, writes: 'off' });
  });

  it.each(['off', 'commissioning', 'on'])('%s is one of its three words', (writes) => {
    expect(parse(`plant: { maps: [line-1.yaml], writes: ${writes} }`).plant.writes).toBe(writes);
  });

  it.each([
    [
      'plant: { maps: [line-1.yaml], writes: true }',
      'site.yaml:1:39 plant.writes: one of off, commissioning, on, not true.',
    ],
    ['plant: { maps: [line-1.yaml], writes: comissioning }', 'Did you mean "commissioning"?'],
    ['plant: { map: [line-1.yaml] }', 'Did you mean "maps"?'],
    ['plant: [1]', 'plant.0: a text, not 1'],
    ['plant: line-1.yaml', 'not "line-1.yaml"'],
  ])('%s is refused with what would be right', (yaml, fault) => {
    expect(faultsOf(yaml)).toContain(fault);
  });
});

describe('the stations', () => {
  it('let whoever stands at a microphone operate, and everybody else look until they are known', () => {
    expect(parse('site: hall').stations).toEqual({
      microphone: 'operator',
      ask: 'operator',
      panel: 'guest',
      mqtt: 'guest',
      mcp: 'guest',
    });
  });

  it('are given another role one by one', () => {
    expect(parse('stations: { mqtt: operator }').stations).toMatchObject({ mqtt: 'operator', mcp: 'guest' });
    expect(faultsOf('stations: { mqtt: operater }')).toContain('Did you mean "operator"?');
    expect(faultsOf('stations: { microfone: guest }')).toContain('Did you mean "microphone"?');
  });
});

describe('automatic outputs', () => {
  it('are tools with all of their arguments', () => {
    const yaml = 'automatic_outputs: [{ tool: write-value, args: { machine: horn, value: true } }]';
    expect(parse(yaml).automatic_outputs).toEqual([
      { tool: 'write-value', args: { machine: 'horn', value: true } },
    ]);
    expect(faultsOf('automatic_outputs: [{ tool: write-value }]')).toContain(
      'automatic_outputs.0.args: is missing',
    );
  });
});
