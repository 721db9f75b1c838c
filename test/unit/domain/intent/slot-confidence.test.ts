import { describe, expect, it } from 'vitest';
import type { Meaning } from '../../../../src/domain/intent/meaning.ts';
import { type HeardWord, slotConfidence } from '../../../../src/domain/intent/slot-confidence.ts';

/** Words as "pump:0.9"; without a number they were heard for certain. */
function heard(text: string): readonly HeardWord[] {
  return text.split(' ').map((word) => {
    const [said = '', confidence = '1'] = word.split(':');
    return { text: said, confidence: Number(confidence) };
  });
}

function slots(spoken: Readonly<Record<string, string>>): Meaning {
  return {
    intent: 'read_point',
    slots: Object.fromEntries(
      Object.entries(spoken).map(([slot, words]) => [slot, { value: 'x', spoken: words }]),
    ),
  };
}

describe('how sure a slot was heard', () => {
  it('is the confidence of its least sure word, whatever is beside it', () => {
    const words = heard('read:0.2 the:0.1 oil:0.9 pressure:0.8 of pump three:0.4');
    expect(slotConfidence(slots({ quantity: 'oil pressure', machine: 'pump three' }), words, 'en')).toEqual({
      quantity: 0.8,
      machine: 0.4,
    });
  });

  it('is found in Chinese, where the words of the recogniser and of a name are cut differently', () => {
    const words = heard('读取 十:0.9 二:0.7 号 机床 的 冷却:0.6 水 温度:0.8');
    expect(slotConfidence(slots({ machine: '十二号机床', quantity: '冷却水温度' }), words, 'zh')).toEqual({
      machine: 0.7,
      quantity: 0.6,
    });
  });

  it('is that of the less sure place where its words were said twice', () => {
    expect(slotConfidence(slots({ value: 'three' }), heard('set pump three:0.9 to three:0.3'), 'en')).toEqual(
      {
        value: 0.3,
      },
    );
  });

  it('is not known of what the plant or an earlier turn has filled in, nor of what was typed', () => {
    const meaning = slots({ machine: '', other_machine: 'pump four', quantity: 'pressure' });
    expect(slotConfidence(meaning, heard('read the pressure:0.5'), 'en')).toEqual({ quantity: 0.5 });
    expect(slotConfidence(meaning, [], 'en')).toEqual({});
  });
});
