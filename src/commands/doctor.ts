import type { Check } from '../composition/check.ts';
import { runChecks } from '../composition/checks.ts';
import { loadNodeOrDemo } from '../composition/node.ts';
import { demoSite } from '../demo.ts';
import type { Language } from '../domain/language/language.ts';
import { terminalText } from './terminal-text.ts';

interface DoctorOptions {
  readonly config?: string;
  readonly language?: Language;
  readonly json: boolean;
}

/** `hermes-edge doctor`: one line a part, and how to mend what is wrong. Exit status 1 when something is. */
export async function doctor(options: DoctorOptions): Promise<void> {
  const site =
    options.language === undefined ? await loadNodeOrDemo(options.config) : demoSite(options.language);
  const checks: Check[] = [];
  await runChecks(site, (check) => {
    checks.push(check);
    if (options.json) return;
    process.stdout.write(`${check.ok ? '✓' : '✗'} ${check.part}: ${terminalText(check.detail)}\n`);
    if (check.fix !== undefined) process.stdout.write(`    ${terminalText(check.fix)}\n`);
  });
  if (options.json) process.stdout.write(`${JSON.stringify({ ok: checks.every(({ ok }) => ok), checks })}\n`);
  if (checks.some(({ ok }) => !ok)) process.exitCode = 1;
}
