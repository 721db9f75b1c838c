import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { machineModel, SCAN_S } from '../../../../../src/domain/plc/simulation/machine-model.ts';
import {
  type Behaviours,
  type MachineFault,
  simulatedSchema,
} from '../../../../../src/domain/plc/simulation/simulated-behaviour.ts';
import {
  type MachineState,
  runMachine,
  shownValue,
  startMachine,
  writePoint,
} from '../../../../../src/domain/plc/simulation/simulated-machine.ts';

const NOON = { nowS: 1_800_000_000, sinceStartS: 0 };

/** A machine that can be driven by the second. */
function machineOf(settings: Readonly<Record<string, unknown>>, seed = 7) {
  const behaviours: Behaviours = Object.fromEntries(
    Object.entries(settings).map(([key, behaviour]) => [key, simulatedSchema.parse(behaviour)]),
  );
  const model = machineModel(behaviours, seed);
  let state: MachineState = startMachine(model);
  const events: string[] = [];
  return {
    model,
    events,
    run(seconds: number, ...faults: readonly MachineFault[]) {
      const run = runMachine(state, model, Math.round(seconds / SCAN_S), faults);
      state = run.state;
      events.push(...run.events.map(({ name }) => name));
      return this;
    },
    write(key: string, value: number | boolean): boolean {
      const written = writePoint(state, model, key, value);
      state = written ?? state;
      return written !== undefined;
    },
    value: (key: string) => shownValue(state, model, model.indexOf(key), NOON),
    number(key: string): number {
      return Number(this.value(key));
    },
    get state() {
      return state;
    },
  };
}

const WORKSHOP = {
  mode: { behaviour: 'running', on_s: 40, off_s: 10, switch: 'switch', stops_while: 'door', fault_value: 2 },
  switch: { behaviour: 'setpoint', start: true },
  door: { behaviour: 'door', every_s: 60, for_s: 5 },
  setpoint: { behaviour: 'setpoint', start: 1000, min: 0, max: 2000 },
  speed: {
    behaviour: 'process',
    mean_of: 'setpoint',
    swing: 20,
    period_s: 30,
    noise: 3,
    time_constant_s: 2,
    at_rest: 0,
    faults: { jam: { to: 0 } },
  },
  temperature: {
    behaviour: 'process',
    mean: 60,
    time_constant_s: 30,
    cooling_time_constant_s: 90,
    at_rest: 20,
    start: 20,
    adds: [{ of: 'speed', per_unit: 0.02, from: 1000 }],
    faults: { overheat: { adds: 60 } },
    trip_above: 95,
  },
  wear: { behaviour: 'wear', per_hour: 20, start: 5, reset_by: 'maintenance' },
  maintenance: { behaviour: 'setpoint', start: false, momentary: true },
  vibration: {
    behaviour: 'process',
    mean: 1,
    time_constant_s: 1,
    at_rest: 0,
    adds: [
      { of: 'wear', per_unit: 0.05 },
      { of: 'speed', per_unit: 0.001, from: 1000 },
    ],
  },
  count: { behaviour: 'counter', per_minute: 30, scales_with: { of: 'speed', nominal: 1000 } },
  scrap: { behaviour: 'scrap', of: 'count', chance: 0.1, adds: [{ of: 'wear', per_unit: 0.005 }] },
  good: { behaviour: 'difference', of: 'count', minus: 'scrap' },
  step: {
    behaviour: 'steps',
    steps: [
      { value: 1, for_s: 7 },
      { value: 2, for_s: 13 },
    ],
  },
  batch: { behaviour: 'batches', of: 'step' },
} as const;

describe('a simulated machine', () => {
  it('covers 63 % of the way to its mean in one time constant', () => {
    const settings = { temperature: { behaviour: 'process', mean: 100, start: 0, time_constant_s: 60 } };
    expect(machineOf(settings).value('temperature')).toBe(0);
    expect(machineOf(settings).run(60).value('temperature')).toBeCloseTo(63.2, 1);
    expect(machineOf(settings).run(600).value('temperature')).toBeCloseTo(100, 2);
  });

  it('is the same to the last bit in many small steps as in a large one, whatever happens in it', () => {
    fc.assert(
      fc.property(
        fc.array(fc.nat({ max: 400 }), { minLength: 1, maxLength: 30 }),
        fc.constantFrom<readonly MachineFault[]>([], ['jam'], ['overheat'], ['jam', 'overheat']),
        (steps, faults) => {
          const inSteps = machineOf(WORKSHOP);
          for (const scans of steps) inSteps.run(scans * SCAN_S, ...faults);
          const atOnce = machineOf(WORKSHOP).run(
            steps.reduce((sum, scans) => sum + scans, 0) * SCAN_S,
            ...faults,
          );
          expect(inSteps.state).toEqual(atOnce.state);
          expect(inSteps.events).toEqual(atOnce.events);
        },
      ),
      { numRuns: 60 },
    );
  });

  it('stays within what physics allow, whatever is written and whatever breaks', () => {
    const action = fc.record({
      seconds: fc.integer({ min: 1, max: 120 }),
      speed: fc.integer({ min: 0, max: 2000 }),
      on: fc.boolean(),
      faults: fc.subarray<MachineFault>(['jam', 'overheat']),
    });
    fc.assert(
      fc.property(fc.array(action, { maxLength: 12 }), (actions) => {
        const machine = machineOf(WORKSHOP);
        let count = 0;
        for (const { seconds, speed, on, faults } of actions) {
          machine.write('setpoint', speed);
          machine.write('switch', on);
          machine.run(seconds, ...faults);
          expect(machine.number('temperature')).toBeGreaterThan(0);
          expect(machine.number('temperature')).toBeLessThan(150);
          expect(machine.number('speed')).toBeGreaterThan(-50);
          expect(machine.number('speed')).toBeLessThan(2100);
          expect(machine.number('wear')).toBeLessThanOrEqual(100);
          expect(machine.number('count')).toBeGreaterThanOrEqual(count);
          expect(machine.number('scrap')).toBeLessThanOrEqual(machine.number('count'));
          count = machine.number('count');
        }
      }),
      { numRuns: 60 },
    );
  });

  it('swings around its mean', () => {
    const settings = {
      level: { behaviour: 'process', mean: 50, swing: 10, period_s: 100, time_constant_s: 0.01 },
    };
    expect(machineOf(settings).run(25).value('level')).toBeCloseTo(60, 3);
    expect(machineOf(settings).run(75).value('level')).toBeCloseTo(40, 3);
  });

  it('has noise of the size asked for, the same for the same seed however often one looks', () => {
    const settings = { speed: { behaviour: 'process', mean: 0, noise: 2 } };
    const draw = (seed: number): number[] => {
      const machine = machineOf(settings, seed);
      return Array.from({ length: 2_000 }, () => machine.run(SCAN_S).number('speed'));
    };
    const values = draw(1);
    const deviation = Math.sqrt(values.reduce((sum, value) => sum + value * value, 0) / values.length);
    expect(deviation).toBeGreaterThan(1.8);
    expect(deviation).toBeLessThan(2.2);
    expect(draw(1)).toEqual(values);
    expect(draw(2)).not.toEqual(values);
    const machine = machineOf(settings).run(1);
    expect(machine.value('speed')).toBe(machine.value('speed'));
  });

  it('rests in turn: its speed falls, its counter stands still', () => {
    const settings = {
      status: { behaviour: 'running', on_s: 60, off_s: 40 },
      speed: { behaviour: 'process', mean: 80, at_rest: 0, time_constant_s: 1 },
      count: { behaviour: 'counter', per_minute: 30, start: 5 },
    };
    const conveyor = machineOf(settings).run(30);
    expect(conveyor.value('status')).toBe(1);
    expect(conveyor.value('count')).toBe(20);
    expect(conveyor.value('speed')).toBeCloseTo(80, 6);
    conveyor.run(60);
    expect(conveyor.value('status')).toBe(0);
    expect(conveyor.number('count')).toBe(34);
    expect(conveyor.value('speed')).toBeCloseTo(0, 6);
    expect(conveyor.run(40).value('status')).toBe(1);
    expect(conveyor.events).toEqual(['stop', 'start']);
  });

  it('starts its counter over where it wraps, and goes on from a count that is written', () => {
    const press = machineOf({
      count: { behaviour: 'counter', per_minute: 60, start: 98, wraps_at: 100 },
    });
    expect(press.run(1).value('count')).toBe(99);
    expect(press.run(2).value('count')).toBe(1);
    expect(press.write('count', 50)).toBe(true);
    expect(press.run(4).value('count')).toBe(54);
  });
});

describe('the points of a simulated machine act on each other', () => {
  const { door: _door, ...withoutDoor } = WORKSHOP;
  const quiet = {
    ...withoutDoor,
    mode: { ...WORKSHOP.mode, off_s: 0, stops_while: undefined },
    speed: { ...WORKSHOP.speed, swing: 0, noise: 0 },
  };

  it('a written speed changes speed, temperature, vibration and pace', () => {
    const slow = machineOf(quiet).run(300);
    const fast = machineOf(quiet);
    fast.write('setpoint', 1500);
    fast.run(300);
    expect(fast.number('speed')).toBeCloseTo(1500, 1);
    expect(slow.number('temperature')).toBeCloseTo(60, 1);
    expect(fast.number('temperature')).toBeCloseTo(70, 1);
    expect(fast.number('vibration') - slow.number('vibration')).toBeCloseTo(0.5, 2);
    expect(slow.number('count')).toBeGreaterThan(147);
    expect(fast.number('count')).toBeGreaterThan(slow.number('count') * 1.45);
  });

  it('refuses a setpoint that its PLC would not take', () => {
    const machine = machineOf(quiet);
    expect(machine.write('setpoint', 2001)).toBe(false);
    expect(machine.write('setpoint', Number.NaN)).toBe(false);
    expect(machine.write('scrap', 0)).toBe(false);
    expect(machine.value('setpoint')).toBe(1000);
  });

  it('a switch stops it and starts it again', () => {
    const machine = machineOf(quiet).run(60);
    const count = machine.run(1).number('count');
    machine.write('switch', false);
    expect(machine.run(60).value('mode')).toBe(0);
    expect(machine.number('speed')).toBeCloseTo(0, 2);
    expect(machine.number('count')).toBeLessThanOrEqual(count + 1);
    machine.write('switch', true);
    expect(machine.run(1).value('mode')).toBe(1);
    expect(machine.events.filter((name) => name !== 'batch_done')).toEqual(['stop', 'start']);
  });

  it('cools more slowly than it heats', () => {
    const machine = machineOf(quiet).run(600);
    machine.write('switch', false);
    expect(machine.run(90).number('temperature')).toBeCloseTo(20 + 40 * Math.exp(-1), 0);
  });

  it('wears with the hours it runs, shakes more for it, and is as new after maintenance', () => {
    const machine = machineOf(quiet).run(3_600);
    expect(machine.number('wear')).toBeCloseTo(25, 1);
    expect(machine.number('vibration')).toBeCloseTo(1 + 0.05 * 25, 1);
    machine.write('maintenance', true);
    expect(machine.run(1).number('wear')).toBeLessThan(0.1);
    expect(machine.value('maintenance')).toBe(0);
    expect(machine.events.filter((name) => name !== 'batch_done')).toEqual(['maintenance']);
  });

  it('makes scrap with the chance that it has, more when worn, and each piece is good or scrap', () => {
    const fresh = machineOf({ ...quiet, wear: { ...WORKSHOP.wear, start: 0, per_hour: 0 } }).run(7_200);
    const worn = machineOf({ ...quiet, wear: { ...WORKSHOP.wear, start: 60, per_hour: 0 } }).run(7_200);
    const share = (machine: typeof fresh) => machine.number('scrap') / machine.number('count');
    expect(share(fresh)).toBeGreaterThan(0.08);
    expect(share(fresh)).toBeLessThan(0.12);
    expect(share(worn)).toBeGreaterThan(0.36);
    expect(share(worn)).toBeLessThan(0.44);
    // What is in the works this scan is counted by the next.
    expect(fresh.number('good') + fresh.number('scrap')).toBeGreaterThanOrEqual(fresh.number('count') - 1);
  });

  it('goes through the steps of a batch and counts what is done', () => {
    const machine = machineOf(quiet);
    expect(machine.value('step')).toBe(1);
    expect(machine.run(10).value('step')).toBe(2);
    expect(machine.value('batch')).toBe(0);
    expect(machine.run(11).value('step')).toBe(1);
    expect(machine.value('batch')).toBe(1);
  });

  it('a tank holds what flows in less what flows out, and neither overflows nor runs dry', () => {
    const tank = (inflow: number) =>
      machineOf({
        flow: { behaviour: 'constant', value: inflow },
        'out-flow': { behaviour: 'constant', value: 60 },
        level: {
          behaviour: 'level',
          start: 2,
          max: 5,
          adds: [
            { of: 'flow', per_unit: 0.0001 },
            { of: 'out-flow', per_unit: -0.0001 },
          ],
        },
      });
    expect(tank(60).run(3_600).value('level')).toBeCloseTo(2, 9);
    expect(tank(70).run(600).value('level')).toBeCloseTo(2.6, 6);
    expect(tank(1000).run(3_600).value('level')).toBe(5);
    expect(tank(0).run(3_600).value('level')).toBe(0);
  });

  it('stands while its door is open, once in each period', () => {
    const machine = machineOf({
      mode: { behaviour: 'running', stops_while: 'door' },
      door: { behaviour: 'door', every_s: 60, for_s: 6 },
    }).run(600);
    expect(machine.events.filter((name) => name === 'door_open').length).toBe(10);
    expect(machine.events.filter((name) => name === 'stop').length).toBeGreaterThanOrEqual(9);
  });

  it('has a clock that is ahead, and drifts', () => {
    const { model, state } = machineOf({
      clock: { behaviour: 'clock', offset_s: 90, drift_s_per_day: 24 },
    });
    expect(shownValue(state, model, 0, { nowS: 1000.5, sinceStartS: 0 })).toBe(1090);
    expect(shownValue(state, model, 0, { nowS: 1000.5 + 43_200, sinceStartS: 43_200 })).toBe(44_302);
  });

  it('overheats over minutes, trips at its limit, and recovers when the fault is gone and it has cooled', () => {
    const machine = machineOf(quiet).run(300);
    machine.run(20, 'overheat');
    expect(machine.number('temperature')).toBeGreaterThan(80);
    expect(machine.value('mode')).toBe(1);
    machine.run(60, 'overheat');
    expect(machine.value('mode')).toBe(2);
    expect(machine.number('temperature')).toBeGreaterThan(95);
    machine.run(1);
    expect(machine.value('mode')).toBe(2);
    machine.run(200);
    expect(machine.value('mode')).toBe(1);
    expect(machine.events.filter((name) => name !== 'batch_done')).toEqual([
      'overheat',
      'stop',
      'recovered',
      'start',
    ]);
  });

  it('jams: its counter stops at once, and its drive stays on', () => {
    const machine = machineOf(quiet).run(60);
    const count = machine.number('count');
    machine.run(60, 'jam');
    expect(machine.number('count')).toBe(count);
    expect(machine.value('mode')).toBe(2);
    expect(machine.number('speed')).toBeCloseTo(0, 1);
    machine.run(60);
    expect(machine.value('mode')).toBe(1);
    expect(machine.number('count')).toBeGreaterThan(count);
  });

  it('refuses settings it does not know', () => {
    expect(simulatedSchema.safeParse({ behaviour: 'process', mean: 1, drift: 2 }).success).toBe(false);
    expect(simulatedSchema.safeParse({ behaviour: 'chaos' }).success).toBe(false);
  });
});
