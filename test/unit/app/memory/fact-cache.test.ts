import { beforeEach, expect, test } from 'vitest';
import { FactCache } from '../../../../src/app/memory/fact-cache.ts';
import type { Fact } from '../../../../src/domain/memory/fact.ts';
import { EdgeError } from '../../../../src/runtime/edge-error.ts';
import { silentLogger } from '../../../../src/runtime/logger.ts';
import { HandTime, settled } from '../../../support/hand-time.ts';
import { fact } from '../../../support/memory-site.ts';

let time: HandTime;
let onDisk: () => Promise<readonly Fact[]>;
let isClockSet: boolean;
let cache: FactCache;

beforeEach(() => {
  time = new HandTime();
  onDisk = async () => [];
  isClockSet = true;
  cache = new FactCache({
    store: { factsNow: () => onDisk() },
    clocks: time,
    scheduler: time,
    logger: silentLogger(),
    isClockSet: () => isClockSet,
  });
});

function known(changes: Partial<Fact> = {}): Fact {
  return fact(0, { value: 'hall 2', validFromMs: 0, recordedAtMs: 0, confirmedAtMs: 0, ...changes });
}

const WHERE = { subject: 'pump-7', attribute: 'location' };

async function loaded(...facts: Fact[]): Promise<void> {
  onDisk = async () => facts;
  await cache.start();
  await settled();
}

test('before the facts are read, nobody knows whether there is one', async () => {
  let give = (_: readonly Fact[]): void => undefined;
  onDisk = () =>
    new Promise((resolve) => {
      give = resolve;
    });
  await cache.start();
  expect(cache.look(WHERE)).toEqual({ kind: 'unknown' });
  expect(cache.health().status).toBe('starting');
  // Written while the rest is read: what is read of it is old.
  cache.take([known({ supersededAtMs: 5, supersededBy: 'new' }), known({ id: 'new', value: 'hall 3' })]);
  give([known()]);
  await settled();
  expect(cache.look(WHERE)).toEqual({ kind: 'known', value: 'hall 3' });
  expect(cache.look({ subject: 'pump-8', attribute: 'location' })).toEqual({ kind: 'none' });
});

test('facts that could not be read are read again', async () => {
  onDisk = async () => {
    throw new EdgeError('MEMORY_DB_FAILED', 'disk I/O error');
  };
  await cache.start();
  await settled();
  expect(cache.health()).toMatchObject({ status: 'degraded' });
  onDisk = async () => [known()];
  time.pass(10_000);
  await settled();
  expect(cache.look(WHERE)).toEqual({ kind: 'known', value: 'hall 2' });
  expect(cache.health().status).toBe('ok');
});

test('a subject is found by its exact id, with its kind and without', async () => {
  await loaded(
    known(),
    known({ id: 'p', subject: 'person:li-na@production', predicate: 'shift', value: 'B' }),
  );
  expect(cache.look({ subject: 'machine:pump-7', attribute: 'location' }).kind).toBe('known');
  expect(cache.look({ subject: 'li-na@production', attribute: 'shift' }).kind).toBe('known');
  expect(cache.look({ subject: 'pump-70', attribute: 'location' }).kind).toBe('none');
  expect(cache.look({ subject: 'pump', attribute: 'location' }).kind).toBe('none');
  expect(cache.look({ subject: 'Pump-7', attribute: 'location' }).kind).toBe('none');
});

test.each<[string, Fact[]]>([
  ['pending', [known({ status: 'pending' })]],
  ['rejected', [known({ status: 'rejected' })]],
  ['past', [known({ validToMs: 500 })]],
  ['to come', [known({ validFromMs: 5_000 })]],
  ['disputed', [known(), known({ id: 'd', value: 'hall 3', source: 'tool', disputes: 'fact-0' })]],
  ['said of two scopes', [known(), known({ id: 's', scope: 'line-2', value: 'hall 3' })]],
])('a fact that is %s is not known', async (_, facts) => {
  await loaded(...facts);
  expect(cache.look(WHERE)).toEqual({ kind: 'unknown' });
});

test('what one signature says against a fact does not make it unknown', async () => {
  await loaded(
    known(),
    known({ id: 'm', value: 'hall 3', status: 'pending', source: 'mqtt', disputes: 'fact-0' }),
  );
  expect(cache.look(WHERE)).toEqual({ kind: 'known', value: 'hall 2' });
});

test('a fact of the day is not known any more once it has faded', async () => {
  await loaded(known({ class: 'logistics' }));
  expect(cache.look(WHERE).kind).toBe('known');
  time.pass(48 * 3_600_000);
  expect(cache.look(WHERE)).toEqual({ kind: 'unknown' });
});

test('by a clock that nobody has set, only what has no end holds', async () => {
  isClockSet = false;
  await loaded(known({ validFromMs: 5_000 }), known({ id: 'b', predicate: 'supplier', validToMs: 5_000 }));
  expect(cache.look(WHERE).kind).toBe('known');
  expect(cache.look({ ...WHERE, attribute: 'supplier' }).kind).toBe('unknown');
});

test('what is forgotten is not there any more', async () => {
  await loaded(known());
  cache.drop(['fact-0']);
  expect(cache.look(WHERE)).toEqual({ kind: 'none' });
  expect(cache.health().figures).toMatchObject({ facts: 0 });
});
