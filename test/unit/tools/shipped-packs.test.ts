import { readFileSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { parse } from 'yaml';
import { sayResult, unknownPhrases } from '../../../src/app/say-result.ts';
import { LANGUAGES } from '../../../src/domain/language/language.ts';
import { createPhrasebook, phraseFileSchema } from '../../../src/domain/phrases/phrasebook.ts';
import { saySchema } from '../../../src/domain/tool/say.ts';
import { systemClocks } from '../../../src/runtime/clocks.ts';
import { demoPlant } from '../../support/plant-file.ts';
import { cannedContext, type PackCase, type ShippedPack, shippedPacks } from '../../support/tool-packs.ts';

const phraseFile = (language: string) =>
  phraseFileSchema.parse(
    parse(readFileSync(new URL(`../../../config/phrases/${language}.yaml`, import.meta.url), 'utf8')),
  );
const parts = {
  phrases: createPhrasebook({ en: phraseFile('en'), zh: phraseFile('zh') }),
  plant: demoPlant(),
  clocks: { ...systemClocks(), wall: () => new Date('2026-03-05T08:00:00Z') },
  timeZone: 'Asia/Shanghai',
};

const packs = await shippedPacks();
const TOLD = ['INPUT_INVALID', 'TOOL_UNAVAILABLE', 'OUTCOME_UNKNOWN'];

/** What the sandbox makes of a handler that ended with an error. */
function codeOf(error: unknown): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  return TOLD.includes(code) ? code : 'TOOL_FAILED';
}

async function run(pack: ShippedPack, testCase: PackCase) {
  const context = cannedContext(testCase.capabilities);
  try {
    const { result, say } = await pack.handle(testCase.args, context);
    return { ok: true as const, result, say: saySchema.parse(say ?? []), uses: context.uses };
  } catch (error) {
    return { ok: false as const, code: codeOf(error), uses: context.uses };
  }
}

describe('the shipped tools', () => {
  it('are those of the issue', () => {
    expect(packs.map(({ name }) => name)).toEqual(
      expect.arrayContaining([
        'close-work-order',
        'compare',
        'create-work-order',
        'diagnose',
        'export-report',
        'find-memory',
        'find-report',
        'forget-memory',
        'how-to',
        'machine-status',
        'read-history',
        'read-plc-log',
        'read-value',
        'recall',
        'remember',
        'remove-report',
        'review-memory',
        'send-message',
        'settle-memory',
        'system-status',
        'what-happened',
        'when-last',
        'write-value',
      ]),
    );
  });

  it('are each called like their folder', () => {
    for (const { name, contract } of packs) expect(contract.name).toBe(name);
  });

  it('ask a question before anything that needs a plain yes', () => {
    for (const { contract } of packs)
      if (contract.security.risk === 'reversible') expect(contract.question, contract.name).toBeDefined();
  });

  it('name for each argument and each field of a result what it is, in both languages', () => {
    for (const { contract } of packs)
      for (const side of [contract.schema.parameters, contract.schema.response])
        for (const [name, property] of Object.entries(side.properties))
          for (const language of LANGUAGES)
            expect(property.description[language], `${contract.name}.${name}`).toMatch(/\S/u);
  });
});

describe.each(packs)('$name', (pack) => {
  it.each(pack.cases)('$name', async (testCase) => {
    const ended = await run(pack, testCase);
    const { expect: expected } = testCase;
    if ('code' in expected) {
      expect(ended).toMatchObject({ code: expected.code });
      return;
    }
    if (!ended.ok) throw new Error(`it ended with ${ended.code}`);
    expect(ended.result).toMatchObject(expected.ok);
    if (expected.say !== undefined) expect(ended.say.map(({ phrase }) => phrase)).toEqual(expected.say);
    if (expected.uses !== undefined) expect(ended.uses).toMatchObject(expected.uses);

    const { properties, required, nullable } = pack.contract.schema.response;
    expect(Object.keys(properties)).toEqual(expect.arrayContaining(Object.keys(ended.result)));
    expect(Object.keys(ended.result)).toEqual(expect.arrayContaining(required));
    for (const [field, value] of Object.entries(ended.result))
      if (value === null) expect(nullable).toContain(field);

    expect(unknownPhrases(ended.say, pack.contract.phrases)).toEqual([]);
    for (const language of LANGUAGES) {
      const said = sayResult(ended.say, pack.contract.phrases, parts, language);
      expect(said).toMatch(language === 'zh' ? /\p{Script=Han}/u : /[a-z]/iu);
      expect(said).not.toMatch(/[{}]|undefined|NaN|\[object/u);
    }
  });

  it('uses only capabilities that its contract lists', async () => {
    for (const testCase of pack.cases) {
      const { uses } = await run(pack, testCase);
      expect(pack.contract.capabilities).toEqual(expect.arrayContaining(Object.keys(uses)));
    }
  });
});
