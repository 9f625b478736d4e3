/** The result of one attempt: a response, or the reason why there is none. */

/** Whole ms of each phase; null for none: a reused connection, an address instead of a name, `http:`, no response. */
export interface Timings {
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  /** From the ready connection, or from the start on a reused one, to the headers of the response. */
  readonly first_byte_ms: number | null;
}

export const noTimings: Timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/** The fault of the receiver's certificate, or that it asks for ours. Each is a failed TLS handshake, like `tls`. */
export type CertificateFault =
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_wrong_host'
  | 'tls_self_signed'
  | 'tls_unknown_issuer'
  | 'tls_client_certificate';

/** Why an attempt had no response. */
export type SendErrorClass =
  | 'dns' // the phase that failed: `dns`, `connect` or `tls`
  | 'connect'
  | 'tls'
  | CertificateFault
  | 'timeout' // the deadline passed after the request was sent
  | 'reset' // the receiver closed the connection before its response
  | 'protocol' // the response is not HTTP
  | 'blocked' // the target is never allowed
  | 'forbidden' // the name resolved to an address that is not allowed; another DNS answer may correct it
  | 'busy'; // no connection became free in time, so nothing was sent

/** The headers of a response that are read; the last one is Discord's. */
export const relevant = ['retry-after', 'webhook-delivery', 'x-ratelimit-reset-after'] as const;

type RelevantHeader = (typeof relevant)[number];

/** The receiver returned any status, including a redirect. */
export interface Answered {
  readonly outcome: 'answered';
  readonly status: number;
  readonly headers: Readonly<Partial<Record<RelevantHeader, string>>>;
  /** The first KiB of the body as text. */
  readonly excerpt: string;
  readonly durationMs: number;
  readonly timings: Timings;
}

export interface Failed {
  readonly outcome: 'failed';
  readonly error: SendErrorClass;
  readonly durationMs: number;
  readonly timings: Timings;
}

export type SendResult = Answered | Failed;
