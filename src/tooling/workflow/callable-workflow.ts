import type { ToolContract } from '../../domain/tool/tool-contract.ts';
import type { WorkflowFile } from '../../domain/workflow/workflow-file.ts';

/** A workflow that passed its checks, and the contract under which it is called. */
export interface CallableWorkflow {
  readonly file: WorkflowFile;
  readonly contract: ToolContract;
}
