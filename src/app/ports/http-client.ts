export interface HttpRequest {
  readonly method: 'GET' | 'HEAD' | 'POST' | 'PUT' | 'PATCH' | 'DELETE';
  readonly url: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: string;
  /** From now to the last byte of the answer. */
  readonly timeoutMs: number;
  /** A longer answer is a failure. */
  readonly maxResponseBytes: number;
}

export interface HttpResponse {
  readonly status: number;
  /** Names in lower case. */
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string;
}

/** Asks other servers over HTTP. */
export interface HttpClient {
  /**
   * Follows no redirect: whoever asked decides about another place. Rejects with EdgeError HTTP_NOT_ALLOWED for a host that
   * may not be asked, HTTP_UNREACHABLE (`retry: safe`, nothing was sent), HTTP_FAILED (`retry: unknown-outcome`, it may
   * have arrived) or HTTP_TOO_LARGE.
   */
  request(request: HttpRequest, signal?: AbortSignal): Promise<HttpResponse>;
}
