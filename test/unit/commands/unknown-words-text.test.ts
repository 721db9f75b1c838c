import { describe, expect, it } from 'vitest';
import { unknownWordsText } from '../../../src/commands/unknown-words-text.ts';
import { loadSite } from '../../../src/composition/site.ts';
import { demoConfig } from '../../../src/config/demo-config.ts';

const { books } = loadSite(
  demoConfig({ language: 'en', stateDir: '/nowhere', mqttPort: undefined, httpPort: 0 }),
);

describe('a sentence that is not understood', () => {
  it('is told with each word that is not known and the nearest one, names included', () => {
    expect(unknownWordsText('read the temperatur of machine twelve', books.en)).toBe(
      '"temperatur" is not known; did you mean "temperature"?',
    );
    expect(unknownWordsText('read the temperature of machin twelve and xqzzy', books.en)).toBe(
      '"machin" is not known; did you mean "machine"?\n"xqzzy" is not known.',
    );
    expect(unknownWordsText('读取十二号机床的龘', books.zh)).toBe('不认识：“龘”。');
  });

  it('has nothing to tell when all words are known', () => {
    expect(unknownWordsText('temperature twelve read', books.en)).toBe('');
    expect(unknownWordsText('help', books.en)).toBe('');
  });
});
