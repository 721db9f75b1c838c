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
  for (const value of new Set([...world.written, ...begun])) {
    const times = world.written.filter((each) => each === value).length;
    const ofValue = writes.filter(({ args }) => args['value'] === value);
    const inLedger = `${value} was written ${times} times, and its actions are ${ofValue.map(({ status }) => status).join(', ')}`;
    // What undoes a write writes what was there before: a value may be that of several actions, and comes once for each.
    expect(times >= ofValue.filter(({ status }) => WAS_DONE.includes(status)).length, inLedger);
    expect(times <= ofValue.filter(({ status }) => MAY_BE_DONE.includes(status)).length, inLedger);
    expect(
      times <= ofValue.filter(({ id }) => (consents.get(id) ?? 0) > 0).length,
      `${inLedger}: not each with a consent`,
    );
    expect(
      times <= begun.filter((each) => each === value).length,
      `${value} was written ${times} times, and the audit has fewer begins of it`,
    );
  }
  for (const { id, args, status } of writes)
    expect(
      !WAS_DONE.includes(status) || world.written.some((value) => value === args['value']),
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
  for (const { id, idempotencyKey } of orders.filter(({ status }) => WAS_DONE.includes(status)))
    expect(world.orders.byKey.has(`${idempotencyKey}:create`), `${id} is done, and there is no such order`);
  const closed = [...world.orders.byKey.keys()].filter((key) => key.endsWith(':close'));
  const closing = of('close-work-order', ...MAY_BE_DONE);
  expect(
    closed.length <= closing.length &&
      closed.length >= closing.filter(({ status }) => WAS_DONE.includes(status)).length,
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

  // Of one that was being removed nobody knows whether it is there.
  const doubtful = of('remove-report', 'unknown').map(({ args }) => args['file']);
  const exported = of('export-report', 'done').flatMap(({ result }) => [result?.['file']]);
  for (const file of reports) expect(exported.includes(file), `the report ${file} stands in no ledger`);
  for (const file of exported)
    expect(
      doubtful.includes(file) || reports.some((report) => report === file),
      `the report ${String(file)} is done, and is not there`,
    );
  return faults;
}

/** How many mails came once more under the id of one that had come. */
export function repeatedMails({ received }: Pick<OutsideWorld['mail'], 'received'>): number {
  return received.length - new Set(received.map(({ raw }) => messageIdOf(raw))).size;
}

const WAS_DONE: readonly Action['status'][] = ['done', 'compensated'];
const MAY_BE_DONE: readonly Action['status'][] = [...WAS_DONE, 'unknown'];
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
