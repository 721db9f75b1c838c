import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { stringify } from 'yaml';
import { contractInput } from './tool-contract.ts';

interface SitePack {
  /** Sections of `tool.yaml` beside the smallest. */
  readonly contract?: Readonly<Record<string, unknown>>;
  /** The body of `handle`, with `args` and `context`. */
  readonly handle: string;
  readonly cases?: unknown;
}

/** Writes a tool pack as a site would: `tool.yaml`, `handler.mjs`, `test-cases.json`. */
export function writeSitePack(directory: string, name: string, pack: SitePack): string {
  const folder = join(directory, name);
  mkdirSync(folder, { recursive: true });
  writeFileSync(join(folder, 'tool.yaml'), stringify(contractInput(name, pack.contract)));
  writeFileSync(
    join(folder, 'handler.mjs'),
    `export async function handle(args, context) {\n${pack.handle}\n}\n`,
  );
  const cases = pack.cases ?? [
    { name: 'refuses what it does not know', args: { unknown: 1 }, expect: { code: 'INPUT_INVALID' } },
  ];
  writeFileSync(join(folder, 'test-cases.json'), JSON.stringify(cases));
  return folder;
}
