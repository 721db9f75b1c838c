import { mkdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { parse, stringify } from 'yaml';
import { shipped } from '../../src/config/shipped.ts';
import { type JsonObject, type JsonValue, jsonObjectSchema } from '../../src/domain/json.ts';
import type { Language } from '../../src/domain/language/language.ts';
import { voiceConfig } from './demo-site.ts';
import { seedYesterday } from './seeded-history.ts';
import { writeSitePack } from './site-packs.ts';

/** Two machines with a temperature each, in registers 10 and 20 of unit 1. */
export function twoTemperatures(port: number): string {
  const machine = (id: string, en: string, zh: string, address: number): string => `
  ${id}:
    names: { en: [${en}], zh: [${zh}] }
    device: plc
    points:
      temperature: { names: { en: [temperature], zh: [温度] }, register: holding, address: ${address}, type: int16, unit: degC }`;
  return `
connections:
  plc-1: { transport: tcp, host: 127.0.0.1, port: ${port}, timeout_ms: 1000 }
devices:
  plc: { connection: plc-1, unit_id: 1, address_base: 0, byte_order: ABCD }
machines:${machine('machine-12', 'machine twelve', '十二号机床', 10)}${machine('pump-3', 'pump three', '三号泵', 20)}
`;
}

const PEOPLE = `id,name_en,name_zh,title_en,title_zh,role,email
zhang@maintenance,Zhang,张工,engineer,,maintainer,zhang@example.com
li@quality,Li,李工,engineer,,operator,li@example.com
`;

/** The configuration of a site that mails reports; all files are named as they stand in the daemon's own directory. */
export function reportConfig(options: {
  readonly language: Language;
  readonly mailPort: number;
  /** Host and port of what its own tools wait for; without it the site has no tools of its own. */
  readonly gate?: string;
  /** How fast it speaks. */
  readonly wordsPerMinute: number;
}): string {
  return [
    voiceConfig({ language: options.language, wordsPerMinute: options.wordsPerMinute }),
    'time_zone: Asia/Shanghai',
    'people: people.csv',
    `mail: { url: "smtp://127.0.0.1:${options.mailPort}", from: edge-1@example.com }`,
    'log: { level: debug }',
    ...(options.gate === undefined
      ? []
      : [
          'rules: rules.json',
          'tools: { directory: tools }',
          `http_tools: { allowed_hosts: ["${options.gate}"] }`,
        ]),
  ].join('\n');
}

/** Files of that configuration, and yesterday in the history. */
export async function prepareReportSite(directory: string, gate?: string): Promise<void> {
  mkdirSync(join(directory, 'state'));
  writeFileSync(join(directory, 'people.csv'), PEOPLE);
  await seedYesterday(join(directory, 'state', 'history.db'), [
    { ref: { machine: 'machine-12', point: 'temperature' }, morning: 72, afternoon: 76 },
    { ref: { machine: 'pump-3', point: 'temperature' }, morning: 58, afternoon: 62 },
  ]);
  if (gate === undefined) return;
  const tools = join(directory, 'tools');
  writeGated(tools, 'compare', `http://${gate}/compare`, {
    en: 'The comparison is ready.',
    zh: '对比完成。',
  });
  writeGated(tools, 'export-report', `http://${gate}/report`, {
    en: 'The report is ready.',
    zh: '报告已生成。',
  });
  const rules: JsonValue = JSON.parse(readFileSync(shipped('config/rules.json'), 'utf8'));
  writeFileSync(join(directory, 'rules.json'), JSON.stringify(withGatedTools(rules)));
}

const gated = (tool: string): string => `gated-${tool}`;

/** The shipped tool under another name, which runs on behind the turn and does its work once the gate opens. */
function writeGated(
  directory: string,
  tool: string,
  url: string,
  ready: { readonly en: string; readonly zh: string },
): void {
  const contract = jsonObjectSchema.parse(parse(readFileSync(shipped(`tools/${tool}/tool.yaml`), 'utf8')));
  const sla = jsonObjectSchema.parse(contract['sla']);
  const changed = {
    ...contract,
    name: gated(tool),
    sla: { ...sla, max_execution_time_ms: 300_000, detached: true },
    capabilities: ['http.request', 'tools.call'],
    depends_on: [tool],
    phrases: { ready },
  };
  const folder = writeSitePack(directory, gated(tool), {
    handle: `
  for (let isOpen = false; !isOpen; ) {
    const { body } = await context.use('http.request', { url: ${JSON.stringify(url)} });
    isOpen = body === 'open';
    context.signal.throwIfAborted();
  }
  const { result } = await context.use('tools.call', { tool: ${JSON.stringify(tool)}, args });
  return { result, say: [{ phrase: 'ready', values: {} }] };`,
  });
  writeFileSync(join(folder, 'tool.yaml'), stringify(changed));
}

/** Rules that use the gated tools wherever they use or look up those behind them. */
function withGatedTools(rules: JsonValue, key = ''): JsonValue {
  if (Array.isArray(rules)) return rules.map((item) => withGatedTools(item, key));
  if (typeof rules === 'string')
    return ['tool', 'of', 'newer_than'].includes(key) && ['compare', 'export-report'].includes(rules)
      ? gated(rules)
      : rules;
  if (typeof rules !== 'object' || rules === null) return rules;
  return Object.fromEntries(
    Object.entries(rules).map(([name, value]) => [name, withGatedTools(value, name)]),
  ) satisfies JsonObject;
}
