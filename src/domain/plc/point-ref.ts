/** Names a point within the plant: the machine's id and the point's key below it. */
export interface PointRef {
  readonly machine: string;
  readonly point: string;
}
