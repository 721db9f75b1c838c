/** One thing that has to hold on ARM64. The checks of a list build on those before them. */
export interface Check {
  readonly name: string;
  readonly run: () => Promise<void>;
}
