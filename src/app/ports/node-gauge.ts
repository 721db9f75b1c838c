import type { NodeFigure } from '../../domain/planning/condition.ts';

export type NodeFigures = Readonly<Partial<Record<NodeFigure, number>>>;

export interface NodeGauge {
  /** How the box is doing now; what is not known, or was not read lately, is left out. */
  figures(): NodeFigures;
}
