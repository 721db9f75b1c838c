/**
 * What can be asked for, and the slots that its sentences may fill: the agreement between the sentence files and the rules.
 * `person`, `period` and `document` hold what was said; who or when that is, is decided when a plan is made.
 */
export const INTENT_SLOTS: ReadonlyMap<string, readonly string[]> = new Map([
  ['read_point', ['machine', 'quantity']],
  ['machine_status', ['machine']],
  ['read_history', ['machine', 'quantity', 'period', 'statistic']],
  ['compare', ['machine', 'other_machine', 'quantity', 'period']],
  ['export_result', ['format']],
  ['send_result', ['person']],
  ['resend_document', ['period', 'document', 'person', 'format']],
  ['cancel_step', ['ordinal', 'tool']],
  ['undo', ['ordinal', 'tool']],
  ['redo_for', ['machine']],
  ['continue', []],
  ['read_log', ['machine', 'period', 'event']],
  ['diagnose', ['machine']],
  ['check_machine', ['machine']],
  ['work_order_create', ['machine', 'text']],
  ['work_order_close', ['number']],
  ['write', ['machine', 'quantity', 'value', 'action']],
  ['write_request', ['machine', 'quantity', 'value', 'action']],
  ['help', []],
  ['how_to', ['topic', 'machine']],
  ['who_am_i', []],
  ['system_status', []],
  ['tickets', []],
]);
