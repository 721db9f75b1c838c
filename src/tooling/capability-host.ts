import { EdgeError } from '../runtime/edge-error.ts';
import { issuesText } from '../runtime/issues-text.ts';
import type { Capability, CapabilityHost } from './capability.ts';

/** A host of these capabilities, each name once. A use of another is refused with TOOL_UNAVAILABLE. */
export function createCapabilityHost(capabilities: readonly Capability[]): CapabilityHost {
  const byName = new Map(capabilities.map((capability) => [capability.name, capability]));
  if (byName.size !== capabilities.length) throw new Error('a capability is given twice');
  return async (name, args, context) => {
    const capability = byName.get(name);
    if (capability === undefined)
      throw new EdgeError('TOOL_UNAVAILABLE', `${name} is not switched on at this site`, {
        hint: 'see the configuration of that part',
      });
    const parsed = capability.args.safeParse(args);
    if (!parsed.success) throw new EdgeError('INPUT_INVALID', `${name}: ${issuesText(parsed.error)}`);
    context.signal.throwIfAborted();
    return capability.run(parsed.data, context);
  };
}
