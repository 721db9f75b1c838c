export interface ModelMessage {
  readonly role: 'system' | 'user' | 'assistant';
  readonly content: string;
}

export type ModelAnswer =
  | { readonly ok: true; readonly text: string }
  | {
      readonly ok: false;
      /** `busy` it limits how often it may be asked; `refused` it takes the request for wrong, such as a wrong token. */
      readonly reason: 'busy' | 'timeout' | 'unreachable' | 'refused' | 'nonsense';
      /** For the log: never a token, never what was said. */
      readonly detail: string;
    };

/** A language model that goes on with a conversation. */
export interface LanguageModel {
  /** Never rejects; a signal that fires ends it with `timeout`. */
  complete(messages: readonly ModelMessage[], signal: AbortSignal): Promise<ModelAnswer>;
}
