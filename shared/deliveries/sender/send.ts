/** Sends one attempt of a delivery: a POST to a receiver that is trusted with nothing, neither its address, its speed nor its answer. */
import { type Clock, systemClock } from '../../foundation/clock.ts';
import type { AllowedRanges } from '../../webhooks/target-address.ts';
import { checkTargetUrl } from '../../webhooks/target-url.ts';
import { type Connection, createConnector } from './connection.ts';
import { createConnections } from './connections.ts';
import {
  createExchange,
  createHandler,
  type Exchange,
  elapsed,
  excerptOf,
  finish,
  listenTo,
  relevantHeaders,
  remaining,
} from './exchange.ts';
import { createResolve, guardedLookup, type Resolve, systemResolver } from './guarded-lookup.ts';
import {
  blocked,
  busy,
  cancelled,
  failureOf,
  isInvalidArgument,
  notConnected,
  type SendErrorClass,
  type SendFailure,
  timedOut,
} from './send-failure.ts';
import { createTargets } from './targets.ts';
import { noTimings, type Timings, timingsOf } from './timings.ts';

export interface SenderOptions {
  /** Deadline in ms over DNS, TCP and TLS of a new connection. */
  readonly connectTimeoutMs: number;
  readonly allowHttp: boolean;
  readonly allowRanges: AllowedRanges;
  /** Requests at a time to one origin (scheme, host and port). */
  readonly concurrencyPerReceiver?: number;
  /** Bytes of an answer's body after which the connection is ended. */
  readonly maxResponseBytes?: number;
  readonly resolve?: Resolve;
  readonly clock?: Clock;
}

export interface SendRequest {
  readonly url: string;
  readonly headers: Readonly<Record<string, string>>;
  readonly body: string | Uint8Array;
  /** Deadline in ms over everything, from the call to the end of the answer. */
  readonly timeoutMs: number;
  readonly signal?: AbortSignal;
}

/** The receiver gave a status, whichever, a redirect included. */
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
  readonly message: string;
  readonly durationMs: number;
  readonly timings: Timings;
}

export type SendResult = Answered | Failed;

export interface Sender {
  /**
   * Posts once, follows no redirect, decompresses nothing, uses no proxy. Never throws or rejects for what a receiver does.
   * @throws undici's InvalidArgumentError for headers that HTTP does not allow
   */
  send(request: SendRequest): Promise<SendResult>;
  /** Ends all connections; what is under way fails as `cancelled`. */
  close(): Promise<void>;
}

/** Makes a sender with its own connections. */
export function createSender(options: SenderOptions): Sender {
  const { connectTimeoutMs, allowHttp, allowRanges, maxResponseBytes = 16_384, clock = systemClock } = options;
  const lookup = guardedLookup(options.resolve ?? createResolve(systemResolver(connectTimeoutMs)), allowRanges);
  const connections = createConnections({
    connector: createConnector(lookup, connectTimeoutMs),
    allowRanges,
    perOrigin: options.concurrencyPerReceiver ?? 10,
    clock,
    onAcquired,
    createHandler: (current) => createHandler(current, maxResponseBytes, { answer, breakOff }),
    onOpening: ({ exchange }) => {
      if (exchange === undefined) return;
      exchange.reused = false;
      exchange.timerIsForOpening = connectTimeoutMs < remaining(exchange);
      if (exchange.timerIsForOpening) rearm(exchange, connectTimeoutMs);
    },
    onReady: ({ exchange }) => {
      if (!exchange?.timerIsForOpening) return;
      exchange.timerIsForOpening = false;
      rearm(exchange, remaining(exchange));
    },
  });
  const targetOf = createTargets((url) => checkTargetUrl(url, { allowHttp, allowRanges }).ok);

  function send({ url, headers, body, timeoutMs, signal }: SendRequest): Promise<SendResult> {
    const target = targetOf(url);
    if (target === null) return Promise.resolve({ outcome: 'failed', ...blocked, durationMs: 0, timings: noTimings });
    return new Promise((settle) => {
      const dispatch = { path: target.path, method: 'POST' as const, headers, body };
      const exchange = createExchange(target, dispatch, timeoutMs, settle);
      exchange.timer = setTimeout(onDeadline, timeoutMs, exchange);
      if (signal !== undefined) listenTo(signal, exchange, () => fail(exchange, cancelled));
      if (signal?.aborted) fail(exchange, cancelled);
      else connections.acquire(exchange);
    });
  }

  function onAcquired(exchange: Exchange, connection: Connection): void {
    exchange.connection = connection;
    exchange.reused = connection.phase === 'open';
    connection.client.dispatch(exchange.dispatch, connection.handler);
  }

  function onDeadline(exchange: Exchange): void {
    const { connection, timeoutMs, timerIsForOpening } = exchange;
    if (connection === undefined) fail(exchange, busy);
    else if (timerIsForOpening || connection.phase !== 'open')
      fail(exchange, notConnected(connection.phase, timerIsForOpening ? connectTimeoutMs : timeoutMs));
    else endEarly(exchange, timedOut(timeoutMs));
  }

  function rearm(exchange: Exchange, ms: number): void {
    clearTimeout(exchange.timer);
    exchange.timer = setTimeout(onDeadline, ms, exchange);
  }

  function breakOff(exchange: Exchange, error: unknown): void {
    if (isInvalidArgument(error)) reject(exchange, error);
    else endEarly(exchange, failureOf(error, exchange.connection?.phase ?? 'open'));
  }

  /** A header or a body that cannot be sent is a mistake of ours, and no receiver's. */
  function reject(exchange: Exchange, error: Error): void {
    finish(exchange);
    if (exchange.connection !== undefined) connections.discard(exchange.connection);
    exchange.settle(Promise.reject(error));
  }

  /** A status that came counts, whatever happens to the body behind it: to repeat the delivery would only double it. */
  function endEarly(exchange: Exchange, failure: SendFailure): void {
    if (exchange.status !== 0) answer(exchange, false);
    else fail(exchange, failure);
  }

  function answer(exchange: Exchange, complete: boolean): void {
    if (exchange.settled) return;
    const { connection, status } = exchange;
    const timings = timingsOf(exchange);
    finish(exchange);
    if (connection !== undefined) {
      if (complete) connections.release(connection);
      else connections.discard(connection);
    }
    const durationMs = elapsed(exchange);
    exchange.settle({
      outcome: 'answered',
      status,
      headers: relevantHeaders(exchange),
      excerpt: excerptOf(exchange),
      complete,
      durationMs,
      timings,
    });
  }

  function fail(exchange: Exchange, failure: SendFailure): void {
    if (exchange.settled) return;
    const isBlocked = failure.error === 'blocked';
    const timings = isBlocked ? noTimings : timingsOf(exchange);
    finish(exchange);
    if (exchange.connection !== undefined) connections.discard(exchange.connection);
    exchange.settle({ outcome: 'failed', ...failure, durationMs: isBlocked ? 0 : elapsed(exchange), timings });
  }

  async function close(): Promise<void> {
    for (const exchange of connections.exchanges()) fail(exchange, cancelled);
    await connections.close();
  }

  return { send, close };
}
