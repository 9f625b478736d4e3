/** Reads an answer as undici reports it: its status, the beginning of its body, and the headers that mean something. */
import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import type { Answered } from './result.ts';

/** Bytes of an answer's body that are kept for the log. */
const excerptBytes = 1024;
/** Interim answers (1xx) that are accepted before the last one; no honest receiver sends more than two. */
const maxInterimAnswers = 8;

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
export const createHandler = (
  current: () => Exchange | undefined,
  maxResponseBytes: number,
  { answer, breakOff }: Endings,
): Dispatcher.DispatchHandler => {
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
};

/** The beginning of the answer's body as text; a character that was cut in two is left out. */
export const excerptOf = ({ chunks, bytes }: Exchange): string => {
  const [first] = chunks;
  if (first === undefined) return '';
  if (chunks.length === 1 && bytes <= excerptBytes) return first.toString('utf8');
  return new TextDecoder().decode(Buffer.concat(chunks), { stream: true });
};

/** The headers that mean something to a delivery. */
export const relevantHeaders = ({ headers }: Exchange): Answered['headers'] => {
  const retryAfter = headers['retry-after'];
  const delivery = headers['webhook-delivery'];
  if (retryAfter === undefined && delivery === undefined) return {};
  return {
    ...(typeof retryAfter === 'string' ? { 'retry-after': retryAfter } : {}),
    ...(typeof delivery === 'string' ? { 'webhook-delivery': delivery } : {}),
  };
};
