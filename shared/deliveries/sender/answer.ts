/** Reads a response as undici reports it: its status, the start of its body, and the relevant headers. */
import { TextDecoder } from 'node:util';
import type { Dispatcher } from 'undici';
import type { Exchange } from './exchange.ts';
import { type Answered, relevant } from './result.ts';

/** Bytes of a response body that are stored in the log. */
const excerptBytes = 1024;
/** The maximum number of interim responses (1xx); real receivers send at most two. */
const maxInterimAnswers = 8;

interface Endings {
  /** The response has arrived; `complete` if its body was read to the end. */
  readonly answer: (exchange: Exchange, complete: boolean) => void;
  readonly breakOff: (exchange: Exchange, error: unknown) => void;
}

/** A request was about to be written when its time was over. */
export class TooLateError extends Error {}

/** Handles the current exchange of a connection: one handler each, as creating it took a tenth of a delivery. */
export const createHandler = (
  current: () => Exchange | undefined,
  maxResponseBytes: number,
  { answer, breakOff }: Endings,
): Dispatcher.DispatchHandler => {
  return {
    onRequestStart() {
      const { startedAt, startWithinMs = Number.POSITIVE_INFINITY } = current() ?? {};
      // undici then drops the request and keeps the connection.
      if (startedAt !== undefined && performance.now() - startedAt > startWithinMs) throw new TooLateError();
    },
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
      const rest = excerptBytes - exchange.bytes;
      if (rest > 0) exchange.chunks.push(chunk.length <= rest ? chunk : chunk.subarray(0, rest));
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

/** Returns the start of the body as text in its charset (default UTF-8), without a truncated last character. */
export const excerptOf = ({ chunks, bytes, headers }: Exchange): string => {
  const decoder = decoderOf(oneOf(headers['content-type']));
  return decoder.decode(Buffer.concat(chunks), { stream: bytes > excerptBytes });
};

/** A label that the Encoding Standard does not have is read as UTF-8. */
const decoderOf = (contentType = ''): TextDecoder => {
  const [, charset = 'utf-8'] = /;\s*charset\s*=\s*"?([\w:.-]+)/i.exec(contentType) ?? [];
  try {
    return new TextDecoder(charset);
  } catch {
    return new TextDecoder();
  }
};

/** Returns a header's value, the first one if it came twice. */
const oneOf = (value: string | string[] | undefined): string | undefined => (Array.isArray(value) ? value[0] : value);

/** Returns the headers that are relevant for a delivery. */
export const relevantHeaders = ({ headers }: Exchange): Answered['headers'] =>
  Object.fromEntries(
    relevant.flatMap((name) => {
      const value = oneOf(headers[name]);
      return value === undefined ? [] : [[name, value]];
    }),
  );
