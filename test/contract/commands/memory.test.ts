import { cpSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type DaemonProcess, startDaemon } from '../../support/daemon-process.ts';
import { onePlant } from '../../support/demo-site.ts';
import { eventually } from '../../support/eventually.ts';
import { freePort } from '../../support/free-port.ts';

const PEOPLE = `id,name_en,name_zh,role
wang,Wang Lei,王磊,operator
li,Li Na,李娜,maintainer
`;
const YAML = `site: test
plant: [plant.yaml]
people: people.csv
time_zone: Asia/Shanghai
microphone: { enabled: false }
speech: { enabled: false }
memory: { glossary: glossary.txt }`;

let daemon: DaemonProcess;

beforeAll(async () => {
  const plant = onePlant(await freePort());
  daemon = await startDaemon(YAML, {
    plant,
    prepare: async (directory) => {
      writeFileSync(join(directory, 'people.csv'), PEOPLE);
      writeFileSync(join(directory, 'glossary.txt'), 'dingus | dingus, gizmo | 小玩意\n');
    },
  });
});
afterAll(() => daemon.stop());

const memory = (...args: string[]) => daemon.command('memory', ...args);

async function added(text: string, ...args: string[]): Promise<string> {
  const { code, stdout } = await memory('add', text, ...args, '--json');
  expect(code).toBe(0);
  const id: unknown = JSON.parse(stdout).episode.id;
  if (typeof id !== 'string') throw new Error(`no id in ${stdout}`);
  return id;
}

describe('hermes-edge memory', () => {
  it('remembers a text, finds it with score, source, trust and age, and says why it finds nothing', async () => {
    const id = await added('Pump three runs hot after cleaning', '--by', '王磊');
    const { code, stdout, stderr } = await memory('search', 'pump', 'three', 'hot');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(
      /^[01]\.\d\d {2}\d{4}-\d\d-\d\d \d\d:\d\d:\d\d, \d+ s ago {2}operator \(trust 3\), wang {2}holds \d+ %$/mu,
    );
    expect(stdout).toContain('Pump three runs hot after cleaning');
    expect(stdout).toContain(id);
    expect((await memory('search', 'error', 'E-999', 'of', 'pump', 'three')).stdout).toBe(
      'Nothing is remembered of that: nobody has told of this code.\n',
    );
  });

  it("finds by a word of the site's own glossary what was told with another", async () => {
    const id = await added('the gizmo of machine twelve is worn');
    const { stdout } = await memory('search', '十二号机床小玩意', '--json');
    expect(JSON.parse(stdout).items).toMatchObject([{ episode: { id } }]);
  });

  it('shows where a fact came from, by the fact and by the episode', async () => {
    const { stdout } = await memory('facts', 'Pump', 'Three', '--json');
    const [fact] = JSON.parse(stdout).facts;
    expect(fact).toMatchObject({
      subject: 'machine:pump-3',
      status: 'verified',
      source: 'operator',
      by: 'wang',
      origin: { kind: 'action' },
    });
    for (const id of [fact.id, fact.episode]) {
      const shown = (await memory('show', id)).stdout;
      expect(shown).toContain(`Episode ${fact.episode}: note, machine`);
      expect(shown).toMatch(/ from operator \(trust 3\), wang: action cli\./u);
      expect(shown).toContain('names machine "Pump three" = pump-3');
      expect(shown).toContain(fact.id);
      expect(shown).toMatch(/ capture +\S+ +operator +\d+ -> \d+ bytes$/mu);
    }
    expect((await memory('about', '三号泵')).stdout).toMatch(/^"三号泵" is machine pump-3$/mu);
  });

  it('tells what held at a time, and what the box knew at another', async () => {
    const facts = async (...args: string[]): Promise<number> =>
      JSON.parse((await memory('facts', 'pump-3', ...args, '--json')).stdout).facts.length;
    expect(await facts()).toBe(1);
    expect(await facts('--at', '1d')).toBe(0);
    expect(await facts('--known-at', '1d')).toBe(0);
    expect(await facts('--past')).toBe(1);
  });

  it.each([
    ['a thing that the site does not have', ['about', 'pmup three'], 'Did you mean "pump three"?'],
    ['an id that there is not', ['show', 'cli.1'], 'there is no memory cli.1'],
    ['a fact that does not wait', ['approve', 'f.1'], 'no fact f.1 waits to be reviewed'],
    ['somebody whom nobody knows', ['add', 'pump three leaks', '--by', 'wnag'], 'Did you mean "wang'],
    ['a day without an archive', ['archive', '2026-01-01'], 'nothing is archived of 2026-01-01'],
    ['a time that is none', ['facts', 'pump-3', '--at', 'soon'], '--at takes a time such as'],
    ['an erasure without a word', ['erase', 'wang'], 'say so with --yes'],
    ['the past of everything', ['facts', '--past'], 'say of which'],
  ])('ends with status 2 and says what is meant for %s', async (_what, args, said) => {
    expect(await memory(...args)).toMatchObject({
      code: 2,
      stdout: '',
      stderr: expect.stringContaining(said),
    });
  });

  it('lets nobody but a maintainer settle or forget what somebody else told', async () => {
    const id = await added('pump three has a new seal', '--by', 'wang');
    expect(await memory('forget', id)).toMatchObject({
      code: 1,
      stderr: expect.stringContaining('maintainer'),
    });
    expect((await memory('forget', id, '--by', 'Li Na')).stdout).toContain('  pump three has a new seal');
    expect(await memory('show', id)).toMatchObject({
      code: 2,
      stderr: expect.stringContaining(`there is no memory ${id} any more`),
    });
    expect((await memory('log')).stdout).toMatch(new RegExp(` forget +${id} +operator `, 'u'));
  });

  it('shows text from outside without what would steer the terminal', async () => {
    await added('pump three \u001b[2Jis \u202eloud and old');
    const { stdout } = await memory('search', 'pump three loud');
    expect(stdout).toContain('loud and old');
    for (const steering of ['\u001b', '\u202e']) expect(stdout).not.toContain(steering);
  });

  it('shows every level with how much is in it and how long that stays', async () => {
    const { stdout } = await memory('stats');
    for (const line of [
      /^working +\d+ sessions, .* 2 h each/mu,
      /^ {2}transient +\d+ +ends 3 days after it was last confirmed, halves every 34\.7 h$/mu,
      /^ {2}safety +\d+ +no end$/mu,
      /^facts +\d+ known now, \d+ before +\d+ wait for a second signature, \d+ disputed$/mu,
      /^semantic +full text of \d+ episodes$/mu,
      /^procedures .*no remote$/mu,
      /^archive +0 days, 0 bytes of 500\.0 MB +kept for 400 days$/mu,
      /^Waiting to be remembered: 0; not taken since the start: 0$/mu,
    ])
      expect(stdout).toMatch(line);
  });

  it('has all of it still after the daemon was killed', async () => {
    const before = JSON.parse((await memory('facts', '--json')).stdout);
    process.kill(daemon.pid, 'SIGKILL');
    const killed = daemon;
    await eventually('it is gone', async () => (await killed.health().catch(() => undefined)) === undefined);
    daemon = await startDaemon(YAML, {
      plant: readFileSync(join(killed.directory, 'plant.yaml'), 'utf8'),
      prepare: async (directory) => {
        for (const name of ['people.csv', 'glossary.txt', 'state'])
          cpSync(join(killed.directory, name), join(directory, name), {
            recursive: true,
            filter: (path) => !path.endsWith('.sock'),
          });
      },
    });
    await killed.stop();
    expect(before.facts.length).toBeGreaterThan(0);
    expect(JSON.parse((await memory('facts', '--json')).stdout)).toEqual(before);
    expect((await memory('search', 'pump three hot')).stdout).toContain('Pump three runs hot after cleaning');
  });

  it('erases a person by any name, with counts and with what is left to people', async () => {
    const { code, stdout, stderr } = await memory('erase', '王磊', '--also', '13812345678', '--yes');
    expect(code).toBe(0);
    expect(stderr).toContain('Erasing Wang Lei, 王磊 (wang)');
    expect(stdout).toMatch(/^Erased; request \S+$/mu);
    expect(stdout).toMatch(/^Left to you:$/mu);
    expect(stdout).toContain('the people file still lists the person');
    expect(await memory('erase', 'nobody-ever', '--yes')).toMatchObject({ code: 2 });
  });
});
