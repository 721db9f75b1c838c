import { didYouMean } from '../../runtime/nearest.ts';
import { checkValue } from './check-value.ts';
import {
  ACCESS_LEVELS,
  type CapabilityName,
  RISKS,
  type ToolContract,
  type ToolProperty,
} from './tool-contract.ts';
import { isKnownUnit, knownUnits } from './units.ts';

/** A contradiction in a contract, at its path in `tool.yaml`. */
export interface ContractFault {
  readonly path: readonly (string | number)[];
  readonly message: string;
}

/** The longest that a step of a turn may take, milliseconds: a tool and the second until it is killed fit into it. */
export const STEP_LIMIT_MS = 10_000;
/** A call is killed so long after the handler's own limit. */
export const KILL_AFTER_MS = 1000;

/** Names under which a caller could claim to be somebody else: who asks is known from the session. */
const IDENTITY_NAMES: readonly string[] = [
  'user_id',
  'caller',
  'caller_id',
  'role',
  'session_id',
  'consent',
  'confirmed',
  'idempotency_key',
];

type Scope = ToolContract['security']['data_scope'][number];

/** What a capability reaches, where that is data of the site. */
const SCOPES: Partial<Readonly<Record<CapabilityName, Scope>>> = {
  'plant.describe': 'plant',
  'points.read': 'plant',
  'points.write': 'plant',
  'history.over': 'history',
  'plclog.records': 'history',
  'memory.remember': 'memory',
  'memory.recall': 'memory',
  'memory.about': 'memory',
  'memory.happened': 'memory',
  'memory.forget': 'memory',
  'memory.review': 'memory',
  'files.save': 'files',
  'files.remove': 'files',
  'files.read': 'files',
  'people.find': 'people',
  'mail.send': 'messages',
  'work_orders.create': 'orders',
  'work_orders.close': 'orders',
  'node.status': 'node',
};

/** Everything in one contract that contradicts itself; what other contracts have to do with it is for `relationFaults`. */
export function contractFaults(contract: ToolContract): readonly ContractFault[] {
  return [
    ...objectFaults(contract.schema.parameters, ['schema', 'parameters']),
    ...objectFaults(contract.schema.response, ['schema', 'response']),
    ...identityFaults(contract),
    ...limitFaults(contract),
    ...securityFaults(contract),
    ...redactFaults(contract),
    ...phraseFaults(contract),
    ...questionFaults(contract),
  ];
}

function fault(path: ContractFault['path'], message: string): ContractFault {
  return { path, message };
}

type ObjectSchema = ToolContract['schema']['parameters'];

/** What contradicts itself in the declaration of some arguments or results, which stands at `path`. */
export function objectFaults(object: ObjectSchema, path: readonly string[]): ContractFault[] {
  const names = Object.keys(object.properties);
  const undeclared = (['required', 'nullable'] as const).flatMap((list) =>
    object[list].flatMap((name, index) =>
      names.includes(name)
        ? []
        : [fault([...path, list, index], `"${name}" is no declared property.${didYouMean(name, names)}`)],
    ),
  );
  const inProperties = Object.entries(object.properties).flatMap(([name, property]) =>
    propertyFaults(property).map((found) =>
      fault([...path, 'properties', name, ...found.path], found.message),
    ),
  );
  return [...undeclared, ...inProperties];
}

function propertyFaults(property: ToolProperty): ContractFault[] {
  const { type, minimum, maximum } = property;
  const isNumeric = type === 'number' || type === 'integer';
  const faults: ContractFault[] = [];
  const only = (key: keyof ToolProperty, fits: boolean, of: string): void => {
    if (property[key] !== undefined && !fits)
      faults.push(fault([key], `goes with ${of} only, not with ${type}`));
  };
  only('unit', isNumeric, 'number and integer');
  only('minimum', isNumeric, 'number and integer');
  only('maximum', isNumeric, 'number and integer');
  const isText = type === 'string' || type === 'scalar';
  only('min_length', isText, 'string and scalar');
  only('max_length', isText, 'string and scalar');
  only('format', type === 'string', 'string');
  only('items', type === 'array', 'array');
  only('max_items', type === 'array', 'array');
  only('enum', type !== 'array' && type !== 'object', 'string, number, integer and boolean');
  only('default', type !== 'array' && type !== 'object', 'string, number, integer and boolean');
  if (minimum !== undefined && maximum !== undefined && minimum > maximum)
    faults.push(fault(['minimum'], `${minimum} is above the maximum ${maximum}`));
  if ((property.min_length ?? 0) > (property.max_length ?? Number.POSITIVE_INFINITY))
    faults.push(fault(['min_length'], `${property.min_length} is above max_length ${property.max_length}`));
  if (property.unit !== undefined && !isKnownUnit(property.unit)) {
    const near = nearestUnit(property.unit) || ` Known are ${knownUnits().join(', ')}.`;
    faults.push(fault(['unit'], `"${property.unit}" is no unit known here.${near}`));
  }
  if (faults.length > 0) return faults;
  for (const [index, value] of (property.enum ?? []).entries()) {
    const checked = checkValue({ ...property, enum: undefined }, value);
    if (!checked.ok) faults.push(fault(['enum', index], checked.message));
  }
  if (property.default !== undefined) {
    const checked = checkValue(property, property.default);
    if (!checked.ok) faults.push(fault(['default'], checked.message));
  }
  return faults;
}

/** A symbol in the wrong case is more likely than one of other letters. */
function nearestUnit(unit: string): string {
  const same = knownUnits().find((known) => known.toLowerCase() === unit.toLowerCase());
  return same === undefined ? didYouMean(unit, knownUnits()) : ` Did you mean "${same}"?`;
}

function identityFaults({ schema: { parameters } }: ToolContract): ContractFault[] {
  return Object.keys(parameters.properties)
    .filter((name) => IDENTITY_NAMES.includes(name))
    .map((name) =>
      fault(
        ['schema', 'parameters', 'properties', name],
        'who asks is never an argument: a handler gets it from the capability caller.describe',
      ),
    );
}

function limitFaults({ sla, security, sandbox, capabilities }: ToolContract): ContractFault[] {
  const faults: ContractFault[] = [];
  const limitMs = sla.max_execution_time_ms;
  const acts = security.risk === 'physical' || security.risk === 'dangerous';
  if (!sla.detached && limitMs + KILL_AFTER_MS >= STEP_LIMIT_MS)
    faults.push(
      fault(
        ['sla', 'max_execution_time_ms'],
        `${limitMs} and the ${KILL_AFTER_MS} until the kill do not fit into a step of ${STEP_LIMIT_MS}: at most ${STEP_LIMIT_MS - KILL_AFTER_MS - 1}, or detached: true`,
      ),
    );
  if (sla.retry_policy.attempts > 0 && !sla.idempotent)
    faults.push(fault(['sla', 'retry_policy', 'attempts'], 'only an idempotent tool is repeated: 0'));
  if (sla.retry_policy.attempts > 0 && security.risk !== 'none')
    faults.push(
      fault(['sla', 'retry_policy', 'attempts'], `a tool of risk ${security.risk} is never repeated: 0`),
    );
  if (acts && sla.detached)
    faults.push(fault(['sla', 'detached'], `a tool of risk ${security.risk} is waited for: false`));
  if (sandbox.connections < 1 && capabilities.includes('http.request'))
    faults.push(fault(['sandbox', 'connections'], 'http.request needs at least 1'));
  return faults;
}

function securityFaults({
  security,
  capabilities,
  depends_on,
  fallback_tool,
}: ToolContract): ContractFault[] {
  const faults: ContractFault[] = [];
  if (capabilities.includes('points.write')) {
    if (security.risk === 'none' || security.risk === 'reversible')
      faults.push(
        fault(
          ['security', 'risk'],
          `a tool that writes points is physical or dangerous, not ${security.risk}`,
        ),
      );
    if (security.access_level === 'PUBLIC')
      faults.push(fault(['security', 'access_level'], 'a tool that writes points is INTERNAL or CRITICAL'));
  }
  for (const capability of capabilities) {
    const scope = SCOPES[capability];
    if (scope !== undefined && !security.data_scope.includes(scope))
      faults.push(fault(['security', 'data_scope'], `${capability} reaches "${scope}": add it`));
  }
  if (depends_on.length > 0 && !capabilities.includes('tools.call'))
    faults.push(fault(['depends_on'], 'a tool calls others by the capability tools.call: add it'));
  if (fallback_tool !== undefined && (security.risk === 'physical' || security.risk === 'dangerous'))
    faults.push(fault(['fallback_tool'], `nothing stands in for a tool of risk ${security.risk}`));
  return faults;
}

function redactFaults({ observability, schema: { parameters } }: ToolContract): ContractFault[] {
  const names = Object.keys(parameters.properties);
  return observability.redact.flatMap((name, index) =>
    names.includes(name)
      ? []
      : [fault(['observability', 'redact', index], `"${name}" is no parameter.${didYouMean(name, names)}`)],
  );
}

function phraseFaults({ phrases }: ToolContract): ContractFault[] {
  return Object.entries(phrases).flatMap(([key, { en, zh }]) => {
    const inEn = placeholdersOf(en);
    const inZh = placeholdersOf(zh);
    const missing = (names: readonly string[], from: readonly string[], language: 'en' | 'zh') =>
      names
        .filter((name) => !from.includes(name))
        .map((name) =>
          fault(['phrases', key, language], `does not say {${name}}, which the other language does`),
        );
    return [...missing(inEn, inZh, 'zh'), ...missing(inZh, inEn, 'en')];
  });
}

/** Whoever is asked hears what would be done, in either language. A write is read back by the daemon instead. */
function questionFaults({ question, security, capabilities, schema }: ToolContract): ContractFault[] {
  if (question === undefined)
    return security.risk === 'none' || capabilities.includes('points.write')
      ? []
      : [fault(['question'], `is missing: what is asked before a tool of risk ${security.risk} acts`)];
  const names = Object.keys(schema.parameters.properties);
  return (['en', 'zh'] as const).flatMap((language) =>
    placeholdersOf(question[language])
      .filter((name) => !names.includes(name))
      .map((name) => fault(['question', language], `{${name}} is no parameter.${didYouMean(name, names)}`)),
  );
}

function placeholdersOf(text: string): readonly string[] {
  return [...text.matchAll(/\{([a-z][a-z0-9_]*)\}/gu)].map(([, name]) => name ?? '');
}

/** What a contract says of other tools, held against those tools. Dependencies in a circle are for `sortByDependencies`. */
export function relationFaults(
  contract: ToolContract,
  others: ReadonlyMap<string, ToolContract>,
): readonly ContractFault[] {
  return [...fallbackFaults(contract, others), ...compensationFaults(contract, others)];
}

function unknownTool(path: string, name: string, others: ReadonlyMap<string, ToolContract>): ContractFault {
  return fault([path], `there is no tool "${name}".${didYouMean(name, others.keys())}`);
}

function fallbackFaults(contract: ToolContract, others: ReadonlyMap<string, ToolContract>): ContractFault[] {
  const name = contract.fallback_tool;
  if (name === undefined) return [];
  if (name === contract.name) return [fault(['fallback_tool'], 'a tool cannot stand in for itself')];
  const other = others.get(name);
  if (other === undefined) return [unknownTool('fallback_tool', name, others)];
  const faults: ContractFault[] = [];
  const { access_level: level, risk } = contract.security;
  if (ACCESS_LEVELS.indexOf(other.security.access_level) > ACCESS_LEVELS.indexOf(level))
    faults.push(
      fault(['fallback_tool'], `"${name}" is ${other.security.access_level}, above ${level} of this tool`),
    );
  if (RISKS.indexOf(other.security.risk) > 0)
    faults.push(
      fault(
        ['fallback_tool'],
        `"${name}" is of risk ${other.security.risk}: nobody was asked about it, so only risk none stands in (this tool: ${risk})`,
      ),
    );
  const own = Object.keys(contract.schema.parameters.properties);
  const lacking = other.schema.parameters.required.filter(
    (key) => !own.includes(key) && other.schema.parameters.properties[key]?.default === undefined,
  );
  if (lacking.length > 0)
    faults.push(
      fault(['fallback_tool'], `"${name}" requires ${lacking.join(', ')}, which this tool does not take`),
    );
  return faults;
}

function compensationFaults(
  contract: ToolContract,
  others: ReadonlyMap<string, ToolContract>,
): ContractFault[] {
  const name = contract.compensation;
  if (name === undefined) return [];
  const other = others.get(name);
  if (other === undefined) return [unknownTool('compensation', name, others)];
  const given = Object.keys(contract.schema.response.properties);
  const { properties, required } = other.schema.parameters;
  const lacking = required.filter((key) => !given.includes(key) && properties[key]?.default === undefined);
  return lacking.length === 0
    ? []
    : [
        fault(
          ['compensation'],
          `"${name}" requires ${lacking.join(', ')}, which the response of this tool does not have`,
        ),
      ];
}
