/** Intents that may come to a write to a machine: of the shipped sentences, and of a site's own. */
export const WRITING_INTENTS: readonly string[] = ['write_request', 'write'];
