import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { configSchema } from '../../../src/config/config-schema.ts';
import { loadYaml } from '../../../src/config/load-yaml.ts';

describe('a file that cannot be read as YAML', () => {
  let directory = '';
  beforeEach(() => {
    directory = mkdtempSync(join(tmpdir(), 'yaml-'));
  });
  afterEach(() => rmSync(directory, { recursive: true }));

  // `名: 水泵` in GBK, and words of German in Latin-1.
  const GBK = Buffer.from([0xc3, 0xfb, 0x3a, 0x20, 0xcb, 0xae, 0xb1, 0xc3]);

  it.each<[string, Buffer]>([
    ['the file is not UTF-8 (GBK?); save it as UTF-8', GBK],
    ['the file is not UTF-8 (Latin-1?); save it as UTF-8', Buffer.from('größe: 1\nhöhe: 2\n', 'latin1')],
    ['the file is not UTF-8 (UTF-16?); save it as UTF-8', Buffer.from('\ufeffa: 1\n', 'utf16le')],
    ['the file is not UTF-8 (UTF-16?); save it as UTF-8', Buffer.from('http: { port: 1 }\n', 'utf16le')],
  ])('says so: %s', (fault, bytes) => {
    const file = join(directory, 'node.yaml');
    writeFileSync(file, bytes);
    expect(() => loadYaml(file, configSchema, {})).toThrow(`${file}: ${fault}`);
  });

  it('may begin with a byte order mark', () => {
    const file = join(directory, 'node.yaml');
    writeFileSync(file, '\ufeffhttp: { port: 4000 }\n');
    expect(loadYaml(file, configSchema, {}).http.port).toBe(4000);
  });

  it('is not there, or is a directory', () => {
    expect(() => loadYaml(join(directory, 'none.yaml'), configSchema, {})).toThrow(
      `${join(directory, 'none.yaml')}: there is no such file`,
    );
    expect(() => loadYaml(directory, configSchema, {})).toThrow(
      `${directory}: this is a directory and not a file`,
    );
  });
});
