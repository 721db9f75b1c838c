import { describe, expect, it } from 'vitest';
import { pasteable, programName } from '../../../src/commands/program-name.ts';

describe('the way to run the program again', () => {
  it('is how it was started', () => {
    expect(programName('/usr/local/bin/hermes-edge', {}, '/home/me')).toBe('hermes-edge');
    expect(programName('/r/node_modules/.bin/hermes-edge', {}, '/r')).toBe('npx hermes-edge');
    expect(programName('/c/bin/hermes-edge', { npm_command: 'exec' }, '/r')).toBe('npx hermes-edge');
    expect(programName('/r/dist/main.js', {}, '/r')).toBe('npx hermes-edge');
    expect(programName('/opt/hermes-edge/dist/main.js', {}, '/r')).toBe('node /opt/hermes-edge/dist/main.js');
    expect(programName('/r/src/main.ts', {}, '/r')).toBe('npx tsx src/main.ts');
  });

  it('goes into commands of a hint, and into nothing else', () => {
    expect(pasteable('start it: hermes-edge run')).toBe(`start it: ${programName()} run`);
    expect(pasteable('another hermes-edge answers')).toBe('another hermes-edge answers');
  });
});
