import { readdirSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { ProcessSandbox, SANDBOX_DEFAULTS } from '../../../src/adapters/sandbox/process-sandbox.ts';
import { readPack } from '../../../src/composition/tool-packs.ts';
import { contractFaults, relationFaults } from '../../../src/domain/tool/check-contract.ts';
import { CAPABILITIES } from '../../../src/domain/tool/tool-contract.ts';
import { systemClocks, systemScheduler } from '../../../src/runtime/clocks.ts';
import { silentLogger } from '../../../src/runtime/logger.ts';
import { CannedCapabilities } from '../../../src/tooling/canned-capabilities.ts';
import type { PackContent } from '../../../src/tooling/pack-source-port.ts';
import { PackTester } from '../../../src/tooling/pack-tester.ts';
import { BuiltTools } from '../../support/built-tools.ts';

const TOOLS = fileURLToPath(new URL('../../../tools', import.meta.url));
const PACKAGES = fileURLToPath(new URL('../../../node_modules', import.meta.url));
const NAMES = readdirSync(TOOLS).filter((name) => !name.startsWith('_'));
const never = new AbortController().signal;

let built: BuiltTools;
let sandbox: ProcessSandbox;
let tester: PackTester;

beforeAll(async () => {
  built = new BuiltTools();
  sandbox = new ProcessSandbox(
    { ...SANDBOX_DEFAULTS, readable: [built.directory, PACKAGES] },
    { clocks: systemClocks(), scheduler: systemScheduler, logger: silentLogger() },
    built.worker,
  );
  await sandbox.start();
  const canned = new CannedCapabilities();
  tester = new PackTester({ canned, sandbox: sandbox.servedBy(canned.host) });
});

afterAll(async () => {
  await sandbox.stop();
  built.remove();
});

function content(name: string): PackContent & { readonly ok: true } {
  const found = readPack(join(built.packs, name), 'shipped').content;
  if (!found.ok) throw new Error(found.faults.join('\n'));
  return found;
}

describe('the shipped tools, built and in the sandbox', () => {
  it('have contracts without contradictions, in themselves and among each other', () => {
    const contracts = new Map(NAMES.map((name) => [name, content(name).pack.contract]));
    for (const [name, contract] of contracts)
      expect([...contractFaults(contract), ...relationFaults(contract, contracts)], name).toEqual([]);
  });

  it.each(NAMES)('%s passes its own test cases under its own limits', async (name) => {
    const { pack, cases } = content(name);
    expect(await tester.firstFailure(pack, cases, never)).toBeUndefined();
  });

  it('use only capabilities that there are, and at least those that a site cannot do without', () => {
    const used = new Set(NAMES.flatMap((name) => content(name).pack.contract.capabilities));
    expect(CAPABILITIES).toEqual(expect.arrayContaining([...used]));
    expect([...used]).toEqual(expect.arrayContaining(['points.read', 'caller.describe']));
  });
});
