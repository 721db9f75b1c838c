import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { basename, join, resolve } from 'node:path';
import { loadPlacedYaml, type PlacedYaml } from '../config/load-yaml.ts';
import { shipped } from '../config/shipped.ts';
import { type ToolContract, toolContractSchema } from '../domain/tool/tool-contract.ts';
import { EdgeError, isEdgeError, messageOf } from '../runtime/edge-error.ts';
import { readFault } from '../runtime/read-fault.ts';
import type { FoundPack, PackContent, PackSource } from '../tooling/pack-source-port.ts';
import { type TestCase, testCasesSchema } from '../tooling/test-case.ts';

const isFromSources = import.meta.url.endsWith('.ts');

/** The packs that come with the program: as they were written where it runs from its sources, else as they were built. */
export function shippedPacks(): string {
  return shipped(isFromSources ? 'tools' : 'dist/packs');
}

/** The shipped packs and, where one is given, those of the site's own directory. */
export function toolPacks(siteDirectory: string | undefined, shippedDirectory = shippedPacks()): PackSource {
  return {
    read: () => [
      ...packsIn(shippedDirectory, 'shipped'),
      ...(siteDirectory === undefined ? [] : packsIn(siteDirectory, 'site')),
    ],
  };
}

/**
 * A folder whose name begins with "_" holds what several packs share. Throws EdgeError CONFIG_UNREADABLE when the directory
 * cannot be read.
 */
function packsIn(directory: string, origin: FoundPack['origin']): readonly FoundPack[] {
  let names: string[];
  try {
    names = readdirSync(directory, { withFileTypes: true })
      .filter((entry) => entry.isDirectory() && !/^[._]/u.test(entry.name) && entry.name !== 'node_modules')
      .map(({ name }) => name);
  } catch (error) {
    throw new EdgeError('CONFIG_UNREADABLE', `${directory}: ${readFault(error)}`, {
      hint: 'tools.directory is the directory that holds a folder for each tool',
      cause: error,
    });
  }
  return names.toSorted().map((name) => readPack(join(directory, name), origin));
}

/** One folder with `tool.yaml`, `handler` and `test-cases.json`. */
export function readPack(folder: string, origin: FoundPack['origin']): FoundPack {
  const absolute = resolve(folder);
  return { name: basename(absolute), folder, origin, content: contentOf(absolute, folder, origin) };
}

function contentOf(absolute: string, folder: string, origin: FoundPack['origin']): PackContent {
  const faults: string[] = [];
  const file = join(folder, 'tool.yaml');
  const contract = attempt(
    () =>
      (origin === 'shipped' ? builtContract(absolute, file) : undefined) ??
      loadPlacedYaml(file, toolContractSchema),
    faults,
  );
  const cases = attempt(() => readTestCases(join(folder, 'test-cases.json')), faults);
  const handler = HANDLERS.map((name) => join(absolute, name)).find((file) => existsSync(file));
  if (handler === undefined) faults.push(`${folder}: there is no ${HANDLERS.join(' or ')}`);
  if (contract === undefined || cases === undefined || handler === undefined) return { ok: false, faults };
  return { ok: true, pack: { contract: contract.value, handler }, cases, placeOf: contract.placeOf };
}

/** What the build made of a shipped `tool.yaml`; undefined where there is none or it does not fit, and then the file itself says why. */
function builtContract(folder: string, file: string): PlacedYaml<ToolContract> | undefined {
  const built = join(folder, 'tool.json');
  if (!existsSync(built)) return undefined;
  const parsed = toolContractSchema.safeParse(JSON.parse(readFileSync(built, 'utf8')));
  return parsed.success
    ? { value: parsed.data, placeOf: (path) => loadPlacedYaml(file, toolContractSchema).placeOf(path) }
    : undefined;
}

/** A TypeScript handler runs only where the program itself runs from its sources. */
const HANDLERS = isFromSources ? ['handler.mjs', 'handler.js', 'handler.ts'] : ['handler.mjs', 'handler.js'];

function attempt<T>(read: () => T, faults: string[]): T | undefined {
  try {
    return read();
  } catch (error) {
    if (!isEdgeError(error)) throw error;
    faults.push(...error.message.split('\n'));
    return undefined;
  }
}

function readTestCases(file: string): readonly TestCase[] {
  let body: unknown;
  try {
    body = JSON.parse(readFileSync(file, 'utf8'));
  } catch (error) {
    const why = error instanceof SyntaxError ? messageOf(error) : readFault(error);
    throw new EdgeError('CONFIG_INVALID', `${file}: ${why}`, { cause: error });
  }
  const parsed = testCasesSchema.safeParse(body);
  if (parsed.success) return parsed.data;
  const faults = parsed.error.issues.map(
    ({ path, message }) => `${file} ${path.map(String).join('.')}: ${message}`,
  );
  throw new EdgeError('CONFIG_INVALID', faults.join('\n'));
}
