import { type Evidence, PLAIN_EVIDENCE } from '../../domain/gate/evidence.ts';
import {
  DELIVERED_NOW,
  type DeclaredOutput,
  type Delivery,
  decide,
  effectOf,
  type GateDecision,
  type GivenConsent,
  isDeclaredOutput,
} from '../../domain/gate/gate.ts';
import type { MachineLocksView } from '../../domain/gate/machine-lock.ts';
import { beyondReach } from '../../domain/gate/role.ts';
import type { JsonObject } from '../../domain/json.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import { partLacking, type SitePart } from '../../domain/tool/site-part.ts';
import type { Caller, ToolCall } from '../../domain/tool/tool-call.ts';
import { type DataScope, RISKS, type Risk, type ToolContract } from '../../domain/tool/tool-contract.ts';

/** What the gate says of a call that is about to be made. */
export type Admission =
  | { readonly ok: true }
  | { readonly ok: false; readonly code: 'DENIED' | 'NOT_CONFIRMED'; readonly message: string };

interface Parts {
  readonly plant: PlantModel;
  readonly writes: WriteMode;
  readonly locks: () => MachineLocksView;
  readonly declaredOutputs: readonly DeclaredOutput[];
  /** What this site has not set up. */
  readonly lacking: ReadonlySet<SitePart>;
  /** The data that a person may reach; undefined for whoever is kept from none. */
  readonly reachOf: (personId: string) => readonly DataScope[] | undefined;
}

/** So many consents wait for their calls; a person gives one at a time. */
const MOST_CONSENTS = 200;

/** One call that wants to happen. */
export interface Wish {
  readonly actionId: string;
  readonly contract: ToolContract;
  readonly args: JsonObject;
  readonly caller: Caller;
  readonly evidence: Evidence;
  readonly consent?: GivenConsent;
  readonly delivery?: Delivery;
}

/** Puts every call before the rules of the gate, whichever way it came in. */
export class Gatekeeper {
  readonly #parts: Parts;
  readonly #given = new Map<string, GivenConsent>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  decide(wish: Wish): GateDecision {
    const { contract, args } = wish;
    const { writes, locks, declaredOutputs, lacking } = this.#parts;
    return decide({
      actionId: wish.actionId,
      tool: contract.name,
      access: contract.security.access_level,
      risk: this.riskOf(contract, args),
      effect: effectOf(contract.capabilities),
      beyond: {
        caller: this.#beyond(contract, wish.caller),
        giver: this.#beyond(contract, wish.consent?.giver),
      },
      caller: wish.caller,
      evidence: wish.evidence,
      lacks: partLacking(contract.capabilities, lacking),
      writes,
      machines: this.machinesOf(contract, args),
      locks: locks(),
      isDeclaredOutput: isDeclaredOutput(contract.name, args, declaredOutputs),
      delivery: wish.delivery ?? DELIVERED_NOW,
      consent: wish.consent,
    });
  }

  /** Keeps what a person has said yes to until the call is made. */
  remember(confirmationId: string, consent: GivenConsent): void {
    this.#given.set(confirmationId, consent);
    const [oldest] = this.#given.keys();
    if (this.#given.size > MOST_CONSENTS && oldest !== undefined) this.#given.delete(oldest);
  }

  /** Asked once more before a handler runs: what was decided before does not count. */
  admit(call: ToolCall, contract: ToolContract): Admission {
    const consent = call.consent === undefined ? undefined : this.#given.get(call.consent.confirmationId);
    const decision = this.decide({
      actionId: call.idempotencyKey,
      contract,
      args: call.args,
      caller: call.caller,
      evidence: PLAIN_EVIDENCE,
      ...(consent === undefined ? {} : { consent }),
    });
    if (decision.kind === 'act') return { ok: true };
    if (decision.kind === 'refuse') return { ok: false, code: 'DENIED', message: decision.detail };
    return { ok: false, code: 'NOT_CONFIRMED', message: `${contract.name} has to be confirmed by a person` };
  }

  #beyond(contract: ToolContract, who: Pick<Caller, 'person'> | undefined): readonly DataScope[] {
    const reach = who?.person === undefined ? undefined : this.#parts.reachOf(who.person.id);
    return beyondReach(contract.security.data_scope, reach);
  }

  /** The tool's risk, or that of the point where it is greater. */
  riskOf(contract: ToolContract, args: JsonObject): Risk {
    const { machine, point } = args;
    if (effectOf(contract.capabilities) !== 'write') return contract.security.risk;
    const found =
      typeof machine === 'string' && typeof point === 'string'
        ? this.#parts.plant.point({ machine, point })
        : undefined;
    const ofPoint: Risk = found?.writeRisk ?? 'physical';
    return RISKS.indexOf(ofPoint) > RISKS.indexOf(contract.security.risk) ? ofPoint : contract.security.risk;
  }

  /** The machines that a call changes. */
  machinesOf(contract: ToolContract, args: JsonObject): readonly string[] {
    if (effectOf(contract.capabilities) !== 'write') return [];
    const { machine } = args;
    return typeof machine === 'string' && this.#parts.plant.machine(machine) !== undefined ? [machine] : [];
  }
}
