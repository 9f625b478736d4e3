/** Calls the API of a stage as a client does. */
import { adminToken } from './admin-token.ts';

/** The API refused a request; the message has method, URL, status and body. */
export class ApiError extends Error {
  override readonly name = 'ApiError';
  readonly status: number;
  readonly body: string;
  readonly retryAfterSeconds: number | undefined;

  constructor(message: string, status: number, body: string, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.body = body;
    this.retryAfterSeconds = retryAfterSeconds;
  }
}

/** Carries out a deletion; deleting something that is already gone succeeds. @throws ApiError for other refusals */
export const deleted = async (deletion: Promise<unknown>): Promise<void> => {
  await deletion.catch((error: unknown) => {
    if (!(error instanceof ApiError) || error.status !== 404) throw error;
  });
};

export interface Caller {
  readonly baseUrl: string;
  readonly key: string;
}

/** Sends a request to a path below the base URL; returns the parsed body, if any. @throws ApiError unless it is 2xx */
export const call = async ({ baseUrl, key }: Caller, method: string, path: string, body?: object): Promise<unknown> => {
  const url = `${baseUrl}${path}`;
  const response = await reach(url, {
    method,
    headers: {
      Authorization: `Ghost ${adminToken(key)}`,
      ...(body !== undefined && { 'Content-Type': 'application/json' }),
    },
    ...(body !== undefined && { body: JSON.stringify(body) }),
    // The request has a key, and its answer may lead to a service of this machine.
    redirect: 'manual',
  });
  const text = await boundedText(response, url);
  if (!response.ok) {
    const seconds = Number(response.headers.get('retry-after') ?? Number.NaN);
    const message = `${method} ${url} returned ${response.status}: ${text.slice(0, 500)}`;
    throw new ApiError(message, response.status, text, Number.isNaN(seconds) ? undefined : seconds);
  }
  return text === '' ? undefined : parse(text, method, url);
};

/** No answer of an API is this large; in bytes. */
const maxAnswer = 32 * 1024 * 1024;

/** Reads the text of an answer. @throws Error for an answer that is too large */
export const boundedText = async (response: Response, url: string): Promise<string> => {
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body ?? []) {
    size += chunk.byteLength;
    if (size > maxAnswer) throw new Error(`The answer of ${url} is too large: more than ${maxAnswer} bytes.`);
    chunks.push(chunk);
  }
  return Buffer.concat(chunks).toString();
};

/** @throws Error that names the URL if the answer does not come from the API */
const parse = (text: string, method: string, url: string): unknown => {
  try {
    return JSON.parse(text);
  } catch {
    throw new Error(`${method} ${url} did not return JSON. Check the URL: it must be the base URL of the API.`);
  }
};

/** Sends a request. @throws Error that names the URL and why it cannot be reached */
const reach = async (url: string, init: RequestInit): Promise<Response> => {
  try {
    return await fetch(url, init);
  } catch (error) {
    const { cause } = error as { cause?: unknown };
    const reason = cause instanceof Error ? cause.message || String(Reflect.get(cause, 'code')) : String(error);
    throw new Error(`${url} cannot be reached: ${reason}.`, { cause: error });
  }
};
