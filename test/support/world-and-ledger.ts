import { createHash } from 'node:crypto';
import type { Action } from '../../src/domain/session/action.ts';
import type { OutsideWorld } from './outside-world.ts';
import type { StateAfter } from './state-after.ts';

/** Everything in which the world and the ledger disagree, once nothing is under way any more. `consents` are counted by action. */
export function disagreements(
  world: Pick<OutsideWorld, 'written' | 'orders' | 'mail'>,
  { actions, audited, waiting, reports, faults: broken }: StateAfter,
  consents: ReadonlyMap<string, number>,
): readonly string[] {
  const faults = [...broken];
  const expect = (holds: boolean, fault: string): void => {
    if (!holds) faults.push(fault);
  };
  const of = (tool: string, ...statuses: readonly Action['status'][]): readonly Action[] =>
    actions.filter(
      (action) => action.tool === tool && (statuses.length === 0 || statuses.includes(action.status)),
    );

  for (const { id, tool, status } of actions)
    expect(!UNDER_WAY.includes(status), `${tool} ${id} is ${status} after the end`);
  expect(waiting === 0, `${waiting} messages still wait`);
  expect((audited.get('session.violation') ?? []).length === 0, 'the audit has violations of a session');

  const begun = (audited.get('plc.write.begun') ?? []).map(({ written }) => written);
  const ended = audited.get('plc.write.ended') ?? [];
  expect(
    ended.length === begun.length,
    `${begun.length} writes were begun, and the audit has ${ended.length} ends`,
  );
  const writes = of('write-value');
  for (const value of new Set(world.written)) {
    const times = world.written.filter((each) => each === value).length;
    const [action, ...more] = writes.filter(({ args }) => args['value'] === value);
    const consented = action === undefined ? 0 : (consents.get(action.id) ?? 0);
    expect(times === 1, `${value} was written ${times} times, after ${consented} consents`);
    expect(consented > 0, `${value} was written, and nobody had consented`);
    expect(begun.includes(value), `${value} was written, and the audit has no begin of it`);
    const status = more.length > 0 ? 'there more than once' : (action?.status ?? 'missing');
    expect(status === 'done' || status === 'unknown', `${value} was written, and its action is ${status}`);
  }
  for (const { id, args, status } of writes)
    expect(
      status !== 'done' || world.written.some((value) => value === args['value']),
      `${id} is done, and was never written`,
    );

  const orders = of('create-work-order');
  for (const key of world.orders.byKey.keys())
    expect(
      orders.some(
        ({ idempotencyKey }) => key === `${idempotencyKey}:create` || key === `${idempotencyKey}:close`,
      ),
      `the work order system has ${key}, which stands in no ledger`,
    );
  for (const { id, idempotencyKey } of orders.filter(({ status }) => status === 'done'))
    expect(world.orders.byKey.has(`${idempotencyKey}:create`), `${id} is done, and there is no such order`);
  const closed = [...world.orders.byKey.keys()].filter((key) => key.endsWith(':close'));
  expect(
    of('close-work-order').filter(({ status }) => status === 'done').length === closed.length,
    `${closed.length} orders are closed, and the ledger has another number`,
  );

  const mails = of('send-message');
  // One may come again under its id: a kill between the acceptance of a mail and the record of it has it sent once more.
  const received = new Set(world.mail.received.map(({ raw }) => messageIdOf(raw)));
  for (const id of received) {
    const status = mails.find((action) => id === messageIdFor(action))?.status;
    expect(status !== undefined, `the mail ${id} stands in no ledger`);
    expect(
      status === undefined || MAY_HAVE_COME.includes(status),
      `the mail ${id} has come, and its action is ${status}`,
    );
  }
  for (const action of mails.filter(({ status }) => status === 'done'))
    expect(received.has(messageIdFor(action)), `${action.id} is done, and no mail has come`);

  const exported = of('export-report').flatMap(({ status, result }) =>
    status === 'done' ? [result?.['file']] : [],
  );
  for (const file of reports) expect(exported.includes(file), `the report ${file} stands in no ledger`);
  for (const file of exported)
    expect(
      reports.some((report) => report === file),
      `the report ${String(file)} is done, and is not there`,
    );
  return faults;
}

/** How many mails came once more under the id of one that had come. */
export function repeatedMails({ received }: Pick<OutsideWorld['mail'], 'received'>): number {
  return received.length - new Set(received.map(({ raw }) => messageIdOf(raw))).size;
}

const UNDER_WAY: readonly Action['status'][] = ['pending', 'confirming', 'running'];
/** A mail that has come was sent, or was being sent. One that waits for consent was not. */
const MAY_HAVE_COME: readonly Action['status'][] = ['done', 'unknown', 'running'];

function messageIdOf(raw: Buffer): string {
  return /^Message-ID: <([0-9a-f]+)@/imu.exec(raw.toString())?.[1] ?? 'without an id';
}

/** As `MailDeliverer` makes it of the id of a message in the outbox. */
function messageIdFor({ idempotencyKey }: Action): string {
  return createHash('sha256').update(`mail:${idempotencyKey}`).digest('hex').slice(0, 32);
}
