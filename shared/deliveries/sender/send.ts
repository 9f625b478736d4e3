/** Sends one attempt: a POST to an untrusted receiver, whose address, speed and response are all checked. */
import { type Clock, systemClock } from '../../foundation/clock.ts';
import type { AllowedRanges } from '../../webhooks/target-address.ts';
import { checkTargetUrl } from '../../webhooks/target-url.ts';
import { createHandler, excerptOf, relevantHeaders, TooLateError } from './answer.ts';
import { createConnector } from './connection.ts';
import { createConnections } from './connections.ts';
import { type Connection, createExchange, type Exchange, elapsed, finish, timingsOf } from './exchange.ts';
import { createResolve, guardedLookup, type Resolve, systemResolver } from './guarded-lookup.ts';
import { noTimings, type SendErrorClass, type SendResult } from './result.ts';
import { failureOf, isInvalidArgument } from './send-failure.ts';

export interface SenderOptions {
  /** Deadline in ms over DNS, TCP and TLS of a new connection. */
  readonly connectTimeoutMs: number;
  readonly allowHttp: boolean;
  readonly allowRanges: AllowedRanges;
  /** Maximum concurrent requests to one origin (scheme, host and port). */
  readonly concurrencyPerReceiver?: number;
  /** Bytes of a response body after which the connection is ended. */
  readonly maxResponseBytes?: number;
  readonly resolve?: Resolve;
  readonly clock?: Clock;
}

export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Deadline in ms from the open connection to the response's end; waiting for one may take as long again. */
  readonly timeoutMs: number;
  /** Within how many ms it must be written; otherwise the result is `busy`. Default: no limit. */
  readonly startWithinMs?: number | undefined;
  /** Called when the receiver's time begins: when a connection starts to open, and when the request is written. */
  readonly onReceiverTime?: () => void;
  /** Asked before a write that waited a second for one of our connections. If the answer is no, or fails: `busy`. */
  readonly isStillWanted?: () => Promise<boolean>;
}

export interface Sender {
  /** Posts once: no redirect, no decompression, no proxy. @throws only InvalidArgumentError for headers not of HTTP */
  send(request: SendRequest): Promise<SendResult>;
}

/** A wait in ms for one of our own connections after which a request may no longer be wanted. */
const longWaitMs = 1000;

/** Makes a sender with its own connections. */
export const createSender = (options: SenderOptions): Sender => {
  const { connectTimeoutMs, allowHttp, allowRanges, maxResponseBytes = 16_384, clock = systemClock } = options;
  const lookup = guardedLookup(options.resolve ?? createResolve(systemResolver(connectTimeoutMs)), allowRanges);
  const connections = createConnections({
    connector: createConnector(lookup, connectTimeoutMs),
    allowRanges,
    perOrigin: options.concurrencyPerReceiver ?? 10,
    clock,
    onAcquired: (exchange, connection) => carry(exchange, connection),
    createHandler: (current) => createHandler(current, maxResponseBytes, { answer, breakOff }),
    onOpening: ({ exchange }) => {
      if (exchange === undefined) return;
      exchange.reused = false;
      setDeadline(exchange, Math.min(connectTimeoutMs, exchange.timeoutMs));
    },
    onReady: ({ exchange }) => {
      if (exchange === undefined) return;
      setDeadline(exchange, exchange.timeoutMs);
      exchange.onReceiverTime?.();
    },
  });

  const send = ({ url, headers, body, timeoutMs, startWithinMs, ...more }: SendRequest): Promise<SendResult> => {
    if (!checkTargetUrl(url, { allowHttp, allowRanges }).ok)
      return Promise.resolve({ outcome: 'failed', error: 'blocked', durationMs: 0, timings: noTimings });
    const { origin, pathname, search } = new URL(url);
    return new Promise((settle) => {
      const dispatch = { path: `${pathname}${search}`, method: 'POST' as const, headers, body };
      const exchange = createExchange(origin, dispatch, timeoutMs, { settle, startWithinMs, ...more });
      setDeadline(exchange, Math.min(timeoutMs, startWithinMs ?? timeoutMs));
      connections.acquire(exchange);
    });
  };

  const carry = (exchange: Exchange, connection: Connection): void => {
    exchange.connection = connection;
    const { startedAt, isStillWanted } = exchange;
    if (isStillWanted !== undefined && performance.now() - startedAt >= longWaitMs)
      void writeIfWanted(exchange, connection, isStillWanted);
    else write(exchange, connection);
  };

  const writeIfWanted = async (
    exchange: Exchange,
    connection: Connection,
    isStillWanted: () => Promise<boolean>,
  ): Promise<void> => {
    clearTimeout(exchange.timer);
    const isWanted = await isStillWanted().catch(() => false);
    if (exchange.hasEnded) return;
    if (isWanted) write(exchange, connection);
    else fail(exchange, 'busy');
  };

  const write = (exchange: Exchange, connection: Connection): void => {
    // The wait for a connection is not the receiver's time.
    setDeadline(exchange, exchange.timeoutMs);
    exchange.reused = connection.phase === 'open';
    exchange.onReceiverTime?.();
    connection.client.dispatch(exchange.dispatch, connection.handler);
  };

  const onDeadline = (exchange: Exchange): void => {
    const { connection } = exchange;
    if (connection === undefined) fail(exchange, 'busy');
    else if (connection.phase !== 'open') fail(exchange, connection.phase);
    else endEarly(exchange, 'timeout');
  };

  const setDeadline = (exchange: Exchange, ms: number): void => {
    clearTimeout(exchange.timer);
    exchange.timer = setTimeout(onDeadline, ms, exchange);
  };

  const breakOff = (exchange: Exchange, error: unknown): void => {
    if (error instanceof TooLateError) leave(exchange);
    else if (isInvalidArgument(error)) reject(exchange, error);
    else endEarly(exchange, failureOf(exchange.connection?.alert ?? error, exchange.connection?.phase ?? 'open'));
  };

  /** Nothing was written, so its connection stays. */
  const leave = (exchange: Exchange): void => {
    finish(exchange);
    if (exchange.connection !== undefined) connections.release(exchange.connection);
    exchange.settle({ outcome: 'failed', error: 'busy', durationMs: elapsed(exchange), timings: noTimings });
  };

  /** A header or a body that cannot be sent is our own error, not the receiver's. */
  const reject = (exchange: Exchange, error: Error): void => {
    finish(exchange);
    if (exchange.connection !== undefined) connections.discard(exchange.connection);
    exchange.settle(Promise.reject(error));
  };

  /** A received status counts even if the body fails, because repeating the delivery would only duplicate it. */
  const endEarly = (exchange: Exchange, error: SendErrorClass): void => {
    if (exchange.status !== 0) answer(exchange, false);
    else fail(exchange, error);
  };

  const answer = (exchange: Exchange, complete: boolean): void => {
    if (exchange.hasEnded) return;
    const { connection, status } = exchange;
    const timings = timingsOf(exchange);
    finish(exchange);
    if (connection !== undefined) {
      if (complete) connections.release(connection);
      else connections.discard(connection);
    }
    exchange.settle({
      outcome: 'answered',
      status,
      headers: relevantHeaders(exchange),
      excerpt: excerptOf(exchange),
      durationMs: elapsed(exchange),
      timings,
    });
  };

  const fail = (exchange: Exchange, error: SendErrorClass): void => {
    if (exchange.hasEnded) return;
    // Omits times and phases, which would reveal what is behind an address.
    const isBlocked = error === 'blocked' || error === 'forbidden';
    const timings = isBlocked ? noTimings : timingsOf(exchange);
    finish(exchange);
    if (exchange.connection !== undefined) connections.discard(exchange.connection);
    exchange.settle({
      outcome: 'failed',
      error,
      durationMs: isBlocked ? 0 : elapsed(exchange),
      timings,
    });
  };

  return { send };
};
