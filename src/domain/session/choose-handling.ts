export type InputType = 'command' | 'question' | 'correction';

export interface HandlingInput {
  readonly inputType: InputType;
  /** This person has often had to correct what was understood. */
  readonly frequentCorrections: boolean;
  /** Shares from 0 to 1. */
  readonly load: { readonly cpu: number; readonly memory: number };
}

export interface Handling {
  /** A correction is worked out on the ledger of what was just done; all else by the rules. */
  readonly resolveOn: 'ledger' | 'rules';
  /** Whether a model may be asked where no rule fits. */
  readonly mayAskModel: boolean;
  /** What was understood is said again before it is carried out, whatever its risk. */
  readonly readBack: boolean;
  /** Independent steps at one time. */
  readonly parallelSteps: number;
}

/** From here on the box is busy, and nothing optional is begun. */
export const BUSY_LOAD = 0.85;

/** How a turn is handled: by what kind of wish it is, by how well this person is understood, and by how busy the box is. */
export function chooseHandling({ inputType, frequentCorrections, load }: HandlingInput): Handling {
  const isBusy = Math.max(load.cpu, load.memory) >= BUSY_LOAD;
  const isCorrection = inputType === 'correction';
  return {
    resolveOn: isCorrection ? 'ledger' : 'rules',
    mayAskModel: !isBusy && !isCorrection,
    readBack: inputType !== 'question' && (isCorrection || frequentCorrections),
    parallelSteps: isBusy ? 1 : 3,
  };
}
