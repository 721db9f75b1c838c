import type { CallableWorkflow } from './callable-workflow.ts';

/** The file of a workflow as it was found. */
export interface FoundWorkflow {
  /** Of the file, without `.yaml`; the workflow has the same. */
  readonly name: string;
  readonly file: string;
  readonly content:
    | { readonly ok: true; readonly workflow: CallableWorkflow }
    /** Each fault with its file and place. */
    | { readonly ok: false; readonly faults: readonly string[] };
}
