/** The state of a running request: the exchange of request and response, and its connection. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type Client from 'undici/lib/dispatcher/client.js';
import { noTimings, type SendResult, type Timings } from './result.ts';

export interface Exchange {
  /** Scheme, host and port of the receiver. */
  readonly origin: string;
  readonly timeoutMs: number;
  /** Its start, by `performance.now()`. */
  readonly startedAt: number;
  readonly settle: (result: SendResult | Promise<never>) => void;
  readonly onReceiverTime: (() => void) | undefined;
  readonly isStillWanted: (() => Promise<boolean>) | undefined;
  readonly startWithinMs: number | undefined;
  readonly dispatch: Dispatcher.DispatchOptions;
  /** Ends the current phase. */
  timer: NodeJS.Timeout | undefined;
  hasEnded: boolean;
  connection: Connection | undefined;
  reused: boolean;
  /** 0 until the headers of the response are complete. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  firstByteAt: number;
  interimAnswers: number;
  bytes: number;
  chunks: Buffer[];
}

/** The phase of a connection: waiting for DNS, TCP or TLS, or ready for a request. */
export type Phase = 'dns' | 'connect' | 'tls' | 'open';

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly handler: Dispatcher.DispatchHandler;
  /** Its current exchange; undefined while it is idle and after its end. */
  exchange: Exchange | undefined;
  phase: Phase;
  socket: Socket | undefined;
  /** The receiver's alert, which undici replaces by the end of the connection that follows. */
  alert: unknown;
  /** When it was opened, epoch ms. */
  openedAt: number;
  /** Start and end of phases, by `performance.now()`; 0 for a phase that did not happen. */
  startedAt: number;
  resolvedAt: number;
  connectedAt: number;
  readyAt: number;
}

/** Returns an exchange that starts now. */
export const createExchange = (
  origin: string,
  dispatch: Exchange['dispatch'],
  timeoutMs: number,
  {
    settle,
    onReceiverTime,
    isStillWanted,
    startWithinMs,
  }: Pick<Exchange, 'settle'> & Partial<Pick<Exchange, 'onReceiverTime' | 'isStillWanted' | 'startWithinMs'>>,
): Exchange => ({
  origin,
  dispatch,
  timeoutMs,
  settle,
  onReceiverTime,
  isStillWanted,
  startWithinMs,
  startedAt: performance.now(),
  timer: undefined,
  hasEnded: false,
  connection: undefined,
  reused: false,
  status: 0,
  headers: {},
  firstByteAt: 0,
  interimAnswers: 0,
  bytes: 0,
  chunks: [],
});

/** Marks it as ended and removes its timer. */
export const finish = (exchange: Exchange): void => {
  exchange.hasEnded = true;
  clearTimeout(exchange.timer);
};

/** Returns whole ms since its start. */
export const elapsed = ({ startedAt }: Exchange): number => Math.round(performance.now() - startedAt);

/** Returns the phases of an exchange that is about to end. */
export const timingsOf = ({ connection, reused, startedAt, firstByteAt }: Exchange): Timings => {
  if (connection === undefined) return noTimings;
  if (reused) return { ...noTimings, first_byte_ms: between(startedAt, firstByteAt) };
  const { resolvedAt, connectedAt, readyAt } = connection;
  return {
    dns_ms: between(connection.startedAt, resolvedAt),
    connect_ms: between(resolvedAt === 0 ? connection.startedAt : resolvedAt, connectedAt),
    tls_ms: connection.origin.startsWith('https:') ? between(connectedAt, readyAt) : null,
    first_byte_ms: between(readyAt, firstByteAt),
  };
};

const between = (from: number, to: number): number | null => (to === 0 ? null : Math.round(to - from));
