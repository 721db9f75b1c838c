import { execFileSync, spawnSync } from 'node:child_process';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createServer } from 'node:net';
import { tmpdir } from 'node:os';
import { dirname, join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { runProgram } from '../support/daemon-process.ts';
import { onePlant, voiceConfig } from '../support/demo-site.ts';
import { eventually } from '../support/eventually.ts';
import { freePort } from '../support/free-port.ts';
import { type Mosquitto, startMosquitto } from '../support/mosquitto.ts';
import { type QuietMachine, quietMachine } from '../support/no-sound-card.ts';
import { type PymodbusServer, startPymodbusServer } from '../support/pymodbus-server.ts';
import { startProgram } from '../support/running-program.ts';
import { joined, noise, silence, synthesise, synthesiseFile, writeSound } from '../support/synthesise.ts';
import { startVirtualSoundCard, type VirtualSoundCard } from '../support/virtual-sound-card.ts';
import { encodeWav } from '../support/wav-file.ts';

const COMMAND = 'read the temperature of machine twelve';
const LOUD = 500;
const SAMPLE_RATE_HZ = 16_000;
/** Where a stack trace of Node begins. */
const STACK = /\n\s+at /u;

let quiet: QuietMachine;
let directory: string;
let plc: PymodbusServer;

beforeAll(async () => {
  quiet = quietMachine();
  directory = mkdtempSync(join(tmpdir(), 'hermes-commands-'));
  plc = await startPymodbusServer();
  await plc.set(1, 'holding', 10, 73);
  await plc.set(1, 'holding', 20, 4);
});
afterAll(async () => {
  await plc.stop();
  quiet.remove();
  rmSync(directory, { recursive: true });
});

/** A configuration file with its device map, in a directory of its own. */
function site(
  options: { readonly yaml?: string; readonly plant?: string; readonly name?: string } = {},
): string {
  const home = mkdtempSync(join(directory, 'site-'));
  writeFileSync(join(home, 'plant.yaml'), options.plant ?? onePlant(plc.port));
  const file = join(home, options.name ?? 'hermes-edge.yaml');
  const yaml = options.yaml ?? voiceConfig({ language: 'en' });
  writeFileSync(file, `${yaml}\nstate_dir: state\nhttp: { port: 0 }\n`);
  return file;
}

const hermes = (...args: string[]) => runProgram(args, quiet.env);

/** A site whose rules, workflow and tool pack are broken, the last two so that a rule cannot be carried out. */
function brokenSite(rules: string): string {
  const file = site({
    yaml: [
      voiceConfig({ language: 'en' }),
      'rules: rules.json',
      'workflows: workflows',
      'tools: { directory: tools }',
    ].join('\n'),
  });
  const home = dirname(file);
  writeFileSync(join(home, 'rules.json'), rules);
  mkdirSync(join(home, 'workflows'));
  const workflow = readFileSync('config/workflows/check-machine.yaml', 'utf8')
    .replace('name: check-machine', 'name: my-check')
    .replace('tool: diagnose', 'tool: diagnos');
  writeFileSync(join(home, 'workflows', 'my-check.yaml'), workflow);
  const pack = join(home, 'tools', 'my-tool');
  cpSync('dist/packs/who-am-i', pack, { recursive: true });
  rmSync(join(pack, 'tool.json'), { force: true });
  const contract = readFileSync('tools/who-am-i/tool.yaml', 'utf8')
    .replace('name: who-am-i', 'name: my-tool')
    .replace('risk: none', 'risk: nune');
  writeFileSync(join(pack, 'tool.yaml'), contract);
  return file;
}

const ruleFor = (intent: string, tool: string): string =>
  `{ "version": 1, "rules": [{ "id": "mine", "when": { "intent": "${intent}" }, "then": [{ "tool": "${tool}" }] }] }`;

describe('config check', () => {
  it('says that a good configuration is good', async () => {
    const file = site();
    expect(await hermes('config', 'check', file)).toEqual({
      code: 0,
      stdout: [
        'The configuration is valid: 2 machines with 2 points.',
        '  not set up: send-message (set mail)',
        '  not set up: close-work-order, create-work-order (set work_orders)',
        '  not set up: read-plc-log (set logs)',
        '',
      ].join('\n'),
      stderr: '',
    });
    const { stdout } = await hermes('config', 'check', '--json', '--config', file);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: true,
      site: 'hall',
      machines: 2,
      points: 2,
      not_set_up: [{ part: 'mail', key: 'mail', tools: ['send-message'] }, {}, {}],
    });
  });

  it('names file, line, column and the nearest word of each fault', async () => {
    const file = site({ yaml: 'languge: en\nplant: [plant.yaml]\nspeech:\n  devise: speaker' });
    const { code, stdout, stderr } = await hermes('config', 'check', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(`${file}:1:1 languge: unknown key. Did you mean "language"?`);
    expect(stderr).toContain(`${file}:4:3 speech.devise: unknown key. Did you mean "device"?`);
    expect(stderr).not.toMatch(STACK);
  });

  it('gives the faults to a program as a list', async () => {
    const file = site({ yaml: 'languge: en\nplant: [plant.yaml]\nspeech:\n  devise: speaker' });
    const { code, stdout } = await hermes('config', 'check', '--json', file);
    expect(code).toBe(2);
    expect(JSON.parse(stdout)).toMatchObject({
      ok: false,
      code: 'CONFIG_INVALID',
      faults: [expect.stringContaining(':1:1 languge'), expect.stringContaining(':4:3 speech.devise')],
    });
  });

  it('names the files that are not there', async () => {
    const file = site({ yaml: 'plant: [plant.yaml]\nvoice: { model: nowhere, libvosk: nothing.so }' });
    const { code, stderr } = await hermes('config', 'check', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(
      /voice\.model: \S*nowhere does not exist.*\n.*voice\.libvosk: \S*nothing\.so does not exist/u,
    );
  });

  it('names every fault of the rules, workflows and tool packs that the daemon would go without', async () => {
    const file = brokenSite(ruleFor('diagnse', 'my-tool'));
    const { code, stdout, stderr } = await hermes('config', 'check', file);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toMatch(/tools\/my-tool\/tool\.yaml:\d+:\d+ .*risk.*Did you mean "none"\?/u);
    expect(stderr).toMatch(/workflows\/my-check\.yaml:\d+:\d+ .*"diagnos"\. Did you mean "diagnose"\?/u);
    expect(stderr).toMatch(/rules\.json: rule "mine": when\.intent: .*Did you mean "diagnose"\?/u);
    expect(stderr).not.toMatch(STACK);
  });

  it('names the place where rules are no JSON', async () => {
    const { code, stderr } = await hermes('config', 'check', brokenSite('{ "version": 1,'));
    expect(code).toBe(2);
    expect(stderr).toMatch(/rules\.json:1:\d+ this is no JSON/u);
  });

  it('warns of rules whose tool or workflow is there and cannot be used', async () => {
    const tool = await hermes('config', 'check', '--json', brokenSite(ruleFor('diagnose', 'my-tool')));
    const workflow = await hermes('config', 'check', brokenSite(ruleFor('diagnose', 'workflow.my-check')));
    expect(JSON.parse(tool.stdout).faults).toContainEqual(
      expect.stringMatching(
        /^warning: .*rule "mine": then\.0\.tool: "my-tool" is there and cannot be used$/u,
      ),
    );
    expect(workflow.stderr).toMatch(/warning: .*"workflow\.my-check" is there and cannot be used/u);
  });

  it('names the directory of tools that is not there', async () => {
    const file = brokenSite(ruleFor('diagnose', 'my-tool'));
    rmSync(join(dirname(file), 'tools'), { recursive: true });
    const { code, stderr } = await hermes('config', 'check', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(/\/tools: /u);
  });

  it('refuses a point that is called like another sentence', async () => {
    const file = site({ plant: onePlant(plc.port).replace('en: [temperature]', 'en: [status]') });
    const { code, stderr } = await hermes('config', 'check', file);
    expect(code).toBe(2);
    expect(stderr).toContain('"read the status of machine twelve" can also mean "machine status"');
  });

  it('names a fault of the device map in the device map', async () => {
    const file = site({ plant: onePlant(plc.port).replaceAll('register: holding', 'register: holdin') });
    const { code, stderr } = await hermes('config', 'check', file);
    expect(code).toBe(2);
    expect(stderr).toMatch(/plant\.yaml:14:19 .*Did you mean "holding"\?/u);
  });

  it('says which file is missing', async () => {
    const { code, stdout, stderr } = await hermes('config', 'check', join(directory, 'nowhere.yaml'));
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(join(directory, 'nowhere.yaml'));
    expect(stderr).not.toMatch(STACK);
  });
});

describe('the command line', () => {
  it.each([
    [['rnu'], 'Did you mean run?'],
    [['run', '--dmeo'], 'Did you mean --demo?'],
    [['simulate', '--port', 'abc'], 'whole number from 0 to 65535'],
    [['run', '--language', 'zh'], '--language goes with --demo'],
    [['listen', '--language', 'de'], 'Allowed choices are en, zh'],
  ])('answers %j with status 2 and a suggestion', async (args, suggestion) => {
    const { code, stdout, stderr } = await hermes(...args);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain(suggestion);
    expect(stderr).not.toMatch(STACK);
  });

  it.each(['', 'run', 'ask', 'say', 'listen', 'simulate', 'doctor', 'config', 'config check'])(
    'explains itself on stdout: hermes-edge %s',
    async (command) => {
      const words = command.split(' ').filter((word) => word !== '');
      const { code, stdout, stderr } = await hermes(...words, '--help');
      expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
      expect(stdout).toContain(`Usage: ${['hermes-edge', ...words].join(' ')}`);
    },
  );

  it('ends quietly when nobody reads its output any more', () => {
    const pipe = `"${process.execPath}" dist/main.js doctor --language en | head -1; echo "\${PIPESTATUS[0]}"`;
    const { stdout, stderr } = spawnSync('bash', ['-c', pipe], { env: quiet.env, encoding: 'utf8' });
    expect(stderr).toBe('');
    expect(stdout).toMatch(/^✓ state: .+\n143\n$/u);
  });

  it('without any configuration tells how to begin', async () => {
    const { code, stdout, stderr } = await hermes('ask', COMMAND);
    expect({ code, stdout }).toEqual({ code: 2, stdout: '' });
    expect(stderr).toContain('hermes-edge run --demo');
  });
});

describe('ask without a daemon', () => {
  it('says so on stderr and answers on stdout', async () => {
    expect(await hermes('ask', COMMAND, '--config', site())).toEqual({
      code: 0,
      stdout: 'machine twelve temperature is seventy three degrees.\n',
      stderr: 'No daemon is running; this process reads the PLC itself.\n',
    });
  });

  it('answers programs in JSON', async () => {
    const { stdout } = await hermes('ask', '--json', '读取三号泵的压力', '--config', site());
    expect(JSON.parse(stdout)).toMatchObject({
      intent: 'read_point',
      outcome: 'COMPLETED',
      answer: '三号泵压力四巴。',
      readings: [{ machine: 'pump-3', point: 'pressure', quality: 'good', value: 4, unit: 'bar' }],
    });
  });

  it.each(['sing me a song', 'set the temperature of machine twelve to twenty'])(
    'ends with 1 for what it does not do: %s',
    async (text) => {
      const { code, stdout } = await hermes('ask', text, '--config', site());
      expect(code).toBe(1);
      expect(stdout).not.toBe('');
    },
  );

  it('ends with 1 and names no value when the PLC is away', async () => {
    const { code, stdout } = await hermes(
      'ask',
      COMMAND,
      '--config',
      site({ plant: onePlant(await freePort()) }),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^machine twelve does not answer/u);
    expect(stdout).not.toMatch(/\d|seventy/u);
  });
});

describe('listen to a file', () => {
  it.each([
    { language: 'en', text: COMMAND },
    { language: 'zh', text: '读取十二号机床的温度' },
  ] as const)('writes what it heard and what it would mean: $language', async ({ language, text }) => {
    const wav = join(directory, `${language}.wav`);
    await synthesiseFile(wav, text, { language, beforeMs: 800, afterMs: 300 });
    const { code, stdout, stderr } = await hermes('listen', '--language', language, '--wav', wav, '--json');
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    const lines = stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line));
    expect(lines).toMatchObject([
      { decision: 'act', audio_lost: false, meanings: [{ intent: 'read_point' }] },
    ]);
    expect(lines[0].heard.replaceAll(' ', '')).toBe(text.replaceAll(' ', ''));
  });

  it('takes the first of two channels, at any rate', async () => {
    const speech = joined(silence(800), await synthesise(COMMAND, { language: 'en' }), silence(300));
    const both = new Int16Array(2 * speech.length);
    speech.forEach((sample, i) => {
      both[2 * i] = sample;
    });
    const wav = encodeWav(both, SAMPLE_RATE_HZ);
    wav.writeUInt16LE(2, 22);
    wav.writeUInt16LE(4, 32);
    const file = join(directory, 'stereo.wav');
    writeFileSync(file, wav);
    const { stdout } = await hermes('listen', '--language', 'en', '--wav', file, '--json');
    expect(JSON.parse(stdout)).toMatchObject({ heard: COMMAND, decision: 'act' });
  });

  it('would act on nothing in noise', async () => {
    const wav = join(directory, 'noise.wav');
    await writeSound(wav, noise('babble', 3000, 0.1));
    const { code, stdout } = await hermes('listen', '--language', 'en', '--wav', wav, '--json');
    expect(code).toBe(0);
    expect(stdout).not.toContain('"decision":"act"');
  });

  it.each([
    ['is no WAV file', 'not-a.wav', 'not a WAV file'],
    ['is missing', 'missing.wav', 'ENOENT'],
  ])('ends at once with 1 when the file %s', async (_what, name, complaint) => {
    writeFileSync(join(directory, 'not-a.wav'), 'RIFF or not');
    const listening = startProgram(['listen', '--language', 'en', '--wav', join(directory, name)], {
      env: quiet.env,
    });
    expect(await listening.ended(undefined, 5000)).toBe(1);
    expect(listening.stdout).toBe('');
    expect(listening.stderr).toContain(complaint);
    expect(listening.stderr).not.toMatch(STACK);
  });
});

describe('simulate', () => {
  it('serves a line to another Modbus client until it is stopped, and says when its port is taken', async () => {
    const port = await freePort();
    const line = startProgram(['simulate', '--port', String(port)], { env: quiet.env });
    await line.says(`simulated machines at 127.0.0.1:${port}`);
    // Unit 1, holding register 3 (mbpoll counts from 1): the speed of machine twelve.
    const poll = [
      '-m',
      'tcp',
      '-a',
      '1',
      '-r',
      '3',
      '-c',
      '1',
      '-t',
      '4',
      '-1',
      '-p',
      String(port),
      '127.0.0.1',
    ];
    const [, speed] = /\[3\]:\s+(\d+)/u.exec(execFileSync('mbpoll', poll, { encoding: 'utf8' })) ?? [];
    expect(Number(speed)).toBeGreaterThan(1000);

    const second = await hermes('simulate', '--port', String(port));
    expect({ code: second.code, stdout: second.stdout }).toEqual({ code: 1, stdout: '' });
    expect(second.stderr).toContain(`port ${port} is already in use`);
    expect(second.stderr).not.toMatch(STACK);
    expect(await line.ended('SIGTERM')).toBe(0);
    expect(line.stderr).toBe('');
  });
});

describe('run', () => {
  it('ends with 1 and names the port that is taken', async () => {
    const blocker = createServer();
    await new Promise<void>((resolve) => blocker.listen(0, '127.0.0.1', resolve));
    const address = blocker.address();
    const port = typeof address === 'object' && address !== null ? address.port : 0;
    const file = site();
    writeFileSync(
      file,
      `plant: [plant.yaml]\nmicrophone: { enabled: false }\nstate_dir: state\nhttp: { port: ${port} }\n`,
    );
    const daemon = startProgram(['run', '--config', file], { env: quiet.env });
    expect(await daemon.ended(undefined, 8000)).toBe(1);
    blocker.close();
    expect(daemon.stdout).toBe('');
    expect(daemon.stderr).toContain(`cannot listen on 127.0.0.1:${port}`);
    expect(daemon.stderr).toContain('is another hermes-edge running?');
    expect(daemon.stderr).not.toMatch(STACK);
  });

  it('names in its log a rule whose tool cannot be used, and answers that it does not work', async () => {
    const file = brokenSite(ruleFor('diagnose', 'my-tool'));
    const daemon = startProgram(['run', '--config', file], { env: quiet.env });
    await eventually('it has warned', () => daemon.stderr.includes('rules name tools that cannot be used'));
    expect(daemon.stderr).toMatch(
      /rule .{1,3}mine.{1,3}: then\.0\.tool: .*my-tool.* is there and cannot be used/u,
    );
    let answer = '';
    await eventually('it is asked', async () => {
      const { stdout, stderr } = await hermes('ask', 'diagnose machine twelve', '--config', file);
      answer = stdout;
      return stderr === '';
    });
    expect(answer).toContain('That does not work at the moment.');
    await daemon.ended('SIGTERM');
  });

  it('ends with 1 and says why when its state directory cannot be made', async () => {
    const file = site();
    writeFileSync(file, 'plant: [plant.yaml]\nstate_dir: hermes-edge.yaml/state\nhttp: { port: 0 }\n');
    const daemon = startProgram(['run', '--config', file], { env: quiet.env });
    expect(await daemon.ended(undefined, 8000)).toBe(1);
    expect(daemon.stderr).toContain('hermes-edge.yaml/state');
    expect(daemon.stderr).not.toMatch(STACK);
  });
});

describe('doctor', () => {
  it('finds what is wrong, says how to mend it, and ends with 1', async () => {
    const broker = await freePort();
    const yaml = voiceConfig({ language: 'en', mqttUrl: `mqtt://127.0.0.1:${broker}` });
    const { code, stdout, stderr } = await hermes('doctor', '--json', '--config', site({ yaml }));
    expect({ code, stderr }).toEqual({ code: 1, stderr: '' });
    const { ok, checks }: { ok: boolean; checks: { part: string; ok: boolean; fix?: string }[] } =
      JSON.parse(stdout);
    expect(ok).toBe(false);
    expect(checks.map((check) => [check.part, check.ok])).toEqual([
      ['state', true],
      ['tools', true],
      ['workflows', true],
      ['rules', true],
      ['people', true],
      ['procedures', true],
      ['memory', true],
      ['memory git', true],
      ['writes', true],
      ['microphone', false],
      ['recogniser', true],
      ['grammar', true],
      ['speaker', false],
      ['plc machine-12', true],
      ['plc pump-3', true],
      ['mqtt', false],
    ]);
    expect(checks[1]).toMatchObject({
      detail: expect.stringContaining('; not set up: send-message (set mail); '),
    });
    for (const check of checks) expect(check.fix !== undefined && check.fix !== '').toBe(!check.ok);
  });

  it('shows what the site can do, and what of it is broken', async () => {
    const { code, stdout } = await hermes(
      'doctor',
      '--config',
      brokenSite(ruleFor('diagnose', 'read-value')),
    );
    expect(code).toBe(1);
    expect(stdout).toMatch(/^✗ tools: .*risk.*Did you mean "none"\?$/mu);
    expect(stdout).toMatch(/^✗ workflows: .*Did you mean "diagnose"\?/mu);
    expect(stdout).toMatch(/^✓ rules: 1 rule$/mu);
    expect(stdout).toMatch(/^✓ writes: off/mu);
  });
});

describe('on a machine with a sound card', () => {
  let card: VirtualSoundCard;
  let broker: Mosquitto;

  beforeAll(async () => {
    [card, broker] = await Promise.all([startVirtualSoundCard(), startMosquitto()]);
  });
  afterAll(async () => {
    await broker.remove();
    await card.stop();
  });

  it('doctor ends with 0 when all is well', async () => {
    const yaml = voiceConfig({ language: 'en', mqttUrl: broker.url });
    const { code, stdout, stderr } = await runProgram(['doctor', '--config', site({ yaml })], {
      ...quiet.env,
      ...card.env,
    });
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(
      stdout
        .trim()
        .split('\n')
        .filter((line) => !line.startsWith('✓ ')),
    ).toEqual([]);
  });

  it('say without a speaker in use names the file instead', async () => {
    const { code, stdout, stderr } = await hermes(
      'say',
      'good morning',
      '--config',
      site({ yaml: 'speech: { enabled: false }' }),
    );
    expect({ code, stderr }).toEqual({ code: 0, stderr: '' });
    expect(stdout).toMatch(/^spoken into .+\.wav \(no speaker here\)\n$/u);
  });

  it('say ends when its sound has ended', async () => {
    const pieces: { readonly atMs: number; readonly loud: boolean }[] = [];
    const recording = card.recordSpeaker((chunk, atMs) => {
      let loud = false;
      for (let at = 0; at + 1 < chunk.length; at += 2) loud ||= Math.abs(chunk.readInt16LE(at)) > LOUD;
      pieces.push({ atMs, loud });
    });
    await recording.ready;
    const env = { ...quiet.env, ...card.env };
    const said = await runProgram(['say', 'good morning everybody', '--config', site()], env);
    const endedAtMs = Number(process.hrtime.bigint()) / 1e6;
    expect(said).toEqual({ code: 0, stdout: 'spoken to the end\n', stderr: '' });
    await eventually('half a second after it', () => (pieces.at(-1)?.atMs ?? 0) > endedAtMs + 500);
    await recording.stop();
    const loud = pieces.filter((piece) => piece.loud).map(({ atMs }) => atMs);
    expect((loud.at(-1) ?? 0) - (loud[0] ?? 0)).toBeGreaterThan(500);
    // What the card has in its own buffer may come this much later.
    expect(loud.at(-1)).toBeLessThan(endedAtMs + 100);
  });
});
