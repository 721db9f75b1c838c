import { afterEach, describe, expect, it } from 'vitest';
import { WriteSettler } from '../../../../src/app/plc/write-settler.ts';
import type { WriteOutcome } from '../../../../src/domain/plc/writing/write-order.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { AuditList } from '../../../support/audit-list.ts';
import { eventually } from '../../../support/eventually.ts';
import { JumpingTime } from '../../../support/jumping-time.ts';

const BEGUN = {
  machine: 'pump-3',
  point: 'setpoint',
  by: 'Wang',
  because: 'trial batch',
  asked: 40,
  written: 40,
  is_rounded: false,
  place: 'plc holding 1 1 uint16 ABCD',
  words: [40],
  words_before: [30],
};

let settler: WriteSettler | undefined;
afterEach(() => settler?.stop(1000));

/** Settles in as many rounds as `answers` has entries; true means that the device answered. */
async function settling(audit: AuditList, answers: boolean[]) {
  const told: WriteOutcome[] = [];
  settler = new WriteSettler({
    writes: 'on',
    trail: audit,
    scheduler: new JumpingTime(),
    logger: silentLogger(),
    onSettled: (outcome) => told.push(outcome),
    writer: {
      settle: async ({ id, machine, point, asked }) => {
        const isRecorded = answers.shift() ?? true;
        if (isRecorded) await audit.append('plc.write.ended', { id });
        return {
          ...(isRecorded
            ? ({ status: 'verified', reason: 'settled_by_reading' } as const)
            : ({ status: 'unknown', reason: 'unreadable' } as const)),
          id,
          ref: { machine, point },
          detail: '',
          asked,
          isRounded: false,
          isRecorded,
        };
      },
    },
  });
  await settler.start();
  return { told, settler };
}

describe('a write that was under way when the program ended', () => {
  it('is looked for until its device answers, then told once', async () => {
    const audit = new AuditList();
    await audit.append('plc.write.begun', { id: 'w1', ...BEGUN });
    const { told, settler: service } = await settling(audit, [false, false, true]);
    await eventually('settled', () => told.length > 0);
    expect(told).toHaveLength(1);
    await eventually('ok', () => service.health().status === 'ok');
    expect(service.health()).toMatchObject({
      detail: 'plant.writes: on',
      figures: { settled_writes: 1, unsettled_writes: 0 },
    });
  });

  it('that another version recorded so that it cannot be read is for a person to look at', async () => {
    const audit = new AuditList();
    await audit.append('plc.write.begun', { id: 'w1' });
    const { settler: service } = await settling(audit, []);
    await eventually('seen', () => service.health().status === 'degraded');
    expect(service.health().detail).toContain('1 unfinished writes');
  });

  it('is looked for again when the audit could not be read', async () => {
    const audit = new AuditList();
    let isBroken = true;
    audit.withoutEnd = async () => {
      if (isBroken) throw new Error('the file is locked');
      return [];
    };
    const { settler: service } = await settling(audit, []);
    await eventually('trouble', () => service.health().detail.includes('the file is locked'));
    isBroken = false;
    await eventually('ok', () => service.health().status === 'ok');
  });
});
