import { checkPlant } from '../composition/plant-check.ts';
import { plantSummaryLines } from './plant-summary-lines.ts';
import { terminalText } from './terminal-text.ts';

const USAGE_STATUS = 2;

/** `hermes-edge plant check`: exit status 2 with file, line and fault of everything that is wrong; 0 with warnings. */
export async function plantCheck(
  files: readonly string[],
  options: { readonly json: boolean },
): Promise<void> {
  const { faults, warnings, summary } = checkPlant(files);
  if (faults.length > 0) process.exitCode = USAGE_STATUS;
  if (options.json) {
    process.stdout.write(`${JSON.stringify({ ok: faults.length === 0, faults, warnings, ...summary })}\n`);
    return;
  }
  const lines =
    summary === undefined
      ? [...faults, '', `${faults.length} ${faults.length === 1 ? 'fault' : 'faults'}`]
      : [
          ...plantSummaryLines(summary),
          ...(warnings.length === 0 ? [] : ['', 'Legal, and mostly not meant', ...warnings]),
          '',
          `The map is valid: ${summary.machines} machines with ${summary.points} points, ${warnings.length} ${warnings.length === 1 ? 'warning' : 'warnings'}.`,
        ];
  process.stdout.write(`${terminalText(lines.join('\n'))}\n`);
}
