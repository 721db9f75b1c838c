import { readFileSync } from 'node:fs';
import { OpenAiClient } from '../adapters/model/openai-client.ts';
import { ModelPlanner } from '../app/planning/model-planner.ts';
import { RuleBook } from '../app/planning/rule-book.ts';
import { RuleRouter } from '../app/planning/rule-router.ts';
import type { Audit } from '../app/ports/audit.ts';
import type { FactView } from '../app/ports/fact-view.ts';
import type { NodeGauge } from '../app/ports/node-gauge.ts';
import type { PlcReader } from '../app/ports/plc-reader.ts';
import type { ToolRunner } from '../app/ports/tool-runner.ts';
import { shipped } from '../config/shipped.ts';
import { shiftCalendarOf } from '../domain/history/shift-calendar.ts';
import { parseRules } from '../domain/planning/parse-rules.ts';
import { ruleWarnings } from '../domain/planning/rule-warnings.ts';
import { when } from '../domain/planning/when.ts';
import type { SitePart } from '../domain/tool/site-part.ts';
import { SiteKeywords } from './keywords.ts';
import { ruleScopeOf, rulesOf, SHIPPED_RULES } from './rule-files.ts';
import type { Runtime } from './runtime.ts';
import { type Site, timeZoneOf } from './site.ts';
import type { Tools } from './tools.ts';

interface RoutingParts {
  readonly site: Site;
  readonly audit: Audit;
  readonly reader: PlcReader;
  readonly node: NodeGauge;
  readonly runner: ToolRunner;
  readonly registry: Tools['registry'];
  /** Workflow to its parameters, as rules may name them. */
  readonly workflowParameters: ReadonlyMap<string, readonly string[] | undefined>;
  /** What this site has not set up. */
  readonly facts: FactView;
  readonly lacking: ReadonlySet<SitePart>;
}

/** What takes a meaning, or words that are none, to a plan. */
interface Routing {
  readonly book: RuleBook;
  readonly router: RuleRouter;
  readonly planner: ModelPlanner | undefined;
  readonly keywords: SiteKeywords;
}

/** Throws EdgeError RULES_INVALID when the shipped rules do not fit the tools. */
export function composeRouting(
  { site, audit, reader, node, runner, registry, workflowParameters, facts, lacking }: RoutingParts,
  runtime: Runtime,
): Routing {
  const { config, plant, people } = site;
  const { clocks, scheduler, logger } = runtime;
  const timeZone = timeZoneOf(config);
  const scope = ruleScopeOf(plant, registry, workflowParameters);
  const setting = () => ({
    nowMs: clocks.wall().getTime(),
    timeZone,
    shifts: shiftCalendarOf(config.shifts),
  });
  const keywords = new SiteKeywords(site, (words) => ['one', 'which'].includes(when(words, setting()).kind));
  const { source, name } = rulesOf(config, runtime);
  const book = new RuleBook({
    source,
    parse: (text) => parseRules(text, name, scope),
    preset: parseRules(readFileSync(shipped(SHIPPED_RULES), 'utf8'), SHIPPED_RULES, scope),
    logger,
    scheduler,
    onEvent: (event) => {
      if (event.kind === 'loaded') {
        keywords.use(event.rules.examples);
        const warnings = ruleWarnings(event.rules, (tool) => runner.contract(tool) !== undefined);
        if (warnings.length > 0)
          logger.warn({ file: name, warnings }, 'rules name tools that cannot be used');
      }
      audit
        .append(
          'rule.reloaded',
          event.kind === 'loaded' ? { rules: event.rules.rules.length } : { faults: event.faults },
        )
        .catch((error: unknown) => logger.error({ error: String(error) }, 'the audit could not be written'));
    },
  });
  const router = new RuleRouter({
    book,
    plant,
    reader,
    people: {
      find: (spoken) => {
        const found = people.find(spoken);
        return found.kind === 'many'
          ? { kind: 'many', candidates: found.candidates.map(({ id, names }) => ({ id, names })) }
          : found;
      },
    },
    tools: runner,
    node,
    facts,
    when: (words) => when(words, setting()),
    lacking,
  });

  const planner = modelPlanner(config.planner, runner, audit, runtime);
  return { book, router, planner, keywords };
}

/** A language model that may propose plans; none unless one is configured. */
function modelPlanner(
  setting: Site['config']['planner'],
  runner: ToolRunner,
  audit: Audit,
  runtime: Runtime,
): ModelPlanner | undefined {
  if (setting === undefined) return undefined;
  const { url, model, token, timeout_ms: timeoutMs } = setting;
  return new ModelPlanner({
    ...runtime,
    audit,
    model: new OpenAiClient({ url, model, ...(token === undefined ? {} : { token }) }),
    timeoutMs,
    tools: () => runner.names().flatMap((name) => runner.contract(name) ?? []),
    check: (step) => {
      const checked = runner.check({
        callId: 'plan',
        tool: step.tool,
        args: step.args,
        caller: {
          origin: 'model',
          station: 'planner',
          sessionId: '',
          turnId: '',
          role: 'operator',
          person: undefined,
        },
        path: [],
        idempotencyKey: 'plan',
        consent: undefined,
      });
      return checked.ok ? undefined : checked.error;
    },
  });
}
