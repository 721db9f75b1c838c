import { describe, expect, it } from 'vitest';
import { noDaemon } from '../../../src/commands/no-daemon.ts';

describe('the error when no daemon answers', () => {
  it('says how to name the configuration of one that runs elsewhere', () => {
    expect(noDaemon(undefined)).toMatchObject({
      code: 'NO_DAEMON',
      hint: 'give --config FILE or set HERMES_EDGE_CONFIG',
    });
    expect(noDaemon(undefined, 'name a file').hint).toBe(
      'give --config FILE or set HERMES_EDGE_CONFIG; or name a file',
    );
  });
});
