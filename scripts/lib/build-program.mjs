// The program as it runs: one file for what every start needs, one for each command, one for each kind of child process.
// Six hundred modules read one by one take half a second on a desktop and two on a Pi. Types are checked by "tsc", not here.
import { readFileSync, rmSync } from 'node:fs';
import { dirname, join, relative } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

const root = fileURLToPath(new URL('../..', import.meta.url));
const source = join(root, 'src');
const target = join(root, 'dist');

/** A module that looks for files beside itself finds them as if it stood where it was written. */
const ownPlace = {
  name: 'own-place',
  setup({ onLoad }) {
    onLoad({ filter: /\.ts$/ }, ({ path }) => {
      const text = readFileSync(path, 'utf8');
      if (!text.includes('import.meta.url') || !path.startsWith(`${source}/`)) return undefined;
      const place = relative(source, path).replace(/\.ts$/u, '.js');
      const contents = text.replaceAll('import.meta.url', `new URL('./${place}', import.meta.url).href`);
      return { contents, loader: 'ts', resolveDir: dirname(path) };
    });
  },
};

const common = {
  absWorkingDir: root,
  outdir: target,
  outbase: source,
  platform: 'node',
  target: 'node20',
  sourcemap: 'linked',
  logLevel: 'warning',
};
rmSync(target, { recursive: true, force: true });
await Promise.all([
  // Chunks stand in the root of dist, beside main.js: that is what `ownPlace` counts from.
  build({
    ...common,
    entryPoints: ['src/main.ts'],
    bundle: true,
    splitting: true,
    packages: 'external',
    format: 'esm',
    plugins: [ownPlace],
  }),
  build({
    ...common,
    entryPoints: ['src/adapters/recogniser/worker.ts', 'src/adapters/sandbox/worker/worker.ts'],
    bundle: true,
    packages: 'external',
    format: 'esm',
  }),
  build({
    ...common,
    entryPoints: ['src/adapters/microphone/short-period-arecord.cts'],
    format: 'cjs',
    outExtension: { '.js': '.cjs' },
  }),
]);
