import { z } from 'zod';
import type { Phrasebook } from '../../domain/phrases/phrasebook.ts';
import type { Capability } from '../../tooling/capability.ts';
import type { NodeStatus } from '../node-status.ts';

const argsSchema = z.strictObject({});

/** How this node is: `{ status, version, uptime_s, parts }`, each part with its names in both languages. */
export function nodeStatus(parts: {
  readonly status: () => NodeStatus;
  readonly phrases: Phrasebook;
}): Capability<z.infer<typeof argsSchema>> {
  return {
    name: 'node.status',
    args: argsSchema,
    run: async () => {
      const { status, ready, version, uptime_s, parts: members } = parts.status();
      return {
        status,
        ready,
        version,
        uptime_s,
        parts: members.map(({ name, status: state, detail }) => ({
          name,
          names: { en: parts.phrases.part('en', name), zh: parts.phrases.part('zh', name) },
          status: state,
          detail,
        })),
      };
    },
  };
}
