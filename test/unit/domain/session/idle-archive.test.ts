import { describe, expect, it } from 'vitest';
import {
  archiveDueAtMs,
  dueForArchive,
  nextArchiveAtMs,
} from '../../../../src/domain/session/idle-archive.ts';
import { IDLE_SESSION } from '../../../../src/domain/session/session-state.ts';
import { SessionDriver } from '../../../support/session-driver.ts';
import { transcript, UNDERSTOOD, workOrderAsked } from '../../../support/session-events.ts';

const MINUTE_MS = 60_000;
const idle = (lastAccessMs: number) => ({ lastAccessMs, state: IDLE_SESSION });

describe('a session that nobody uses', () => {
  it('is archived after 15 minutes, whether or not anybody asks for it again', () => {
    const session = idle(0);
    expect(dueForArchive([session], 15 * MINUTE_MS - 1)).toEqual([]);
    expect(dueForArchive([session], 15 * MINUTE_MS)).toEqual([session]);
  });

  it('is renewed by every access', () => {
    expect(dueForArchive([idle(10 * MINUTE_MS)], 15 * MINUTE_MS)).toEqual([]);
  });

  it('is not archived while it works or holds a parked confirmation', () => {
    const working = new SessionDriver().take(transcript('tr_1'));
    const parked = new SessionDriver()
      .take(transcript('tr_1'), UNDERSTOOD, workOrderAsked('c1'))
      .wait(60_000);
    for (const { state } of [working, parked])
      expect(archiveDueAtMs({ lastAccessMs: 0, state })).toBeUndefined();
    parked.wait(30 * MINUTE_MS);
    expect(archiveDueAtMs({ lastAccessMs: 0, state: parked.state })).toBe(15 * MINUTE_MS);
  });

  it('says when to look again', () => {
    expect(nextArchiveAtMs([idle(5000), idle(2000)])).toBe(15 * MINUTE_MS + 2000);
    expect(nextArchiveAtMs([])).toBeUndefined();
  });
});
