// build-packs.mjs [FROM [TO]]: the tool packs as they run, TypeScript made JavaScript, everything else copied.
// Types are checked by "tsc", not here.
import { copyFileSync, mkdirSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { basename, dirname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import ts from 'typescript';
import { parse } from 'yaml';

const root = fileURLToPath(new URL('../..', import.meta.url));
const [from = join(root, 'tools'), to = join(root, 'dist', 'packs')] = process.argv.slice(2);

const { config, error } = ts.readConfigFile(join(root, 'tsconfig.json'), ts.sys.readFile);
if (error !== undefined) throw new Error(ts.flattenDiagnosticMessageText(error.messageText, '\n'));
const { options } = ts.convertCompilerOptionsFromJson(config.compilerOptions, root);

rmSync(to, { recursive: true, force: true });
for (const entry of readdirSync(from, { recursive: true, withFileTypes: true })) {
  if (!entry.isFile()) continue;
  const source = join(entry.parentPath, entry.name);
  const target = join(to, source.slice(from.length));
  mkdirSync(dirname(target), { recursive: true });
  if (entry.name.endsWith('.ts')) {
    const { outputText } = ts.transpileModule(readFileSync(source, 'utf8'), {
      fileName: basename(source),
      compilerOptions: { ...options, noEmit: false, module: ts.ModuleKind.ESNext },
    });
    writeFileSync(target.replace(/\.ts$/u, '.js'), outputText);
  } else copyFileSync(source, target);
  // Read at each start: JSON in a twentieth of the time.
  if (entry.name === 'tool.yaml')
    writeFileSync(join(dirname(target), 'tool.json'), JSON.stringify(parse(readFileSync(source, 'utf8'))));
}
