/** What the sender knows of a request while it is under way: the exchange of request and answer, and the connection that carries it. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type Client from 'undici/lib/dispatcher/client.js';
import type { SendResult } from './result.ts';
import type { Target } from './targets.ts';

export interface Exchange {
  readonly target: Target;
  readonly timeoutMs: number;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  readonly settle: (result: SendResult | Promise<never>) => void;
  readonly dispatch: Dispatcher.DispatchOptions;
  /** The one timer: for the phase that it is in. */
  timer: NodeJS.Timeout | undefined;
  /** Whether it had to wait for a connection to become free. */
  waited: boolean;
  /** Takes the listener off the caller's signal. */
  stopListening: (() => void) | undefined;
  settled: boolean;
  connection: Connection | undefined;
  reused: boolean;
  /** 0 until the headers of the answer are complete. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  firstByteAt: number;
  interimAnswers: number;
  bytes: number;
  /** The beginning of the body. */
  chunks: Buffer[];
}

/** How far a connection is: waiting for DNS, for TCP, for TLS, or ready for a request. */
export type Phase = 'dns' | 'connect' | 'tls' | 'open';

export interface Connection {
  readonly origin: string;
  readonly client: Client;
  readonly handler: Dispatcher.DispatchHandler;
  /** What it is used for just now; undefined while it is idle and after its end. */
  exchange: Exchange | undefined;
  phase: Phase;
  socket: Socket | undefined;
  /** When it was opened, epoch ms. */
  openedAt: number;
  /** When phases began and ended, by `performance.now()`; 0 for one that did not happen. */
  startedAt: number;
  resolvedAt: number;
  connectedAt: number;
  readyAt: number;
}

/** An exchange that begins now. */
export const createExchange = (
  target: Target,
  dispatch: Exchange['dispatch'],
  timeoutMs: number,
  settle: Exchange['settle'],
): Exchange => {
  return {
    target,
    dispatch,
    timeoutMs,
    settle,
    startedAt: performance.now(),
    timer: undefined,
    waited: false,
    stopListening: undefined,
    settled: false,
    connection: undefined,
    reused: false,
    status: 0,
    headers: {},
    firstByteAt: 0,
    interimAnswers: 0,
    bytes: 0,
    chunks: [],
  };
};

/** Calls the listener when the signal is aborted while the exchange lasts. */
export const listenTo = (signal: AbortSignal, exchange: Exchange, listener: () => void): void => {
  signal.addEventListener('abort', listener);
  exchange.stopListening = () => signal.removeEventListener('abort', listener);
};

/** Marks it as ended and puts its timer and listener away. */
export const finish = (exchange: Exchange): void => {
  exchange.settled = true;
  clearTimeout(exchange.timer);
  exchange.stopListening?.();
};

/** Whole ms since it began. */
export const elapsed = ({ startedAt }: Exchange): number => {
  return Math.round(performance.now() - startedAt);
};
