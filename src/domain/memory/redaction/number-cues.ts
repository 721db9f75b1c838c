/** Words before a number that tell what it is; the nearest one counts. */
export type NumberCue = 'phone' | 'id' | 'card' | 'order';

const CUES: readonly (readonly [NumberCue, RegExp])[] = [
  [
    'phone',
    /\b(?:tel(?:ephone)?|phone|mobile|mob|cell(?:phone)?|call(?:ed|ing)?|dial|ring|sms|text|fax|hotline|wechat|whatsapp)\b|电话|手机|座机|号码|拨打?|打给|微信|短信|传真|热线|联系方式|致电/giu,
  ],
  [
    'id',
    /\b(?:id card|identity(?: card| number)?|national id|personal id|passport|ssn|social security|national insurance|nino|driving licence|driver'?s licen[cs]e)\b|身份证|证件|护照|社保|驾驶证|驾照|居住证/giu,
  ],
  [
    'card',
    /\b(?:credit card|debit card|bank(?: card| account)?|card number|account(?: number)?|visa|mastercard|iban)\b|银行卡|信用卡|储蓄卡|卡号|账号|帐号|账户|开户/giu,
  ],
  [
    'order',
    /\b(?:orders?|po|wo|so|sn|s\/n|p\/n|serial|part|ticket|batch|lot|invoice|tracking|article|item|barcode|ean|register|address|counter|timestamp|drawing|version|firmware)\b|订单|工单|单号|编号|序列号|物料|料号|批号|批次|图号|条码|寄存器|地址|计数|运单|件号|型号|版本|时间戳/giu,
  ],
];
const REACH = 30;

/** The nearest cue before `at` that no sentence end or other number parts from it. */
export function cueBefore(form: string, at: number): NumberCue | undefined {
  const before = form.slice(Math.max(0, at - REACH), at);
  const clause = before.split(/[;；。!！?？\n]|\d{3,}/u).at(-1) ?? '';
  let best: { readonly cue: NumberCue; readonly end: number } | undefined;
  for (const [cue, pattern] of CUES)
    for (const match of clause.matchAll(pattern)) {
      const end = match.index + match[0].length;
      if (best === undefined || end >= best.end) best = { cue, end };
    }
  return best?.cue;
}

/** A number that such a word follows is a reading. */
const UNIT =
  /^ ?(?:%|°|℃|(?:percent|degrees?|bar|mbar|[kmh]?pa|psi|rpm|r\/min|hz|khz|kw|kwh|mw|kv|mv|ma|mm|cm|km|kg|mg|ml|ms|nm|tons?|tonnes?|litres?|liters?|metres?|meters?|hours?|minutes?|seconds?|days?|weeks?|pulses?|counts?|cycles?|pieces?|pcs|times|turns|strokes|parts|units|steps)(?![a-z])|度|转|巴|兆帕|千帕|帕|毫米|厘米|米|公斤|千克|克|吨|升|毫升|个|件|次|小时|分钟|秒|天|圈|片|支|套|桶|脉冲|赫兹|千瓦|伏|安)/iu;

export function isReading(form: string, end: number): boolean {
  return UNIT.test(form.slice(end, end + 16));
}

const MONTH = '(?:0?[1-9]|1[0-2])';
const DAY = '(?:0?[1-9]|[12]\\d|3[01])';
const NOT_A_NUMBER: readonly RegExp[] = [
  new RegExp(`(?<![0-9-])(?:19|20)\\d\\d([-/.])${MONTH}\\1${DAY}(?!\\d|-\\d)`, 'gu'),
  new RegExp(`(?<![0-9-])${DAY}([-/.])${MONTH}\\1(?:19|20)\\d\\d(?!\\d|-\\d)`, 'gu'),
  /(?<![\d:])\d{1,2}:\d{2}(?::\d{2}(?:\.\d{1,6})?)?(?![\d:])/gu,
  /(?<![\d.])(?:\d{1,3}\.){3}\d{1,3}(?![\d.])/gu,
  // An existing mark: a digest may look like a number.
  /\[(?:phone|id|email|address|card):[0-9a-f]{16}\]/gu,
  // A code that begins with letters, all of it: "SN-13800138000", "WO-2026-000123".
  /(?<![a-z0-9])(?!(?:tel|phone|mobile|mob|cell|call|id|qq|wx|vx)[-.])[a-z]{1,6}\d{0,3}(?:-[a-z0-9]+)+(?![a-z0-9])/giu,
];

/** Stretches that hold digits and are dates, times, addresses of a network, marks or codes. */
export function barredStretches(form: string): readonly (readonly [number, number])[] {
  return NOT_A_NUMBER.flatMap((pattern) =>
    [...form.matchAll(pattern)].map(({ 0: text, index }): [number, number] => [index, index + text.length]),
  );
}
