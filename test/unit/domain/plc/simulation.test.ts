import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import {
  type Behaviours,
  simulatedSchema,
  startMachine,
  stepMachine,
} from '../../../../src/domain/plc/simulation.ts';

function behaviours(settings: Readonly<Record<string, unknown>>): Behaviours {
  return Object.fromEntries(
    Object.entries(settings).map(([key, behaviour]) => [key, simulatedSchema.parse(behaviour)]),
  );
}

/** The values after the given steps, seconds. */
function valuesAfter(machine: Behaviours, ...stepsS: number[]) {
  let state = startMachine(machine, 7);
  for (const stepS of stepsS) state = stepMachine(state, machine, stepS);
  return state.values;
}

describe('a simulated machine', () => {
  it('covers 63 % of the way to its mean in one time constant', () => {
    const oven = behaviours({
      temperature: { behaviour: 'process', mean: 100, start: 0, time_constant_s: 60 },
    });
    expect(valuesAfter(oven)['temperature']).toBe(0);
    expect(valuesAfter(oven, 60)['temperature']).toBeCloseTo(63.2, 1);
    expect(valuesAfter(oven, 600)['temperature']).toBeCloseTo(100, 2);
  });

  it('gets to the same value in many small steps as in a large one', () => {
    const oven = behaviours({
      temperature: { behaviour: 'process', mean: 100, start: 20, time_constant_s: 30 },
    });
    fc.assert(
      fc.property(fc.array(fc.double({ min: 0, max: 5, noNaN: true }), { maxLength: 50 }), (stepsS) => {
        const totalS = stepsS.reduce((sum, stepS) => sum + stepS, 0);
        expect(valuesAfter(oven, ...stepsS)['temperature']).toBeCloseTo(
          Number(valuesAfter(oven, totalS)['temperature']),
          6,
        );
      }),
    );
  });

  it('swings around its mean', () => {
    const tank = behaviours({
      level: { behaviour: 'process', mean: 50, swing: 10, period_s: 100, time_constant_s: 0.01 },
    });
    expect(valuesAfter(tank, 25)['level']).toBeCloseTo(60, 3);
    expect(valuesAfter(tank, 75)['level']).toBeCloseTo(40, 3);
  });

  it('has noise of the size asked for, the same for the same seed', () => {
    const motor = behaviours({ speed: { behaviour: 'process', mean: 0, noise: 2 } });
    const draw = (seed: number): number[] => {
      const values: number[] = [];
      let state = startMachine(motor, seed);
      for (let step = 0; step < 2_000; step += 1) {
        state = stepMachine(state, motor, 1);
        values.push(Number(state.values['speed']));
      }
      return values;
    };
    const values = draw(1);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
    expect(deviation).toBeGreaterThan(1.8);
    expect(deviation).toBeLessThan(2.2);
    expect(draw(1)).toEqual(values);
    expect(draw(2)).not.toEqual(values);
  });

  it('rests in turn: its speed falls, its counter stands still', () => {
    const conveyor = behaviours({
      status: { behaviour: 'running', on_s: 60, off_s: 40 },
      speed: { behaviour: 'process', mean: 80, at_rest: 0, time_constant_s: 1 },
      count: { behaviour: 'counter', per_minute: 30, start: 5 },
    });
    expect(valuesAfter(conveyor, 30)).toMatchObject({ status: true, count: 20 });
    expect(valuesAfter(conveyor, 30)['speed']).toBeCloseTo(80, 6);
    expect(valuesAfter(conveyor, 90)).toMatchObject({ status: false, count: 35 });
    expect(valuesAfter(conveyor, 59, 31)['speed']).toBeCloseTo(0, 6);
    expect(valuesAfter(conveyor, 130)).toMatchObject({ status: true, count: 50 });
  });

  it('counts the same in any steps, since rests are counted exactly', () => {
    const conveyor = behaviours({
      status: { behaviour: 'running', on_s: 7, off_s: 3 },
      count: { behaviour: 'counter', per_minute: 60 },
    });
    expect(valuesAfter(conveyor, 100)['count']).toBe(70);
    expect(valuesAfter(conveyor, 5, 5, 5, 85)['count']).toBe(70);
  });

  it('starts its counter over where it wraps', () => {
    const press = behaviours({ count: { behaviour: 'counter', per_minute: 60, start: 98, wraps_at: 100 } });
    expect(valuesAfter(press, 1)['count']).toBe(99);
    expect(valuesAfter(press, 3)['count']).toBe(1);
  });

  it('refuses settings it does not know', () => {
    expect(simulatedSchema.safeParse({ behaviour: 'process', mean: 1, drift: 2 }).success).toBe(false);
    expect(simulatedSchema.safeParse({ behaviour: 'chaos' }).success).toBe(false);
  });
});
