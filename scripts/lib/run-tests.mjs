// Runs the static checks and the test suites one after another and adds up what they say.
import { spawnSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';

const CHECKS = [
  ['types', ['tsc', '--pretty', 'false']],
  ['format and lint', ['biome', 'ci', '--colors=off', '.']],
  ['rooms', ['depcruise', '--config', '.dependency-cruiser.cjs', '--output-type', 'err', 'src', 'tools']],
  ['dead code', ['knip', '--no-progress']],
];
const SUITES = ['unit', 'contract', 'scenario'];
/** A suite that takes longer hangs: it is ended, so that what was found is still told. */
const SUITE_LIMIT_MS = 25 * 60_000;

const total = { passed: 0, failed: 0, skipped: 0 };
const options = process.argv.slice(2);
const scratch = mkdtempSync(join(tmpdir(), 'hermes-tests-'));

if (options.length === 0) {
  for (const [name, command] of CHECKS) {
    const { status } = spawnSync(join('node_modules', '.bin', command[0]), command.slice(1), {
      stdio: 'inherit',
    });
    console.log(`${status === 0 ? '✓' : '✗'} ${name}`);
    total[status === 0 ? 'passed' : 'failed'] += 1;
  }
}
for (const suite of SUITES) {
  const file = join(scratch, `${suite}.json`);
  const vitest = [
    'run',
    '--project',
    suite,
    // Tests against real parts mostly wait for them; vitest by itself would leave one of two cores unused.
    '--maxWorkers=2',
    '--reporter=default',
    '--reporter=json',
    `--outputFile.json=${file}`,
  ];
  const { status, signal } = spawnSync(
    join('node_modules', '.bin', 'vitest'),
    [...vitest, ...(options.length === 0 ? [] : ['--passWithNoTests']), ...options],
    { stdio: 'inherit', timeout: SUITE_LIMIT_MS, killSignal: 'SIGKILL' },
  );
  if (signal !== null)
    console.error(
      `the ${suite} suite was ended by ${signal}: it did not end in ${SUITE_LIMIT_MS / 60_000} minutes`,
    );
  const report = readReport(file);
  total.passed += report?.numPassedTests ?? 0;
  total.skipped += (report?.numPendingTests ?? 0) + (report?.numTodoTests ?? 0);
  const failed = report?.numFailedTests ?? 0;
  // A suite that cannot even be loaded, or of which nothing ran, fails without a failed test.
  const ranNothing = options.length === 0 && (report === undefined || report.numTotalTests === 0);
  total.failed += failed === 0 && (status !== 0 || ranNothing) ? 1 : failed;
}
rmSync(scratch, { recursive: true });
if (options.length > 0 && total.passed + total.failed === 0) {
  console.error(`nothing matches ${options.join(' ')}`);
  total.failed += 1;
}
console.log(`${total.passed} passed, ${total.failed} failed, ${total.skipped} skipped`);
process.exitCode = total.failed === 0 ? 0 : 1;

function readReport(file) {
  try {
    return JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    console.error(`no report from the suite: ${error.message}`);
    return undefined;
  }
}
