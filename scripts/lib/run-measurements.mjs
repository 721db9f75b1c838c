// The programs of test/bench or test/soak: one by name, or all of them and a table of what they measured.
import { spawnSync } from 'node:child_process';
import { readdirSync } from 'node:fs';
import { join } from 'node:path';

const [kind, name, ...options] = process.argv.slice(2);
const directory = join('test', kind);
const names = readdirSync(directory)
  .filter((file) => file.endsWith('.ts') && file !== 'report.ts')
  .map((file) => file.slice(0, -3));
if (name !== undefined && !names.includes(name)) {
  console.error(`no ${kind} ${name}; there are: ${names.join(', ')}`);
  process.exit(2);
}

const rows = [];
for (const each of name === undefined ? names : [name]) {
  const file = join(directory, `${each}.ts`);
  const { status, stdout } = spawnSync(join('node_modules', '.bin', 'tsx'), [file, ...options], {
    stdio: ['ignore', 'pipe', 'inherit'],
    encoding: 'utf8',
  });
  process.stdout.write(stdout);
  const last = stdout.trimEnd().split('\n').at(-1) ?? '';
  if (!last.startsWith('{')) {
    console.error(`${each} ended with ${status} and no result`);
    process.exitCode = 1;
    continue;
  }
  const line = JSON.parse(last);
  rows.push(
    ...Object.entries(line.figures ?? {}).map(([figure, value]) => ({
      [kind]: each,
      figure,
      value,
      budget: line.budget?.[figure] ?? '',
    })),
  );
  if (status !== 0 || line.ok !== true) process.exitCode = 1;
}
if (name === undefined) console.table(rows);
