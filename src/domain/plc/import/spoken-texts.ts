import { hasHan, spokenOf } from './list-names.ts';

/** Letters that stand before the number of a register or of a variable that nobody has named. */
const CIPHER_LETTERS = /^(?:\p{Lu}{0,2}|DB[XBWD]|MB|REG|REGISTER|VAR|TAG|WORD|COIL|POINT|ADDR)\d+$/iu;

/** Letters and digits that people say all the same: gases, dust, and sensors. */
const SAID_AS_WRITTEN = /^(?:CO2|O2|N2|H2|NH3|NO2|SO2|CH4|H2S|PM\d{1,2}|PT1000?)$/iu;

/** Whether a tag says nothing of what it is, such as DB1_W12, AI_001 or %MW100. */
export function isCipher(tag: string): boolean {
  if (hasHan(tag)) return false;
  const parts = tag.split(/[^\p{L}\p{N}]+/u).filter((part) => part !== '');
  return (
    parts.some((part) => /\d/u.test(part)) &&
    !parts.some((part) => SAID_AS_WRITTEN.test(part)) &&
    parts.every((part) => CIPHER_LETTERS.test(part) || /^\p{L}{1,2}$/u.test(part))
  );
}

/** Lower-case; those that are words of names as well (`hours`, `percent`) are missing on purpose. */
const UNITS = new Set(
  (
    'rpm 1/min u/min upm a ma ka amp amps ampere v mv kv volt volts w kw mw gw watt wh kwh mwh va kva var kvar hz khz mhz ' +
    'bar mbar pa hpa kpa mpa psi °c °f k degc degf ℃ ℉ % ‰ ppm l ml hl m3 m³ nm3 l/min l/h l/s m3/h m³/h m3/s ' +
    's sec ms min h m mm cm µm μm um km m2 m² m/s m/min mm/s g kg mg t kg/h t/h n kn nm knm pcs stk stck ohm ω kohm ' +
    '转/分 r/min 摄氏度 安 安培 伏 伏特 瓦 千瓦 千瓦时 度 秒 毫秒 分钟 米 毫米 厘米 公斤 千克 克 吨 升 帕 千帕 兆帕 赫兹 件'
  ).split(' '),
);

/** A comment that people could say, or empty: a unit ("rpm", "amps x0.1") or a single letter is none. */
export function spokenComment(comment: string): string {
  const spoken = spokenOf(comment);
  if (spoken.length < 2 && !hasHan(spoken)) return '';
  const words = comment
    .toLowerCase()
    .replace(/[()[\]{}（）【】,;]/gu, ' ')
    .split(/\s+/u)
    .filter((word) => word !== '' && !/^[x×*/÷:=]?[-+]?\d*[.,]?\d*$/u.test(word));
  return words.every((word) => UNITS.has(word)) ? '' : spoken;
}
