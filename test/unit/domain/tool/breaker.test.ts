import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  askBreaker,
  type Breaker,
  CLOSED,
  recordCall,
  recordHealth,
} from '../../../../src/domain/tool/breaker.ts';
import { TOOL_ERROR_CODES, type ToolErrorCode } from '../../../../src/domain/tool/tool-call.ts';

const policy = { timeouts: 3, failures: 5, cooldown_ms: 600_000 };

function withCalls(
  codes: readonly (ToolErrorCode | undefined)[],
  from: Breaker = CLOSED,
  nowMs = 0,
): Breaker {
  return codes.reduce<Breaker>((breaker, code) => recordCall(breaker, code, nowMs, policy), from);
}

const OPEN = withCalls(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', 'TOOL_TIMEOUT']);

describe('a breaker', () => {
  it('opens for ten minutes after three timeouts in a row', () => {
    expect(withCalls(['TOOL_TIMEOUT', 'TOOL_TIMEOUT']).name).toBe('CLOSED');
    expect(OPEN).toEqual({ name: 'OPEN', checkAtMs: 600_000, trips: 1 });
  });

  it('opens after five infrastructure failures, timeouts among them', () => {
    const four: ToolErrorCode[] = ['TOOL_FAILED', 'TOOL_TIMEOUT', 'TOOL_OOM', 'TOOL_UNAVAILABLE'];
    expect(withCalls(four).name).toBe('CLOSED');
    expect(withCalls([...four, 'OUTCOME_UNKNOWN']).name).toBe('OPEN');
  });

  it('forgets failures at the first success', () => {
    expect(withCalls(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', undefined, 'TOOL_TIMEOUT', 'TOOL_TIMEOUT']).name).toBe(
      'CLOSED',
    );
  });

  it.each(['INPUT_INVALID', 'DENIED', 'NOT_CONFIRMED', 'TOOL_BUSY', 'CANCELLED', 'REPEATED_CALL'] as const)(
    'counts no %s: that is not the far side’s fault',
    (code) => {
      expect(withCalls(Array.from({ length: 20 }, () => code))).toEqual(CLOSED);
    },
  );

  it('lets nothing through while it is open, and is not closed by a call that ends late', () => {
    expect(askBreaker(OPEN).admitted).toBe(false);
    expect(withCalls([undefined, 'TOOL_FAILED'], OPEN)).toEqual(OPEN);
  });

  it('is half open after a health check that went well, and then lets one of five through', () => {
    let breaker = recordHealth(OPEN, true, 600_000, policy);
    const admitted: boolean[] = [];
    for (let asked = 0; asked < 10; asked += 1) {
      const asking = askBreaker(breaker);
      admitted.push(asking.admitted);
      breaker = asking.breaker;
    }
    expect(admitted).toEqual([true, false, false, false, false, true, false, false, false, false]);
  });

  it('closes when a call that it let through goes well', () => {
    const half = askBreaker(recordHealth(OPEN, true, 600_000, policy)).breaker;
    expect(withCalls([undefined], half)).toEqual(CLOSED);
  });

  it('stays open longer with each failure in a row, up to eight times', () => {
    const waits: number[] = [];
    let breaker = OPEN;
    let nowMs = 600_000;
    for (let trip = 0; trip < 5; trip += 1) {
      breaker = withCalls(
        ['TOOL_TIMEOUT'],
        askBreaker(recordHealth(breaker, true, nowMs, policy)).breaker,
        nowMs,
      );
      if (breaker.name !== 'OPEN') throw new Error('should be open');
      waits.push((breaker.checkAtMs - nowMs) / 600_000);
      nowMs = breaker.checkAtMs;
    }
    expect(waits).toEqual([2, 4, 8, 8, 8]);
  });

  it('stays open longer too when the health check fails', () => {
    expect(recordHealth(OPEN, false, 600_000, policy)).toEqual({
      name: 'OPEN',
      checkAtMs: 1_800_000,
      trips: 2,
    });
  });

  it('never lets a call through after enough timeouts in a row, whatever came before', () => {
    const code = fc.option(fc.constantFrom(...TOOL_ERROR_CODES), { nil: undefined });
    fc.assert(
      fc.property(fc.array(code), (codes) => {
        const breaker = withCalls(['TOOL_TIMEOUT', 'TOOL_TIMEOUT', 'TOOL_TIMEOUT'], withCalls(codes));
        expect(askBreaker(breaker).admitted).toBe(false);
      }),
    );
  });
});
