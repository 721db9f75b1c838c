import { describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/config-schema.ts';
import { parseYaml } from '../../../src/config/load-yaml.ts';
import { EdgeError } from '../../../src/runtime/edge-error.ts';

function faultsOf(text: string, environment: Record<string, string> = {}): string[] {
  try {
    parseYaml(text, 'edge.yaml', configSchema, environment);
  } catch (error) {
    if (error instanceof EdgeError) return error.message.split('\n');
    throw error;
  }
  return [];
}

describe('a configuration file', () => {
  it('may be empty: every key has a default', () => {
    const config = parseYaml('', 'edge.yaml', configSchema, {});
    expect(config).toMatchObject({ node: 'edge-1', language: 'en', http: { host: '127.0.0.1', port: 8480 } });
    expect(config.mqtt).toBeUndefined();
  });

  it('takes values from the environment, with the type that the key wants', () => {
    const text = 'site: ${SITE}\nhttp:\n  port: ${PORT:-9000}\nmicrophone:\n  enabled: ${MIC}\n';
    const config = parseYaml(text, 'edge.yaml', configSchema, { SITE: 'hall-3', MIC: 'false' });
    expect(config.site).toBe('hall-3');
    expect(config.http.port).toBe(9000);
    expect(config.microphone.enabled).toBe(false);
  });

  it('keeps a text that looks like a number a text', () => {
    const text = 'mqtt:\n  url: mqtt://10.0.0.5\n  username: plc\n  password: ${PW}\n';
    expect(parseYaml(text, 'edge.yaml', configSchema, { PW: '0123' }).mqtt?.password).toBe('0123');
  });

  it('does not expand a variable inside the value of another', () => {
    const config = parseYaml('site: ${A}', 'edge.yaml', configSchema, { A: '${B}', B: 'secret' });
    expect(config.site).toBe('${B}');
  });
});

describe('a fault in a configuration file', () => {
  it('names file, line, key and the nearest valid key', () => {
    expect(faultsOf('site: a\nmicrophone:\n  devise: hw:0\n')).toEqual([
      'edge.yaml:3:3 microphone.devise: unknown key. Did you mean "device"?',
    ]);
  });

  it('lists the valid keys when none is near', () => {
    expect(faultsOf('log:\n  xyzzyqwerty: 1\n')).toEqual([
      'edge.yaml:2:3 log.xyzzyqwerty: unknown key. Valid here: level.',
    ]);
  });

  it('names the nearest valid word', () => {
    expect(faultsOf('language: eng\n')).toEqual([
      'edge.yaml:1:11 language: one of en, zh, not "eng". Did you mean "en"?',
    ]);
  });

  it('names a variable that the environment lacks, and the way out', () => {
    expect(faultsOf('\nsite: ${SITE}\n')).toEqual([
      'edge.yaml:2:7 the environment has no SITE; set it, or give a default: ${SITE:-value}',
    ]);
  });

  it('is told for each of several faults at once', () => {
    expect(faultsOf('nod: a\nhttp:\n  port: 99999\n')).toHaveLength(2);
  });

  it('is a key given twice', () => {
    expect(faultsOf('site: a\nsite: b\n')[0]).toMatch(/^edge\.yaml:2:1 .*unique/u);
  });

  it('is broken YAML, with its place', () => {
    expect(faultsOf('site: [a\n')[0]).toMatch(/^edge\.yaml:2:1 /u);
  });

  it('is an alias without an anchor', () => {
    expect(faultsOf('site: a\nnode: *missing\n')[0]).toMatch(/^edge\.yaml:2:7 .*missing/u);
  });

  it('is a file whose aliases multiply until they would fill the memory', () => {
    const levels = Array.from({ length: 9 }, (_, n) => {
      const refs = Array.from({ length: 9 }, () => `*a${n}`).join(', ');
      return `a${n + 1}: &a${n + 1} [${refs}]`;
    });
    const [fault, ...more] = faultsOf(['a0: &a0 [x]', ...levels].join('\n'));
    expect(fault).toMatch(/^edge\.yaml:\d+:\d+ .*alias/u);
    expect(more).toEqual([]);
  });

  it.each(['mqtt://[::bad', 'mqtt://10.0.0.5:99999', 'mqtt://:1883:1'])(
    'is a broker address that no program could open: %s',
    (url) => {
      expect(faultsOf(`mqtt:\n  url: "${url}"\n`)).toEqual([
        expect.stringMatching(/^edge\.yaml:2:8 mqtt\.url: no valid address/u),
      ]);
    },
  );

  it('is a listener open to the network without a token', () => {
    expect(faultsOf('http:\n  host: 0.0.0.0\n')).toEqual([
      'edge.yaml:2:9 http.host: 0.0.0.0 is reachable from the network, so http.token is required',
    ]);
  });
});
