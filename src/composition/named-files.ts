import type { Config } from '../config/config-schema.ts';
import { parseRules } from '../domain/planning/parse-rules.ts';
import { ruleWarnings } from '../domain/planning/rule-warnings.ts';
import { KEY_OF_PART, partLacking, SITE_PARTS, type SitePart } from '../domain/tool/site-part.ts';
import { workflowTool } from '../domain/workflow/workflow-file.ts';
import { isEdgeError } from '../runtime/edge-error.ts';
import { type LoadedTool, ToolRegistry } from '../tooling/tool-registry.ts';
import { siteGlossary } from './glossary.ts';
import { ruleScopeOf, rulesOf } from './rule-files.ts';
import { createRuntime, type Runtime } from './runtime.ts';
import type { Site } from './site.ts';
import { partsLacking } from './site-parts.ts';
import { toolPacks } from './tool-packs.ts';
import { composeSandbox, composeTester } from './tools.ts';
import { findWorkflows, workflowParameters } from './workflows.ts';

/** The files of one kind, read as the daemon reads them. */
export interface FilesRead {
  readonly part: 'tools' | 'workflows' | 'rules' | 'glossary';
  /** How many there are. */
  readonly detail: string;
  /** Each with its file and place; the daemon would run without what they are in. */
  readonly faults: readonly string[];
  /** Of what is valid and cannot be carried out as it is. */
  readonly warnings: readonly string[];
  /** Tools that are sound and are refused, by what the site has not set up. */
  readonly notSetUp?: readonly PartNotSetUp[];
}

interface PartNotSetUp {
  readonly part: SitePart;
  /** Of the configuration, or of the plant file. */
  readonly key: string;
  readonly tools: readonly string[];
}

/**
 * Reads the tool packs, workflows and rules of a site without running any of them: the tests of tools are not run. Where
 * the directory of the tools cannot be read, nothing is known of what workflows and rules may name, and only that is told.
 */
export async function readNamedFiles(site: Site): Promise<readonly FilesRead[]> {
  const runtime = createRuntime('silent');
  const { config, phrases } = site;
  const glossary = readGlossaryOf(config);
  const registry = new ToolRegistry({
    ...runtime,
    source: toolPacks(config.tools.directory),
    tester: composeTester(composeSandbox(config.tools.directory, runtime, 1)),
  });
  try {
    registry.load();
  } catch (error) {
    return [{ part: 'tools', detail: 'none', faults: faultsOf(error), warnings: [] }, ...glossary];
  }
  const tools = registry.all();
  const workflows = findWorkflows({
    siteDirectory: config.workflows,
    registry,
    declaredOutputs: config.automatic_outputs,
    busy: { en: phrases.say('en', 'busy'), zh: phrases.say('zh', 'busy') },
  });
  return [
    {
      part: 'tools',
      detail: counted(tools.length, 'tool'),
      faults: tools.flatMap(({ faults }) => faults),
      warnings: [],
      notSetUp: notSetUp(tools, partsLacking(config, site.plant)),
    },
    {
      part: 'workflows',
      detail: counted(workflows.length, 'workflow'),
      faults: workflows.flatMap(({ content }) => (content.ok ? [] : content.faults)),
      warnings: [],
    },
    await readRules(site, registry, workflows, runtime),
    ...glossary,
  ];
}

/** Nothing where the site has none of its own. */
function readGlossaryOf(config: Config): readonly FilesRead[] {
  if (config.memory.glossary === undefined) return [];
  const part = 'glossary';
  try {
    const detail = counted(siteGlossary(config).concepts.length, 'meaning');
    return [{ part, detail, faults: [], warnings: [] }];
  } catch (error) {
    return [{ part, detail: 'none', faults: faultsOf(error), warnings: [] }];
  }
}

async function readRules(
  { config, plant }: Site,
  registry: ToolRegistry,
  workflows: ReturnType<typeof findWorkflows>,
  runtime: Runtime,
): Promise<FilesRead> {
  const part = 'rules';
  const { source, name } = rulesOf(config, runtime);
  const state = await source.read();
  if (state.kind === 'unreadable')
    return { part, detail: 'none', faults: [`${name}: ${state.reason}`], warnings: [] };
  const startable = new Set(
    workflows.flatMap((workflow) => (workflow.content.ok ? [workflowTool(workflow.name)] : [])),
  );
  try {
    const rules = parseRules(state.text, name, ruleScopeOf(plant, registry, workflowParameters(workflows)));
    const warnings = ruleWarnings(
      rules,
      (tool) => startable.has(tool) || registry.pack(tool) !== undefined,
    ).map((warning) => `${name}: ${warning}`);
    return { part, detail: counted(rules.rules.length, 'rule'), faults: [], warnings };
  } catch (error) {
    return { part, detail: 'none', faults: faultsOf(error), warnings: [] };
  }
}

function notSetUp(tools: readonly LoadedTool[], lacking: ReadonlySet<SitePart>): readonly PartNotSetUp[] {
  return SITE_PARTS.flatMap((part) => {
    const without = tools.filter(
      ({ contract }) => contract !== undefined && partLacking(contract.capabilities, lacking) === part,
    );
    return without.length === 0
      ? []
      : [{ part, key: KEY_OF_PART[part], tools: without.map(({ name }) => name) }];
  });
}

/** "not set up: send-message (set mail)"; empty where every tool has what it needs. */
export function notSetUpLines({ notSetUp: parts = [] }: Pick<FilesRead, 'notSetUp'>): readonly string[] {
  return parts.map(({ key, tools }) => `not set up: ${tools.join(', ')} (set ${key})`);
}

/** "1 rule", "2 rules". */
export function counted(count: number, what: string): string {
  return `${count} ${what}${count === 1 ? '' : 's'}`;
}

function faultsOf(error: unknown): readonly string[] {
  if (!isEdgeError(error)) throw error;
  return error.message.split('\n');
}
