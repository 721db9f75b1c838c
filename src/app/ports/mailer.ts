export interface Mail {
  /** Without angle brackets; equal for repeats of one message. */
  readonly messageId: string;
  readonly to: readonly { readonly name: string; readonly address: string }[];
  readonly subject: string;
  readonly text: string;
  readonly attachments: readonly { readonly name: string; readonly path: string }[];
}

export type MailResult =
  | { readonly kind: 'accepted'; readonly refusedAddresses: readonly string[] }
  /** `message` for a fault of this message alone, `server` for one that every message would meet. */
  | { readonly kind: 'later'; readonly why: string; readonly scope: 'message' | 'server' }
  | { readonly kind: 'refused'; readonly why: string };

/** Hands mail to the site's mail server. */
export interface Mailer {
  /** Never rejects. */
  send(mail: Mail, signal: AbortSignal): Promise<MailResult>;
}
