import { execFile } from 'node:child_process';
import { mkdtemp, readdir, readFile, rm } from 'node:fs/promises';
import { createServer, type RequestListener, type Server } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';

const SCRIPT = fileURLToPath(new URL('../../../scripts/fetch-voice-model', import.meta.url));
const MODEL = 'vosk-model-small-en-in-0.4';

let folder: string;
let into: string;
let server: Server;
let base: string;
let answer: RequestListener;
beforeEach(async () => {
  folder = await mkdtemp(join(tmpdir(), 'fetch-'));
  into = join(folder, 'fetched');
  server = createServer((request, response) => answer(request, response));
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const address = server.address();
  base = `http://127.0.0.1:${typeof address === 'object' ? address?.port : ''}`;
});
afterEach(async () => {
  await new Promise((resolve) => server.close(resolve));
  await rm(folder, { recursive: true });
});

function run(
  program: string,
  args: readonly string[],
): Promise<{ code: number; stdout: string; stderr: string }> {
  return new Promise((resolve) => {
    execFile(program, args, (error, stdout, stderr) => {
      const code = typeof error?.code === 'number' ? error.code : error === null ? 0 : -1;
      resolve({ code, stdout, stderr });
    });
  });
}

function fetchModel(...args: string[]) {
  return run(process.execPath, [SCRIPT, '--url-base', base, '--into', into, ...args]);
}

/** A zip archive with these files; a value of `link` makes a symbolic link to /etc. */
async function archive(files: Record<string, string>): Promise<Buffer> {
  const path = join(folder, 'made.zip');
  const program = `
import json, sys, zipfile
with zipfile.ZipFile(sys.argv[1], 'w') as z:
    for name, text in json.loads(sys.argv[2]).items():
        info = zipfile.ZipInfo(name)
        if text == 'link':
            info.external_attr = 0o120777 << 16
            text = '/etc'
        z.writestr(info, text)`;
  const made = await run('python3', ['-c', program, path, JSON.stringify(files)]);
  expect(made).toMatchObject({ code: 0, stderr: '' });
  return readFile(path);
}

function serve(body: Buffer): RequestListener {
  return (_request, response) => response.writeHead(200, { 'content-length': body.length }).end(body);
}

async function kept(): Promise<string[]> {
  return (await readdir(into)).sort();
}

describe('fetch-voice-model', () => {
  it('downloads, records the sum of a file nobody has pinned, unpacks and says what to set', async () => {
    const asked: (string | undefined)[] = [];
    const body = await archive({
      [`${MODEL}/am/final.mdl`]: 'sounds',
      [`${MODEL}/conf/model.conf`]: '--beam=13',
    });
    answer = (request, response) => {
      asked.push(request.url);
      serve(body)(request, response);
    };
    const { code, stdout } = await fetchModel('en-in');
    expect(code).toBe(0);
    expect(stdout).toMatch(/no sum is known for it: its SHA-256 [0-9a-f]{64} is recorded/);
    expect(stdout).toContain(`Set voice.model to ${join(into, MODEL)}`);
    expect(asked).toEqual([`/${MODEL}.zip`]);
    expect(await readFile(join(into, MODEL, 'am/final.mdl'), 'utf8')).toBe('sounds');
    expect(await kept()).toEqual(['downloads.lock', MODEL]);
  });

  it('leaves what is there alone', async () => {
    answer = serve(await archive({ [`${MODEL}/am/final.mdl`]: 'sounds' }));
    await fetchModel('en-in');
    answer = (_request, response) => response.writeHead(500).end();
    const { code, stdout } = await fetchModel('en-in');
    expect(code).toBe(0);
    expect(stdout).toMatch(/already there/);
  });

  it('holds a file to the sum that was recorded at its first download', async () => {
    const first = await archive({ [`${MODEL}/am/final.mdl`]: 'sounds' });
    answer = serve(first);
    await fetchModel('en-in');
    await rm(join(into, MODEL), { recursive: true });
    answer = serve(await archive({ [`${MODEL}/am/final.mdl`]: 'other sounds' }));
    const changed = await fetchModel('en-in');
    expect(changed.code).toBe(1);
    expect(changed.stderr).toMatch(/not the file that was expected[\s\S]*recorded in/);
    expect(await kept()).toEqual(['downloads.lock']);
    answer = serve(first);
    const same = await fetchModel('en-in');
    expect(same.code).toBe(0);
    expect(same.stdout).toMatch(/the one recorded at the first download/);
  });

  it('refuses a file that differs from the known sum and keeps nothing of it', async () => {
    answer = serve(await archive({ 'vosk-model-small-en-us-0.15/am/final.mdl': 'forged' }));
    const { code, stderr } = await fetchModel('en-us');
    expect(code).toBe(1);
    expect(stderr).toMatch(/expected 30f26242c4eb[\s\S]*the known sum[\s\S]*received [0-9a-f]{64}/);
    expect(await kept()).toEqual([]);
  });

  it('keeps nothing of a download that was cut, and succeeds when run again', async () => {
    const body = await archive({ [`${MODEL}/am/final.mdl`]: 'sounds'.repeat(1_000) });
    answer = (_request, response) => {
      response.writeHead(200, { 'content-length': body.length });
      response.write(body.subarray(0, 100), () => response.destroy());
    };
    const cut = await fetchModel('en-in');
    expect(cut.code).toBe(1);
    expect(cut.stderr).toMatch(/run this again/);
    expect(await kept()).toEqual([]);
    answer = serve(body);
    expect((await fetchModel('en-in')).code).toBe(0);
    expect(await kept()).toEqual(['downloads.lock', MODEL]);
  });

  it('says what the server answered, and goes on with the next name', async () => {
    const body = await archive({ [`${MODEL}/am/final.mdl`]: 'sounds' });
    answer = (request, response) => {
      if (request.url?.includes('cn')) response.writeHead(404).end();
      else serve(body)(request, response);
    };
    const { code, stderr } = await fetchModel('cn', 'en-in');
    expect(code).toBe(1);
    expect(stderr).toMatch(/answers 404/);
    expect(await kept()).toEqual(['downloads.lock', MODEL]);
  });

  for (const [what, files] of [
    ['a path that climbs out', { [`${MODEL}/../../escaped`]: 'x' }],
    ['an absolute path', { '/tmp/escaped': 'x' }],
    ['a symbolic link', { [`${MODEL}/am`]: 'link' }],
    ['more than one folder', { 'a/x': '1', 'b/x': '2' }],
  ] as const) {
    it(`refuses an archive with ${what}`, async () => {
      answer = serve(await archive({ ...files }));
      const { code, stderr } = await fetchModel('en-in');
      expect(code).toBe(1);
      expect(stderr).toMatch(/the archive was refused/);
      expect(await kept()).toEqual([]);
      expect(await readdir(folder)).not.toContain('escaped');
    });
  }

  it('refuses what is no archive', async () => {
    answer = serve(Buffer.from('<html>please log in</html>'));
    const { code, stderr } = await fetchModel('en-in');
    expect(code).toBe(1);
    expect(stderr).toMatch(/not a zip file/i);
  });

  it('lists what there is, and explains wrong usage', async () => {
    const list = await run(process.execPath, [SCRIPT, '--list']);
    expect(list.code).toBe(0);
    for (const name of ['en-us', 'cn', 'libvosk-aarch64']) expect(list.stdout).toContain(name);
    expect((await run(process.execPath, [SCRIPT, 'klingon'])).code).toBe(2);
    expect((await run(process.execPath, [SCRIPT, '--into'])).code).toBe(2);
    expect((await run(process.execPath, [SCRIPT, '--url-base', 'ftp://x'])).code).toBe(2);
  });
});
