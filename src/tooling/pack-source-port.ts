import type { ToolPack } from './sandbox-port.ts';
import type { TestCase } from './test-case.ts';

/** A tool's folder as it was found. */
export interface FoundPack {
  /** Of the folder; the tool has the same. */
  readonly name: string;
  readonly folder: string;
  /** `shipped` with the program, or the site's own. */
  readonly origin: 'shipped' | 'site';
  readonly content: PackContent;
}

export type PackContent =
  | {
      readonly ok: true;
      readonly pack: ToolPack;
      readonly cases: readonly TestCase[];
      /** `file:line:column` of a path in `tool.yaml`. */
      placeOf(path: readonly PropertyKey[]): string;
    }
  /** Each fault with its file and place. */
  | { readonly ok: false; readonly faults: readonly string[] };

/** Where tool packs come from. */
export interface PackSource {
  /** Every folder, the shipped ones first; one that cannot be read is among them with its faults. */
  read(): readonly FoundPack[];
}
