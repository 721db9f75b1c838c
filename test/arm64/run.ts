/**
 * In: a command that is an emulated ARM64 Node.js, and a folder with the program as installed for ARM64. Out: a line a
 * check, and last "N passed, N failed". Called by scripts/test-arm64.
 */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { messageOf } from '../../src/runtime/edge-error.ts';
import { Arm64Node } from './arm64-node.ts';
import type { Check } from './check.ts';
import { daemonChecks } from './daemon-checks.ts';
import { libvoskChecks } from './libvosk-checks.ts';
import { packageChecks } from './package-checks.ts';

const [command, appFolder] = process.argv.slice(2);
if (command === undefined || appFolder === undefined) throw new Error('started by scripts/test-arm64');

const folder = mkdtempSync(join(tmpdir(), 'hermes-arm64-'));
const arm64 = new Arm64Node({ command, appFolder });
const checks: readonly Check[] = [
  ...packageChecks(arm64),
  ...daemonChecks(arm64, join(folder, 'daemon')),
  ...libvoskChecks(arm64, join(folder, 'libvosk')),
];

// What was started has process groups of its own, which Ctrl-C does not reach.
for (const signal of ['SIGINT', 'SIGTERM'] as const)
  process.once(signal, () => {
    arm64.killAll();
    process.exit(1);
  });

const count = { passed: 0, failed: 0 };
for (const { name, run } of checks) {
  const startedAtMs = performance.now();
  let trouble: string | undefined;
  try {
    await run();
  } catch (error) {
    trouble = messageOf(error);
  }
  const tookMs = Math.round(performance.now() - startedAtMs);
  count[trouble === undefined ? 'passed' : 'failed'] += 1;
  console.log(`${trouble === undefined ? '✓' : '✗'} ${name} (${tookMs} ms)`);
  if (trouble !== undefined) console.log(trouble.replace(/^/gmu, '    '));
}
arm64.killAll();
rmSync(folder, { recursive: true });
console.log(`${count.passed} passed, ${count.failed} failed`);
process.exitCode = count.failed === 0 ? 0 : 1;
