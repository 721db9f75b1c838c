import { loadNode } from '../composition/node.ts';
import { print } from './print.ts';

/** `hermes-edge config check`: exit status 2 with file, line and fault of everything that is wrong. */
export async function configCheck(
  file: string | undefined,
  options: { readonly config?: string; readonly json: boolean },
): Promise<void> {
  const node = loadNode(file ?? options.config);
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
