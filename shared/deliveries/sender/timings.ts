/** Splits the time of an attempt into its phases, as the delivery log shows them. */
import type { Exchange } from './exchange.ts';

/** Whole ms of each phase; null for one that did not happen: a reused connection, an address instead of a name, `http:`, no answer. */
export interface Timings {
  readonly dns_ms: number | null;
  readonly connect_ms: number | null;
  readonly tls_ms: number | null;
  /** From the connection being ready, or from the start on a reused one, to the headers of the answer. */
  readonly first_byte_ms: number | null;
}

export const noTimings: Timings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/** The phases of an exchange that is about to end. */
export function timingsOf({ connection, reused, startedAt, firstByteAt }: Exchange): Timings {
  if (connection === undefined) return noTimings;
  if (reused) return { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: between(startedAt, firstByteAt) };
  const { resolvedAt, connectedAt, readyAt } = connection;
  return {
    dns_ms: between(connection.startedAt, resolvedAt),
    connect_ms: between(resolvedAt === 0 ? connection.startedAt : resolvedAt, connectedAt),
    tls_ms: connection.origin.startsWith('https:') ? between(connectedAt, readyAt) : null,
    first_byte_ms: between(readyAt, firstByteAt),
  };
}

function between(from: number, to: number): number | null {
  return from === 0 || to === 0 ? null : Math.round(to - from);
}
