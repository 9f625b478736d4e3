/** One request and its answer on a connection: what is known so far, and the handler that undici tells about it. */
import type { Dispatcher } from 'undici';
import type { Connection } from './connection.ts';
import type { Answered, SendResult } from './send.ts';
import type { Target } from './targets.ts';

export interface Exchange {
  readonly target: Target;
  readonly timeoutMs: number;
  /** When it began, by `performance.now()`. */
  readonly startedAt: number;
  readonly settle: (result: SendResult | Promise<never>) => void;
  readonly dispatch: Dispatcher.DispatchOptions;
  /** The one timer: while a connection is opened for its deadline if that comes first, else for the overall one. */
  timer: NodeJS.Timeout | undefined;
  timerIsForOpening: boolean;
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

/** Bytes of an answer's body that are kept for the log. */
const excerptBytes = 1024;
/** Interim answers (1xx) that are taken before the last one; nobody who means well sends more than two. */
const maxInterimAnswers = 8;

/** An exchange that begins now. */
export function createExchange(
  target: Target,
  dispatch: Exchange['dispatch'],
  timeoutMs: number,
  settle: Exchange['settle'],
): Exchange {
  return {
    target,
    dispatch,
    timeoutMs,
    settle,
    startedAt: performance.now(),
    timer: undefined,
    timerIsForOpening: false,
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
}

/** Calls the listener when the signal is aborted while the exchange lasts. */
export function listenTo(signal: AbortSignal, exchange: Exchange, listener: () => void): void {
  signal.addEventListener('abort', listener);
  exchange.stopListening = () => signal.removeEventListener('abort', listener);
}

/** Marks it as ended and puts its timer and listener away. */
export function finish(exchange: Exchange): void {
  exchange.settled = true;
  clearTimeout(exchange.timer);
  exchange.stopListening?.();
}

/** Whole ms since it began. */
export function elapsed({ startedAt }: Exchange): number {
  return Math.round(performance.now() - startedAt);
}

/** Ms until its deadline. */
export function remaining({ startedAt, timeoutMs }: Exchange): number {
  return Math.max(0, startedAt + timeoutMs - performance.now());
}

interface Endings {
  /** The answer is there; `complete` if its body came to its end. */
  readonly answer: (exchange: Exchange, complete: boolean) => void;
  /** The connection failed. */
  readonly breakOff: (exchange: Exchange, error: unknown) => void;
}

/**
 * A handler for whatever exchange a connection carries; what comes after the end of one is ignored.
 * One for each connection and not for each request: making its functions anew took a tenth of a delivery's time.
 */
export function createHandler(
  current: () => Exchange | undefined,
  maxResponseBytes: number,
  { answer, breakOff }: Endings,
): Dispatcher.DispatchHandler {
  return {
    onRequestStart() {},
    onResponseStart(_controller, status, headers) {
      const exchange = current();
      if (exchange === undefined) return;
      if (exchange.firstByteAt === 0) exchange.firstByteAt = performance.now();
      if (status >= 200) {
        exchange.status = status;
        exchange.headers = headers;
        return;
      }
      exchange.interimAnswers += 1;
      if (exchange.interimAnswers > maxInterimAnswers) breakOff(exchange, undefined);
    },
    onResponseData(_controller, chunk) {
      const exchange = current();
      if (exchange === undefined) return;
      if (exchange.bytes < excerptBytes) exchange.chunks.push(chunk.subarray(0, excerptBytes - exchange.bytes));
      exchange.bytes += chunk.length;
      if (exchange.bytes > maxResponseBytes) answer(exchange, false);
    },
    onResponseEnd() {
      const exchange = current();
      if (exchange !== undefined) answer(exchange, true);
    },
    onResponseError(_controller, error) {
      const exchange = current();
      if (exchange !== undefined) breakOff(exchange, error);
    },
  };
}

/** The beginning of the answer's body as text; a character that was cut in two is left out. */
export function excerptOf({ chunks, bytes }: Exchange): string {
  const [first] = chunks;
  if (first === undefined) return '';
  if (chunks.length === 1 && bytes <= excerptBytes) return first.toString('utf8');
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true });
}

/** The headers that mean something to a delivery. */
export function relevantHeaders({ headers }: Exchange): Answered['headers'] {
  const retryAfter = headers['retry-after'];
  const delivery = headers['webhook-delivery'];
  if (retryAfter === undefined && delivery === undefined) return {};
  return {
    ...(typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {}),
    ...(typeof delivery === 'string' ? { 'webhook-delivery': delivery } : {}),
  };
}
