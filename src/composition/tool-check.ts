import { dirname, resolve } from 'node:path';
import { ownFaults, toolValidationError } from '../tooling/tool-entry.ts';
import { createRuntime } from './runtime.ts';
import { readPack } from './tool-packs.ts';
import { composeSandbox, composeTester } from './tools.ts';

export interface PackCheck {
  readonly name: string;
  readonly tests: readonly { readonly name: string; readonly failure: string | undefined }[];
}

/**
 * Checks one tool pack and runs its tests as the daemon does, without one. Throws EdgeError TOOL_VALIDATION with file, line and
 * fault of everything that is wrong with its files.
 */
export async function checkToolPack(folder: string): Promise<PackCheck> {
  const { name, content } = readPack(folder, 'site');
  if (!content.ok) throw toolValidationError(content.faults);
  const faults = ownFaults(name, content);
  if (faults.length > 0) throw toolValidationError(faults);
  const sandbox = composeSandbox(dirname(resolve(folder)), createRuntime('silent'), 1);
  const tester = composeTester(sandbox);
  await sandbox.start();
  try {
    const tests: { name: string; failure: string | undefined }[] = [];
    for (const testCase of content.cases) {
      const failure = await tester.failureOf(content.pack, testCase, new AbortController().signal);
      tests.push({ name: testCase.name, failure });
    }
    return { name, tests };
  } finally {
    await sandbox.stop();
  }
}
