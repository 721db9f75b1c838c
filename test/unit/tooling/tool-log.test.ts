import { Writable } from 'node:stream';
import { pino } from 'pino';
import { expect, it } from 'vitest';
import { ToolLog } from '../../../src/tooling/tool-log.ts';

it('writes start and success at debug and a failure at warn, with ids, duration, digest and code, and no arguments', () => {
  const lines: unknown[] = [];
  const sink = new Writable({
    write(chunk, _encoding, done) {
      lines.push(JSON.parse(String(chunk)));
      done();
    },
  });
  const log = new ToolLog(
    pino(
      { level: 'debug', base: null, timestamp: false, formatters: { level: (level) => ({ level }) } },
      sink,
    ),
  );
  const event = {
    callId: 'c-1',
    tool: 'read-value',
    sessionId: 's-1',
    turnId: 'tr_0123456789ab',
    origin: 'ask',
    path: [],
    inputDigest: '0123456789ab',
    args: { machine: 'kiln' },
  } as const;
  log.onStart(event);
  log.onSuccess({ ...event, durationMs: 12.4, degradedBy: 'tool' });
  log.onFailure({ ...event, path: ['compare'], durationMs: 4500.2, code: 'TOOL_TIMEOUT' });
  const fields = {
    tool: 'read-value',
    call_id: 'c-1',
    session_id: 's-1',
    turn_id: 'tr_0123456789ab',
    origin: 'ask',
    input_digest: '0123456789ab',
  };
  expect(lines).toEqual([
    { level: 'debug', ...fields, msg: 'a tool was called' },
    { level: 'debug', ...fields, duration_ms: 12, degraded_by: 'tool', msg: 'a tool has ended well' },
    {
      level: 'warn',
      ...fields,
      within: ['compare'],
      duration_ms: 4500,
      code: 'TOOL_TIMEOUT',
      msg: 'a tool has failed',
    },
  ]);
});
