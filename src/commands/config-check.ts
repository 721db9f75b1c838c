import { checkNamedFiles, loadNode } from '../composition/node.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import { print } from './print.ts';

const USAGE_STATUS = 2;

/** `hermes-edge config check`: exit status 2 with file, line and fault of everything that is wrong. */
export async function configCheck(
  file: string | undefined,
  options: { readonly config?: string; readonly json: boolean },
): Promise<void> {
  let node: ReturnType<typeof loadNode>;
  try {
    node = loadNode(file ?? options.config);
    checkNamedFiles(node);
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
  };
  print(
    options.json,
    result,
    () => `The configuration is valid: ${result.machines} machines with ${points} points.`,
  );
}
