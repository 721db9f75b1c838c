import { describe, expect, it } from 'vitest';
import { isCipher, spokenComment } from '../../../../../src/domain/plc/import/spoken-texts.ts';

describe('a tag', () => {
  it.each(['DB1_W12', 'AI_001', '%MW100', 'DB10.DBD4', '40001', 'HR12', 'T_12', 'Reg7'])(
    '%s says nothing of what it is',
    (tag) => {
      expect(isCipher(tag)).toBe(true);
    },
  );

  it.each(['Temperatur', 'Zone1', 'M1_Speed', 'Run1', 'CO2', 'Pt100', 'pH', '1号泵'])(
    '%s is a name',
    (tag) => {
      expect(isCipher(tag)).toBe(false);
    },
  );
});

describe('a comment', () => {
  it.each(['rpm', 'amps x0.1', '0.1 bar', '°C', '[l/min]', 'x', '-', '', '千瓦', '%'])(
    '%j is nothing to say',
    (comment) => {
      expect(spokenComment(comment)).toBe('');
    },
  );

  it.each<[string, string]>([
    ['Werkzeug', 'Werkzeug'],
    ['Motor current (A)', 'Motor current A'],
    ['泵', '泵'],
    ['反应釜温度', '反应釜温度'],
  ])('%s is a name', (comment, spoken) => {
    expect(spokenComment(comment)).toBe(spoken);
  });
});
