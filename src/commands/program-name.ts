import { basename, relative } from 'node:path';

/** The program's commands, as hints name them. */
const COMMAND =
  /\bhermes-edge (?=(?:run|ask|say|listen|history|doctor|config|plclog|plant|simulate|tools|tickets|memory)\b)/gu;

/**
 * What a person types to run the program the way this process was started, so that a printed command can be pasted:
 * `hermes-edge` where it is installed, else by `npx`, `npx tsx` or `node`.
 */
export function programName(
  script: string = process.argv[1] ?? '',
  environment: Readonly<Record<string, string | undefined>> = process.env,
  folder: string = process.cwd(),
): string {
  if (basename(script) === 'hermes-edge')
    return environment['npm_command'] === 'exec' || script.includes('/node_modules/.bin/')
      ? 'npx hermes-edge'
      : 'hermes-edge';
  const near = relative(folder, script);
  const path = near.startsWith('..') ? script : near;
  if (path === 'dist/main.js') return 'npx hermes-edge';
  if (path.endsWith('.ts')) return `npx tsx ${path}`;
  return path.endsWith('.js') ? `node ${path}` : 'hermes-edge';
}

/** A text whose commands of this program can be pasted. */
export function pasteable(text: string): string {
  return text.replace(COMMAND, () => `${programName()} `);
}
