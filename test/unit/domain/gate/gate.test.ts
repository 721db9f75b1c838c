import { describe, expect, it, vi } from 'vitest';
import { type Evidence, PLAIN_EVIDENCE } from '../../../../src/domain/gate/evidence.ts';
import {
  CONFIRM_BY,
  type ConfirmBy,
  DELIVERED_NOW,
  type Delivery,
  decide,
  EFFECTS,
  effectOf,
  type GateDecision,
  type GateRequest,
  type GivenConsent,
  isDeclaredOutput,
} from '../../../../src/domain/gate/gate.ts';
import { refusalLine } from '../../../../src/domain/gate/gate-lines.ts';
import type { MachineLock } from '../../../../src/domain/gate/machine-lock.ts';
import { PLAN_SOURCES } from '../../../../src/domain/planning/plan.ts';
import { WRITE_MODES } from '../../../../src/domain/plc/writing/write-order.ts';
import { ORIGINS, ROLES } from '../../../../src/domain/tool/tool-call.ts';
import { ACCESS_LEVELS, RISKS } from '../../../../src/domain/tool/tool-contract.ts';

// It looks at every sentence or combination there is, which on a busy machine takes a while.
vi.setConfig({ testTimeout: 60_000 });

const WANG = { id: 'wang', name: 'Wang' };
const lock: MachineLock = { machine: 'pump-3', by: WANG, at: '2026-01-02T03:04:05.000Z' };
const LOCKED = new Map([['pump-3', lock]]);
const UNLOCKED = new Map<string, MachineLock>();
const LI_AT_MICROPHONE: GivenConsent['giver'] = {
  origin: 'voice',
  station: 'microphone',
  role: 'operator',
  person: { id: 'li', name: 'Li' },
};

/** A named operator asks aloud, in a whole sentence, for something physical on a free machine, and nobody has confirmed it. */
const SPOKEN_WRITE: GateRequest = {
  actionId: 'action-1',
  tool: 'write-value',
  access: 'INTERNAL',
  risk: 'physical',
  effect: 'write',
  beyond: { caller: [], giver: [] },
  caller: LI_AT_MICROPHONE,
  evidence: PLAIN_EVIDENCE,
  lacks: undefined,
  writes: 'on',
  machines: ['pump-3'],
  locks: UNLOCKED,
  isDeclaredOutput: false,
  delivery: DELIVERED_NOW,
  consent: undefined,
};

const consentBy = (by: ConfirmBy, giver = LI_AT_MICROPHONE, actionId = 'action-1'): GivenConsent => ({
  actionId,
  by,
  giver,
});
const told = (change: Partial<GateRequest>): string => {
  const decision = decide({ ...SPOKEN_WRITE, ...change });
  switch (decision.kind) {
    case 'act':
      return 'act';
    case 'confirm':
    case 'propose':
      return `${decision.kind} by ${decision.by}`;
    case 'ask':
    case 'refuse':
      return `${decision.kind}: ${decision.reason}`;
  }
};

// What follows asks the same questions as the gate does, in words of its own: one sentence of the design, one check.
const STRENGTH: Readonly<Record<ConfirmBy, number>> = { yes: 1, execute: 2, execute_with_word: 3 };
const RANK = { guest: 0, operator: 1, maintainer: 2, supervisor: 3 } as const;
const PEOPLE_SPEAK_AT = new Set(['voice', 'ask', 'panel']);

interface Invariant {
  readonly sentence: string;
  holds(request: GateRequest, decision: GateDecision): boolean;
}

const isMentioned = (request: GateRequest): boolean =>
  request.evidence.audioLost ||
  request.evidence.unknownWord ||
  request.evidence.fuzzyName ||
  request.evidence.digitsDoubtful;
const isAutomatic = (request: GateRequest): boolean =>
  request.isDeclaredOutput && ['rule', 'workflow', 'alarm'].includes(request.caller.origin);

const INVARIANTS: readonly Invariant[] = [
  {
    sentence: 'Only declared automatic outputs act unasked',
    holds: (request, { kind }) =>
      kind !== 'act' ||
      (request.risk === 'none' && request.effect !== 'write') ||
      request.consent !== undefined ||
      isAutomatic(request),
  },
  {
    sentence: 'risk none acts at once',
    holds: (request, { kind }) =>
      request.risk !== 'none' || request.effect !== 'none' || request.access !== 'PUBLIC' || kind === 'act',
  },
  {
    sentence: 'reversible asks for a yes, physical for the execute phrase, dangerous for a check word too',
    holds: ({ risk, effect }, decision) => {
      if (decision.kind !== 'confirm' && decision.kind !== 'propose') return true;
      if (risk === 'dangerous') return decision.by === 'execute_with_word';
      if (risk === 'physical' || effect === 'write') return decision.by === 'execute';
      return decision.by === 'yes';
    },
  },
  {
    sentence: 'A weaker consent than the risk asks for executes nothing',
    holds: ({ risk, effect, consent, ...request }, { kind }) => {
      if (kind !== 'act' || consent === undefined || (risk === 'none' && effect !== 'write')) return true;
      const needed = risk === 'dangerous' ? 3 : risk === 'physical' || effect === 'write' ? 2 : 1;
      return (
        STRENGTH[consent.by] >= needed &&
        PEOPLE_SPEAK_AT.has(consent.giver.origin) &&
        (request.access !== 'CRITICAL' || consent.giver.person !== undefined)
      );
    },
  },
  {
    sentence:
      'Lost audio, an unknown word, a keyword match, a fuzzy name or a proposal by a model never carries a write, an acknowledgement or a shelving',
    holds: ({ effect, evidence, consent, ...request }, { kind }) => {
      if (effect === 'none' || kind !== 'act') return true;
      const doubtful =
        isMentioned({ effect, evidence, consent, ...request }) || evidence.source === 'keyword';
      return !doubtful && (evidence.source !== 'model' || consent !== undefined);
    },
  },
  {
    sentence: 'Doubtful words are never offered for confirmation either',
    holds: (request, { kind }) =>
      (request.effect === 'none' && request.risk === 'none') ||
      !(isMentioned(request) || request.evidence.source === 'keyword') ||
      kind === 'ask' ||
      kind === 'refuse',
  },
  {
    sentence: "A model's proposal on doubtful words is refused",
    holds: (request, { kind }) =>
      request.evidence.source !== 'model' ||
      !isMentioned(request) ||
      (request.effect === 'none' && request.risk === 'none') ||
      kind === 'refuse',
  },
  {
    sentence: 'Writes are off until the site switches them on',
    holds: ({ effect, writes }, { kind }) => effect !== 'write' || writes !== 'off' || kind === 'refuse',
  },
  {
    sentence: 'A locked machine is written to by nobody, and a write names its machine',
    holds: ({ effect, locks, machines }, { kind }) =>
      effect !== 'write' ||
      (machines.length > 0 && !machines.some((machine) => locks.has(machine))) ||
      kind === 'refuse',
  },
  {
    sentence: 'MQTT cmd/ and MCP may only propose a write',
    holds: ({ effect, caller, consent }, { kind }) =>
      effect !== 'write' ||
      (caller.origin !== 'mqtt' && caller.origin !== 'mcp') ||
      kind === 'propose' ||
      kind === 'ask' ||
      kind === 'refuse' ||
      consent !== undefined,
  },
  {
    sentence: 'PUBLIC is for guests, INTERNAL for operators, CRITICAL for operators known by name',
    holds: (request, { kind }) => {
      if (kind === 'refuse' || isAutomatic(request)) return true;
      const { access, caller, consent } = request;
      const hasRole = access === 'PUBLIC' || RANK[caller.role] >= RANK.operator;
      const isNamed = (caller.person ?? (kind === 'propose' ? 'later' : consent?.giver.person)) !== undefined;
      return hasRole && (access !== 'CRITICAL' || isNamed || kind === 'ask');
    },
  },
  {
    sentence: 'A question never asks somebody who cannot answer',
    holds: ({ caller }, { kind }) => kind !== 'confirm' || PEOPLE_SPEAK_AT.has(caller.origin),
  },
  {
    sentence: 'Only a record is parked',
    holds: ({ effect, risk }, decision) =>
      (decision.kind !== 'confirm' && decision.kind !== 'propose') ||
      decision.isParkable === (effect === 'none' && risk === 'reversible'),
  },
];

const FLAGS: readonly Partial<Evidence>[] = [
  {},
  { audioLost: true },
  { unknownWord: true },
  { fuzzyName: true },
  { digitsDoubtful: true },
  { audioLost: true, unknownWord: true, fuzzyName: true, digitsDoubtful: true },
];

/** Every combination of access, role, identity, risk, effect, mode, machine and lock, consent and declaration. */
function* combinations(
  origin: GateRequest['caller']['origin'],
  source: Evidence['source'],
  flags: readonly Partial<Evidence>[],
): Generator<GateRequest> {
  const places = [
    { machines: ['pump-3'], locks: UNLOCKED },
    { machines: ['fan-1', 'pump-3'], locks: LOCKED },
    { machines: [], locks: UNLOCKED },
  ];
  const consents = [undefined, ...CONFIRM_BY.map((by) => consentBy(by))];
  for (const flag of flags)
    for (const access of ACCESS_LEVELS)
      for (const role of ROLES)
        for (const person of [undefined, WANG])
          for (const risk of RISKS)
            for (const effect of EFFECTS)
              for (const writes of WRITE_MODES)
                for (const place of places)
                  for (const consent of consents)
                    for (const isDeclared of [false, true])
                      yield {
                        ...SPOKEN_WRITE,
                        ...place,
                        access,
                        risk,
                        effect,
                        writes,
                        consent,
                        isDeclaredOutput: isDeclared,
                        caller: { origin, station: 'here', role, person },
                        evidence: { ...PLAIN_EVIDENCE, source, ...flag },
                      };
}

function violations(requests: Iterable<GateRequest>): readonly string[] {
  const found = new Map<string, string>();
  for (const request of requests) {
    const decision = decide(request);
    for (const { sentence, holds } of INVARIANTS)
      if (!found.has(sentence) && !holds(request, decision))
        found.set(sentence, `${sentence}: ${JSON.stringify({ ...request, decision })}`);
  }
  return [...found.values()];
}

describe('the decisions that keep people safe, over every combination', () => {
  it.each(ORIGINS)('hold for whatever comes by %s', (origin) => {
    // The doubts are crossed with the two sources that differ under them; the other sources come without.
    for (const source of PLAN_SOURCES) {
      const flags = source === 'template' || source === 'model' ? FLAGS : FLAGS.slice(0, 1);
      expect(violations(combinations(origin, source, flags))).toEqual([]);
    }
  });

  it('are no tautology: a gate that lets everything through breaks each that could let something happen', () => {
    const act: GateDecision = { kind: 'act' };
    const broken = new Set<string>();
    for (const origin of ['voice', 'mqtt'] as const)
      for (const source of ['template', 'model'] as const)
        for (const request of combinations(origin, source, FLAGS))
          for (const { sentence, holds } of INVARIANTS) if (!holds(request, act)) broken.add(sentence);
    const confirmed = INVARIANTS.filter(({ sentence }) =>
      /asks for a yes|never asks|Only a record|risk none/u.test(sentence),
    );
    expect(broken.size).toBe(INVARIANTS.length - confirmed.length);
  });
});

describe('what a person asks for', () => {
  it.each([
    [{ risk: 'none', effect: 'none' }, 'act'],
    [{ risk: 'reversible', effect: 'none' }, 'confirm by yes'],
    [{ risk: 'physical', effect: 'none' }, 'confirm by execute'],
    [{ risk: 'dangerous', effect: 'none' }, 'confirm by execute_with_word'],
    [{ risk: 'dangerous', effect: 'write' }, 'confirm by execute_with_word'],
  ] as const)(
    '"What may happen and how it is asked are two fields of a tool": %j is %s',
    (change, expected) => {
      expect(told(change)).toBe(expected);
    },
  );

  it('takes the execute phrase for every write, however harmless its tool says it is', () => {
    expect(told({ risk: 'none' })).toBe('confirm by execute');
    expect(told({ risk: 'reversible' })).toBe('confirm by execute');
  });

  it('happens once it has been confirmed as strongly as it needs', () => {
    expect(told({ consent: consentBy('execute') })).toBe('act');
    expect(told({ consent: consentBy('yes') })).toBe('refuse: consent_invalid');
    expect(told({ risk: 'dangerous', consent: consentBy('execute') })).toBe('refuse: consent_invalid');
  });

  it('is not confirmed by a consent to something else', () => {
    expect(told({ consent: consentBy('execute', LI_AT_MICROPHONE, 'action-2') })).toBe(
      'refuse: consent_invalid',
    );
  });

  it.each(ORIGINS.filter((origin) => !PEOPLE_SPEAK_AT.has(origin)))('is never confirmed by %s', (origin) => {
    expect(told({ consent: consentBy('execute', { ...LI_AT_MICROPHONE, origin }) })).toBe(
      'refuse: consent_invalid',
    );
  });

  it('acknowledges and shelves at once in a whole sentence, and asks when it was heard by keywords', () => {
    for (const effect of ['acknowledge', 'shelve'] as const) {
      expect(told({ risk: 'none', effect })).toBe('act');
      expect(told({ risk: 'none', effect, evidence: { ...PLAIN_EVIDENCE, source: 'keyword' } })).toBe(
        'ask: keyword_match',
      );
    }
  });

  it.each([
    ['audio_lost', { audioLost: true }],
    ['unknown_word', { unknownWord: true }],
    ['fuzzy_name', { fuzzyName: true }],
    ['digits_doubtful', { digitsDoubtful: true }],
    ['near_stop', { nearStop: true }],
    ['keyword_match', { source: 'keyword' }],
  ] as const)('is asked about for %s, also when somebody has said the execute phrase', (reason, flag) => {
    const evidence = { ...PLAIN_EVIDENCE, ...flag };
    expect(told({ evidence })).toBe(`ask: ${reason}`);
    expect(told({ evidence, consent: consentBy('execute') })).toBe(`ask: ${reason}`);
    expect(told({ evidence, risk: 'none', effect: 'none' })).toBe('act');
  });
});

describe('what nobody in particular asks for', () => {
  it.each(['mqtt', 'mcp', 'rule', 'workflow', 'alarm', 'model'] as const)(
    'by %s is a proposal that a person at a station confirms',
    (origin) => {
      const caller = { origin, station: origin, role: 'operator', person: undefined } as const;
      expect(told({ caller })).toBe('propose by execute');
      expect(told({ caller, consent: consentBy('execute') })).toBe('act');
      expect(told({ caller, risk: 'none', effect: 'acknowledge' })).toBe('propose by yes');
      expect(told({ caller, risk: 'none', effect: 'none' })).toBe('act');
    },
  );

  it('is proposed when a model makes a write of what a person said, and a person has to confirm it in full', () => {
    const evidence = { ...PLAIN_EVIDENCE, source: 'model' } as const;
    expect(told({ evidence })).toBe('propose by execute');
    expect(told({ evidence, risk: 'reversible', effect: 'none' })).toBe('confirm by yes');
    expect(told({ evidence: { ...evidence, audioLost: true } })).toBe('refuse: proposal_doubtful');
  });

  it('needs for CRITICAL a person known by name, who confirms', () => {
    const caller = { origin: 'mqtt', station: 'mqtt', role: 'operator', person: undefined } as const;
    const critical = { caller, access: 'CRITICAL' } as const;
    expect(told(critical)).toBe('propose by execute');
    const nobody = { ...LI_AT_MICROPHONE, person: undefined };
    expect(told({ ...critical, consent: consentBy('execute', nobody) })).toBe('refuse: access_denied');
    expect(told({ ...critical, consent: consentBy('execute') })).toBe('act');
    expect(told({ ...critical, risk: 'none', effect: 'none' })).toBe('refuse: access_denied');
  });
});

describe('a declared automatic output', () => {
  const horn = { tool: 'sound-horn', args: { point: 'horn', value: true } };
  const byAlarm: Partial<GateRequest> = {
    isDeclaredOutput: true,
    caller: { origin: 'alarm', station: 'alarm', role: 'guest', person: undefined },
    access: 'CRITICAL',
    evidence: { ...PLAIN_EVIDENCE, source: 'alarm' },
  };

  it('has just the declared arguments', () => {
    expect(isDeclaredOutput('sound-horn', { value: true, point: 'horn' }, [horn])).toBe(true);
    expect(isDeclaredOutput('sound-horn', { value: false, point: 'horn' }, [horn])).toBe(false);
    expect(isDeclaredOutput('sound-horn', { ...horn.args, for_s: 5 }, [horn])).toBe(false);
    expect(isDeclaredOutput('write-value', horn.args, [horn])).toBe(false);
  });

  it('acts unasked, but never on a locked machine, with writes off, after waiting, or when it is dangerous', () => {
    expect(told(byAlarm)).toBe('act');
    expect(told({ ...byAlarm, locks: LOCKED })).toBe('refuse: locked');
    expect(told({ ...byAlarm, writes: 'off' })).toBe('refuse: writes_off');
    expect(told({ ...byAlarm, delivery: { kind: 'now', isFarSideThere: false } })).toBe(
      'refuse: never_waits',
    );
    expect(told({ ...byAlarm, access: 'PUBLIC', risk: 'dangerous' })).toBe('propose by execute_with_word');
  });

  it('is a write like any other when MQTT, a model or a person asks for it', () => {
    const caller = { origin: 'mqtt', station: 'mqtt', role: 'operator', person: undefined } as const;
    expect(told({ isDeclaredOutput: true })).toBe('confirm by execute');
    expect(told({ isDeclaredOutput: true, caller })).toBe('propose by execute');
    const byModel = {
      ...byAlarm,
      access: 'PUBLIC',
      evidence: { ...PLAIN_EVIDENCE, source: 'model' },
    } as const;
    expect(told(byModel)).toBe('propose by execute');
  });
});

describe('a call that has waited', () => {
  const queued = (more: Partial<Extract<Delivery, { kind: 'queued' }>>): Delivery => ({
    kind: 'queued',
    expiresInMs: undefined,
    hasIdempotencyKey: false,
    ...more,
  });
  const record = { risk: 'reversible', effect: 'none', consent: consentBy('yes') } as const;

  it('"A physical or dangerous call never waits in a queue: with the far side gone it fails aloud"', () => {
    for (const risk of ['physical', 'dangerous'] as const)
      for (const effect of EFFECTS) {
        const change = { risk, effect, consent: consentBy('execute_with_word') };
        expect(told({ ...change, delivery: queued({ hasIdempotencyKey: true }) })).toBe(
          'refuse: never_waits',
        );
        expect(told({ ...change, delivery: { kind: 'now', isFarSideThere: false } })).toBe(
          'refuse: never_waits',
        );
      }
  });

  it('"Records may wait, each with an expiry or an idempotency key"', () => {
    expect(told({ ...record, delivery: queued({}) })).toBe('refuse: wait_unlimited');
    expect(told({ ...record, delivery: queued({ hasIdempotencyKey: true }) })).toBe('act');
    expect(told({ ...record, delivery: queued({ expiresInMs: 1 }) })).toBe('act');
    expect(told({ ...record, delivery: queued({ expiresInMs: 0, hasIdempotencyKey: true }) })).toBe(
      'refuse: expired',
    );
    expect(told({ ...record, delivery: { kind: 'now', isFarSideThere: false } })).toBe('act');
  });

  it('is never an acknowledgement or a shelving: the alarm may be another one by then', () => {
    for (const effect of ['acknowledge', 'shelve'] as const)
      expect(told({ risk: 'none', effect, delivery: queued({ expiresInMs: 1000 }) })).toBe(
        'refuse: never_waits',
      );
  });
});

describe('a write to a machine', () => {
  it('goes on in commissioning, where the writer simulates it', () => {
    expect(told({ writes: 'commissioning', consent: consentBy('execute') })).toBe('act');
  });

  it('is refused with the name of the person who locked it', () => {
    const decision = decide({ ...SPOKEN_WRITE, locks: LOCKED, consent: consentBy('execute') });
    expect(decision).toMatchObject({ kind: 'refuse', reason: 'locked' });
    if (decision.kind !== 'refuse') return;
    expect(refusalLine(decision)).toEqual({ key: 'gate_locked', machine: 'pump-3', person: 'Wang' });
  });

  it('is what a tool with the capability to write does', () => {
    expect(effectOf(['points.read', 'points.write'])).toBe('write');
    expect(effectOf(['points.read', 'work_orders.create'])).toBe('none');
  });
});

describe('whoever is kept from some of the data', () => {
  const beyond = { caller: ['orders', 'people'], giver: [] } as const;

  it.each([
    ['what only looks', { risk: 'none', effect: 'none', access: 'PUBLIC' }],
    ['a message', { risk: 'reversible', effect: 'none' }],
    ['a write', {}],
    ['a write that was confirmed', { consent: consentBy('execute') }],
  ] as const)('is refused %s that reaches it', (_what, change) => {
    expect(told({ ...change, beyond })).toBe('refuse: scope_denied');
  });

  it.each(ORIGINS)('is refused it by whatever way (%s)', (origin) => {
    expect(told({ caller: { ...LI_AT_MICROPHONE, origin }, beyond })).toBe('refuse: scope_denied');
  });

  it('does not confirm for somebody else what reaches it', () => {
    const request = { consent: consentBy('execute'), beyond: { caller: [], giver: ['plant'] } } as const;
    expect(told(request)).toBe('refuse: scope_denied');
    expect(told({ ...request, beyond: { caller: [], giver: [] } })).toBe('act');
  });

  it('hears no more than any denial says; the audit names what and who', () => {
    const decision = decide({ ...SPOKEN_WRITE, beyond });
    if (decision.kind !== 'refuse') throw new Error(decision.kind);
    expect(refusalLine(decision)).toEqual({ key: 'gate_denied' });
    expect(decision.detail).toBe(
      'write-value reaches orders, people, from which li at microphone (voice) is kept',
    );
  });
});

describe('a denial', () => {
  const guest: GateRequest = {
    ...SPOKEN_WRITE,
    access: 'CRITICAL',
    caller: { origin: 'panel', station: 'panel-2', role: 'guest', person: WANG },
  };

  it('is generic aloud and full in the audit', () => {
    const decision = decide(guest);
    if (decision.kind !== 'refuse') throw new Error(decision.kind);
    expect(refusalLine(decision)).toEqual({ key: 'gate_denied' });
    expect(decision.detail).toBe(
      'write-value is CRITICAL: it needs operator known by name; wang at panel-2 (panel) is guest',
    );
  });

  it('comes before everything that would tell what there is: locks, modes, machines, what is set up', () => {
    expect(decide({ ...guest, locks: LOCKED, writes: 'off', lacks: 'mail' })).toMatchObject({
      reason: 'access_denied',
    });
  });
});

describe('what the site has not set up', () => {
  it('is refused before anything is asked, and a consent changes nothing', () => {
    const mail = { tool: 'send-message', effect: 'none', risk: 'reversible', lacks: 'mail' } as const;
    expect(told(mail)).toBe('refuse: not_set_up');
    expect(told({ ...mail, consent: consentBy('yes') })).toBe('refuse: not_set_up');
    expect(told({ ...mail, caller: { ...LI_AT_MICROPHONE, origin: 'mqtt' } })).toBe('refuse: not_set_up');
    expect(told({ ...mail, lacks: undefined })).toBe('confirm by yes');
    expect(decide({ ...SPOKEN_WRITE, ...mail })).toMatchObject({
      detail: 'send-message needs mail, which is not set up: set mail in the configuration',
      notSetUp: { tool: 'send-message', part: 'mail' },
    });
  });
});
