/** Splits the time of an attempt into the phases of the delivery log. */
import type { Exchange } from './exchange.ts';
import { noTimings, type Timings } from './result.ts';

/** Returns the phases of an exchange that is about to end. */
export const timingsOf = ({ connection, reused, startedAt, firstByteAt }: Exchange): Timings => {
  if (connection === undefined) return noTimings;
  if (reused) return { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: between(startedAt, firstByteAt) };
  const { resolvedAt, connectedAt, readyAt } = connection;
  return {
    dns_ms: between(connection.startedAt, resolvedAt),
    connect_ms: between(resolvedAt === 0 ? connection.startedAt : resolvedAt, connectedAt),
    tls_ms: connection.origin.startsWith('https:') ? between(connectedAt, readyAt) : null,
    first_byte_ms: between(readyAt, firstByteAt),
  };
};

const between = (from: number, to: number): number | null => {
  return to === 0 ? null : Math.round(to - from);
};
