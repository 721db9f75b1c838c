import { execFileSync } from 'node:child_process';
import { existsSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { clockState, isDisciplined } from '../../../src/adapters/systemd/clock-state.ts';
import { SYSTEM_PYTHON } from '../../support/pymodbus-server.ts';

const PROGRAM = `
import ctypes
class Timex(ctypes.Structure):
    _fields_ = [("modes", ctypes.c_uint), ("offset", ctypes.c_long), ("freq", ctypes.c_long),
                ("maxerror", ctypes.c_long), ("esterror", ctypes.c_long), ("status", ctypes.c_int),
                ("rest", ctypes.c_byte * 300)]
timex = Timex()
state = ctypes.CDLL(None).adjtimex(ctypes.byref(timex))
print(state >= 0 and timex.status & 0x40 == 0)
`;

describe('the state of the clock', () => {
  it('is what the kernel tells another program', () => {
    const other = execFileSync(SYSTEM_PYTHON, ['-c', PROGRAM], { encoding: 'utf8' }).trim();
    expect(isDisciplined()).toBe(other === 'True');
  });

  it('is synced only where the kernel or timesyncd says so', () => {
    const isKnown = isDisciplined() || existsSync('/run/systemd/timesync/synchronized');
    expect(clockState()).toBe(isKnown ? 'synced' : 'unsynced');
  });
});
