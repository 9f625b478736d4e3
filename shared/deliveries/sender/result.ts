/** What comes of one attempt to send: an answer, or the reason why there is none. */

/** Whole ms of each phase; null for one that did not happen: a reused connection, an address instead of a name, `http:`, no answer. */
export interface Timings {
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  /** From the connection being ready, or from the start on a reused one, to the headers of the answer. */
  readonly first_byte_ms: number | null;
}

export const noTimings: Timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/**
 * Why an attempt had no answer: `dns`, `connect`, `tls` by the phase it failed in; `timeout` for the deadline of a request that was sent; `reset` for a connection
 * closed by the receiver before its answer; `protocol` for an answer that is not HTTP; `blocked` for a target that deliveries may never go to; `forbidden` for a name
 * that resolved to such an address, which another answer of the DNS may correct;
 * `busy` if no connection became free in time, so that nothing was sent; `cancelled` if the caller's signal ended it.
 */
export type SendErrorClass =
  | 'dns'
  | 'connect'
  | 'tls'
  | 'timeout'
  | 'reset'
  | 'protocol'
  | 'blocked'
  | 'forbidden'
  | 'busy'
  | 'cancelled';

/** The receiver returned a status, whichever, a redirect included. */
export interface Answered {
  readonly outcome: 'answered';
  readonly status: number;
  /** The headers that mean something to a delivery, as they came. */
  readonly headers: { readonly 'retry-after'?: string; readonly 'webhook-delivery'?: string };
  /** The first KiB of the body as text. */
  readonly excerpt: string;
  /** Whether the body was read to its end: false if it was too long, too slow or broke off, which leaves the status as it is. */
  readonly complete: boolean;
  readonly durationMs: number;
  readonly timings: Timings;
}

/** There was no answer. */
export interface Failed {
  readonly outcome: 'failed';
  readonly error: SendErrorClass;
  /** Short, without addresses and without anything of our inside. */
  readonly message: string;
  readonly durationMs: number;
  readonly timings: Timings;
}

export type SendResult = Answered | Failed;
