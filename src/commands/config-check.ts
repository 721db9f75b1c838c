import { type FilesRead, notSetUpLines, readNamedFiles } from '../composition/named-files.ts';
import { loadNode, missingFiles } from '../composition/node.ts';
import type { Site } from '../composition/site.ts';
import { EdgeError, isEdgeError } from '../runtime/edge-error.ts';
import { print } from './print.ts';

const USAGE_STATUS = 2;

/** `hermes-edge config check`: exit status 2 with file, line and fault of everything that is wrong, in the files that it names too. */
export async function configCheck(
  file: string | undefined,
  options: { readonly config?: string; readonly json: boolean },
): Promise<void> {
  let node: Site;
  let files: readonly FilesRead[];
  try {
    node = loadNode(file ?? options.config);
    files = await soundFiles(node);
  } catch (error) {
    if (!options.json || !isEdgeError(error)) throw error;
    const { code, message, hint } = error;
    process.stdout.write(`${JSON.stringify({ ok: false, code, faults: message.split('\n'), hint })}\n`);
    process.exitCode = USAGE_STATUS;
    return;
  }
  const points = node.plant.points().length;
  const result = {
    ok: true,
    site: node.config.site,
    node: node.config.node,
    machines: node.plant.machines.size,
    points,
    not_set_up: files.flatMap(({ notSetUp = [] }) => notSetUp),
  };
  print(options.json, result, () =>
    [
      `The configuration is valid: ${result.machines} machines with ${points} points.`,
      ...files.flatMap(notSetUpLines).map((line) => `  ${line}`),
    ].join('\n'),
  );
}

/** A rule is warned of only where its tool or workflow is at fault, so that warnings never stand alone. */
async function soundFiles(node: Site): Promise<readonly FilesRead[]> {
  const files = await readNamedFiles(node);
  const faults = [...missingFiles(node), ...files.flatMap((each) => each.faults)];
  const warnings = files.flatMap((each) => each.warnings.map((warning) => `warning: ${warning}`));
  if (faults.length + warnings.length > 0)
    throw new EdgeError('CONFIG_INVALID', [...faults, ...warnings].join('\n'));
  return files;
}
