/** The result of one attempt: a response, or the reason why there is none. */

/** Whole ms of each phase; null for a phase that did not happen: a reused connection, an address instead of a name, `http:`, no response. */
export interface Timings {
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  /** From the ready connection, or from the start on a reused one, to the headers of the response. */
  readonly first_byte_ms: number | null;
}

export const noTimings: Timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/**
 * What is wrong with the receiver's certificate. Each is a failure of the TLS handshake, as the general `tls` is.
 */
export type CertificateFault =
  | 'tls_expired'
  | 'tls_not_yet_valid'
  | 'tls_wrong_host'
  | 'tls_self_signed'
  | 'tls_unknown_issuer';

/**
 * Why an attempt had no response: `dns`, `connect`, `tls` by the phase that failed, with the fault of a certificate; `timeout` for the deadline of a sent request; `reset` for a connection
 * closed by the receiver before its response; `protocol` for a response that is not HTTP; `blocked` for a target that is never allowed; `forbidden` for a name
 * that resolved to such an address, which another DNS answer may correct;
 * `busy` if no connection became free in time, so that nothing was sent; `cancelled` if the caller's signal ended it.
 */
export type SendErrorClass =
  | 'dns'
  | 'connect'
  | 'tls'
  | CertificateFault
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'blocked'
  | 'forbidden'
  | 'busy'
  | 'cancelled';

/** The receiver returned any status, including a redirect. */
export interface Answered {
  readonly outcome: 'answered';
  readonly status: number;
  /** The unparsed headers that are relevant for a delivery. */
  readonly headers: { readonly 'retry-after'?: string; readonly 'webhook-delivery'?: string };
  /** The first KiB of the body as text. */
  readonly excerpt: string;
  /** Whether the body was read to its end: false if it was too long, too slow or interrupted, which does not affect the status. */
  readonly complete: boolean;
  readonly durationMs: number;
  /** The part of it that is the receiver's time: from the written request, or from the opening of a connection that failed. */
  readonly answerMs: number;
  readonly timings: Timings;
}

/** There was no response. */
export interface Failed {
  readonly outcome: 'failed';
  readonly error: SendErrorClass;
  /** Short, without addresses and internals. */
  readonly message: string;
  readonly durationMs: number;
  readonly answerMs: number;
  readonly timings: Timings;
}

export type SendResult = Answered | Failed;
