import { describe, expect, it } from 'vitest';
import { exampleFault } from '../../../../../src/domain/plc/simulation/line-fault.ts';
import { onePlant } from '../../../../support/demo-site.ts';
import { demoPlant, plantOf } from '../../../../support/plant-file.ts';

describe('the fault that is proposed to a newcomer', () => {
  it('is one that a machine of the line can have', () => {
    const demo = [...demoPlant().machines.values()];
    expect(exampleFault(demo)).toEqual({ name: 'overheat', target: 'machine-12' });
    const plain = [...plantOf(onePlant(502)).machines.values()];
    expect(exampleFault(plain.toReversed())).toEqual({ name: 'dead', target: 'pump-3' });
    expect(exampleFault([])).toBeUndefined();
  });
});
