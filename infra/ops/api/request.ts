/** The requests of the operator's commands. Waits for a busy stage, reads lists page by page, explains errors. */
import { setTimeout } from 'node:timers/promises';
import * as v from 'valibot';
import { ApiError, type Caller, call } from '../../command-line/client.ts';
import { type ExitCode, exitCodes } from '../../command-line/exit-codes.ts';
import { printError } from '../../command-line/print.ts';

const detail = v.object({ index: v.nullable(v.number()), field: v.string() });
const envelope = v.pipe(
  v.string(),
  v.parseJson(),
  v.object({
    errors: v.tuple([
      v.object({
        message: v.string(),
        context: v.nullable(v.string()),
        help: v.nullable(v.string()),
        id: v.string(),
        details: v.optional(v.nullable(v.array(v.looseObject(detail.entries))), null),
      }),
    ]),
  }),
);

/** The API refused a request, or could not be reached. The message is for a terminal. */
export class RequestError extends Error {
  override readonly name = 'RequestError';
  readonly exitCode: ExitCode;
  /** Undefined if there was no response. */
  readonly status: number | undefined;
  /** Positions of the items that were refused, if the API names them. */
  readonly items: readonly number[];

  constructor(message: string, exitCode: ExitCode, status?: number, items: readonly number[] = []) {
    super(message);
    this.exitCode = exitCode;
    this.status = status;
    this.items = items;
  }

  withText(message: string): RequestError {
    return new RequestError(message, this.exitCode, this.status, this.items);
  }
}

/** How often a request is repeated while the stage is busy; less often if unreachable, as it may not exist. */
const maxRepetitions = 8;
const maxRepetitionsUnreached = 3;
/** The longest wait before a repetition in seconds. */
const maxWaitSeconds = 30;

interface Repetition {
  /** Whether the request may be carried out twice. Default: for GET. */
  readonly isHarmless?: boolean;
}

/**
 * Sends a request and returns the response's body. Repeats a harmless one while the stage is busy (429, 503) or
 * unreachable, after the time that the response asks for. @throws RequestError
 */
export const request = async (
  caller: Caller,
  method: string,
  path: string,
  body?: object,
  { isHarmless = method === 'GET' }: Repetition = {},
): Promise<unknown> => {
  for (let repetition = 0; ; repetition++) {
    try {
      return await call(caller, method, path, body);
    } catch (error) {
      const failure = errorOf(error);
      const most = failure.status === undefined ? maxRepetitionsUnreached : maxRepetitions;
      if (failure.exitCode !== exitCodes.unavailable || !isHarmless || repetition === most) throw failure;
      const asked = error instanceof ApiError ? error.retryAfterSeconds : undefined;
      const seconds = Math.min(maxWaitSeconds, asked ?? 2 ** repetition / 4);
      if (seconds >= 2) printError(`The stage is busy. The request is repeated in ${seconds} s.`);
      await setTimeout(seconds * 1000);
    }
  }
};

const errorOf = (error: unknown): RequestError => {
  if (!(error instanceof ApiError)) {
    const message = error instanceof Error ? error.message : String(error);
    // The client adds the cause to errors of the network only.
    const isUnreached = error instanceof Error && error.cause !== undefined;
    return new RequestError(message, isUnreached ? exitCodes.unavailable : exitCodes.failed);
  }
  const { status } = error;
  const exitCode = status === 429 || status === 503 ? exitCodes.unavailable : exitCodes.failed;
  const parsed = v.safeParse(envelope, error.body);
  if (!parsed.success) return new RequestError(error.message, exitCode, status);
  const [{ message, context, help, id, details }] = parsed.output.errors;
  const items = [...new Set((details ?? []).flatMap(({ index }) => (index === null ? [] : [index])))];
  const lines = [message, ...(context === null ? [] : [context]), ...(help === null ? [] : [help]), `Error id: ${id}`];
  return new RequestError(lines.join('\n'), exitCode, status, items);
};

const page = v.looseObject({
  meta: v.optional(
    v.object({ pagination: v.object({ next: v.optional(v.nullable(v.union([v.string(), v.number()]))) }) }),
  ),
});

/** Yields the items of a list, page by page. `items` is the schema of the body. @throws RequestError */
export async function* pages<T>(
  caller: Caller,
  path: string,
  parameters: Readonly<Record<string, string | number | undefined>>,
  items: (body: unknown) => readonly T[],
): AsyncGenerator<readonly T[]> {
  let next: string | number | null | undefined;
  do {
    const query = new URLSearchParams();
    const position = next == null ? {} : { [typeof next === 'number' ? 'page' : 'cursor']: next };
    for (const [name, value] of Object.entries({ ...parameters, ...position }))
      if (value !== undefined) query.set(name, String(value));
    const body = await request(caller, 'GET', `${path}?${query}`);
    yield items(body);
    next = v.parse(page, body).meta?.pagination.next;
  } while (next != null);
}

/** Returns at most `limit` items of such a list. */
export const collect = async <T>(
  list: AsyncGenerator<readonly T[]>,
  limit = Number.POSITIVE_INFINITY,
): Promise<T[]> => {
  const found: T[] = [];
  for await (const some of list) {
    found.push(...some);
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
};
