import { describe, expect, it } from 'vitest';
import { partLacking, SITE_PARTS } from '../../../../src/domain/tool/site-part.ts';

const NOTHING_SET_UP = new Set(SITE_PARTS);

describe('what a tool lacks at a site', () => {
  it('is what it acts by, whatever else it has', () => {
    expect(partLacking(['people.find', 'files.read', 'mail.send'], NOTHING_SET_UP)).toBe('mail');
    expect(partLacking(['history.over', 'work_orders.close'], NOTHING_SET_UP)).toBe('work_orders');
  });

  it('is the one part that it looks with', () => {
    expect(partLacking(['history.over'], NOTHING_SET_UP)).toBe('history');
    expect(partLacking(['plclog.records'], new Set(['plc_logs']))).toBe('plc_logs');
    expect(partLacking(['history.over', 'http.request'], NOTHING_SET_UP)).toBe('history');
  });

  it('is nothing where it can look elsewhere, where all is set up, and where it reaches nothing', () => {
    expect(partLacking(['points.read', 'history.over'], NOTHING_SET_UP)).toBeUndefined();
    expect(partLacking(['history.over', 'http.request'], new Set(['history']))).toBeUndefined();
    expect(partLacking(['mail.send'], new Set())).toBeUndefined();
    expect(partLacking([], NOTHING_SET_UP)).toBeUndefined();
  });
});
