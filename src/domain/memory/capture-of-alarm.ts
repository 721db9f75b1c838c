import { type AlarmEvent, alarmEventKey } from '../alarm/alarm-event.ts';
import { type Language, languageOf } from '../language/language.ts';
import type { Capture } from './capture.ts';

/**
 * An alarm as something that happened. `keyOf` makes a short id of its key; `machines` are those of the site that its source or
 * name is called like. What a sender over MQTT says is text: it claims nothing by itself.
 */
export function captureOfAlarm(
  event: AlarmEvent,
  language: Language,
  { keyOf, machines }: { readonly keyOf: (text: string) => string; readonly machines: readonly string[] },
): Capture {
  const text =
    typeof event.text === 'string'
      ? event.text
      : (event.text[language] ?? Object.values(event.text)[0] ?? event.name);
  const key = keyOf(alarmEventKey(event));
  const about = machines.filter((id) => id === event.source || id === event.name);
  return {
    id: `alarm.${key}`,
    atMs: Date.parse(event.received_at),
    kind: 'alarm',
    source: 'mqtt',
    origin: { kind: 'alarm', id: key },
    scope: 'site',
    userId: `alarm.${event.source}`.slice(0, 100),
    language: languageOf(text),
    text: `${event.source} ${event.name}: ${text}${event.state === 'cleared' ? OVER[languageOf(text)] : ''}`,
    about: about.map((id) => ({ kind: 'machine' as const, id })),
    isWish: false,
  };
}

const OVER: Readonly<Record<Language, string>> = { en: ' (over)', zh: '（已恢复）' };
