import { execFileSync } from 'node:child_process';
import { mkdtempSync, realpathSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';

const ROOT = fileURLToPath(new URL('../..', import.meta.url));

/** What the sources of the sandbox and the tool packs are made into, as in an installed program. */
export class BuiltTools {
  readonly directory = mkdtempSync(join(tmpdir(), 'hermes-tools-'));
  readonly worker = join(this.directory, 'sandbox', 'worker', 'worker.js');
  readonly packs = join(this.directory, 'packs');

  /** What the packs build on. */
  readonly packages = join(this.directory, 'node_modules');

  constructor() {
    symlinkSync(realpathSync(join(ROOT, 'node_modules')), this.packages);
    writeFileSync(join(this.directory, 'package.json'), '{"type":"module"}');
    build(join(ROOT, 'src', 'adapters', 'sandbox'), join(this.directory, 'sandbox'));
    build(join(ROOT, 'tools'), this.packs);
  }

  remove(): void {
    rmSync(this.directory, { recursive: true });
  }
}

function build(from: string, to: string): void {
  execFileSync(process.execPath, [join(ROOT, 'scripts', 'lib', 'build-packs.mjs'), from, to]);
}
