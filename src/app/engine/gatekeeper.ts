import type { Evidence } from '../../domain/gate/evidence.ts';
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
import type { JsonObject } from '../../domain/json.ts';
import type { PlantModel } from '../../domain/plc/plant-model.ts';
import type { WriteMode } from '../../domain/plc/writing/write-order.ts';
import type { Caller } from '../../domain/tool/tool-call.ts';
import { RISKS, type Risk, type ToolContract } from '../../domain/tool/tool-contract.ts';

interface Parts {
  readonly plant: PlantModel;
  readonly writes: WriteMode;
  readonly locks: MachineLocksView;
  readonly declaredOutputs: readonly DeclaredOutput[];
}

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

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  decide(wish: Wish): GateDecision {
    const { contract, args } = wish;
    const { writes, locks, declaredOutputs } = this.#parts;
    return decide({
      actionId: wish.actionId,
      tool: contract.name,
      access: contract.security.access_level,
      risk: this.riskOf(contract, args),
      effect: effectOf(contract.capabilities),
      caller: wish.caller,
      evidence: wish.evidence,
      writes,
      machines: this.machinesOf(contract, args),
      locks,
      isDeclaredOutput: isDeclaredOutput(contract.name, args, declaredOutputs),
      delivery: wish.delivery ?? DELIVERED_NOW,
      consent: wish.consent,
    });
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
