/** The state of a running request: the exchange of request and response, and its connection. */
import type { Socket } from 'node:net';
import type { Dispatcher } from 'undici';
import type Client from 'undici/lib/dispatcher/client.js';
import type { SendResult } from './result.ts';
import type { Target } from './targets.ts';

export interface Exchange {
  readonly target: Target;
  readonly timeoutMs: number;
  /** Its start, by `performance.now()`. */
  readonly startedAt: number;
  readonly settle: (result: SendResult | Promise<never>) => void;
  readonly onReceiverTime: (() => void) | undefined;
  readonly isStillWanted: (() => Promise<boolean>) | undefined;
  /** When the receiver's time began, by `performance.now()`; 0 while the exchange waits for a connection. */
  receiverFrom: number;
  readonly dispatch: Dispatcher.DispatchOptions;
  /** Ends the current phase. */
  timer: NodeJS.Timeout | undefined;
  /** Whether it had to wait for a connection to become free. */
  waited: boolean;
  settled: boolean;
  connection: Connection | undefined;
  reused: boolean;
  /** 0 until the headers of the response are complete. */
  status: number;
  headers: Record<string, string | string[] | undefined>;
  firstByteAt: number;
  interimAnswers: number;
  bytes: number;
  /** The start of the body. */
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
  target: Target,
  dispatch: Exchange['dispatch'],
  timeoutMs: number,
  { settle, onReceiverTime, isStillWanted }: Pick<Exchange, 'settle' | 'onReceiverTime' | 'isStillWanted'>,
): Exchange => {
  return {
    target,
    dispatch,
    timeoutMs,
    settle,
    onReceiverTime,
    isStillWanted,
    receiverFrom: 0,
    startedAt: performance.now(),
    timer: undefined,
    waited: false,
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

/** Marks it as ended and removes its timer. */
export const finish = (exchange: Exchange): void => {
  exchange.settled = true;
  clearTimeout(exchange.timer);
};

/** Starts the receiver's time, or starts it again. */
export const beginReceiverTime = (exchange: Exchange): void => {
  exchange.receiverFrom = performance.now();
  exchange.onReceiverTime?.();
};

/** Returns whole ms of the receiver's time. */
export const receiverTimeOf = ({ receiverFrom }: Exchange): number =>
  receiverFrom === 0 ? 0 : Math.round(performance.now() - receiverFrom);

/** Returns whole ms since its start. */
export const elapsed = ({ startedAt }: Exchange): number => {
  return Math.round(performance.now() - startedAt);
};
