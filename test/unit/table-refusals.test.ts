/** Which errors of DynamoDB are transient, and how long the table waits before it tries again. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { backOff, reachable, unreachable } from '../../shared/table/refusal.ts';

/** Returns an error like the AWS SDK's; without a status there was no answer. */
const sdkError = (name: string, status?: number, members: object = {}) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status }, ...members });
const unavailable = (cause: unknown) => expect.objectContaining({ status: 503, cause });

describe('a transient error becomes a 503', () => {
  it.each(['ProvisionedThroughputExceededException', 'ThrottlingException', 'RequestLimitExceeded', 'TimeoutError'])(
    '%s',
    (name) => {
      const error = sdkError(name, 400);
      expect(unreachable(error)).toEqual(unavailable(error));
    },
  );

  it.each([500, 503])('an internal error of AWS with the status %i', (status) => {
    const error = sdkError('InternalServerError', status);
    expect(unreachable(error)).toEqual(unavailable(error));
  });

  it('no connection', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(unreachable(error)).toEqual(unavailable(error));
  });
});

it('a conflict with the writes of other requests becomes a 429, which is no fault of the stage', () => {
  const error = sdkError('TransactionConflictException', 400);
  expect(unreachable(error)).toEqual(expect.objectContaining({ status: 429, cause: error }));
});

describe('any other error stays as it is', () => {
  it.each([
    ['an invalid request', sdkError('ValidationException', 400)],
    ['an answer below 500 with a code', sdkError('AccessDeniedException', 499, { code: 'AccessDenied' })],
    ['a bug in this code', new TypeError('x is not a function')],
    ['a value that is not an error', 'a string'],
  ])('%s', (_, error) => {
    expect(unreachable(error)).toBe(error);
  });
});

describe('a call to DynamoDB', () => {
  it('returns its answer', async () => {
    expect(await reachable(Promise.resolve('an answer'))).toBe('an answer');
  });

  it('throws a 503 for a transient error', async () => {
    const error = sdkError('ThrottlingException', 400);
    await expect(reachable(Promise.reject(error))).rejects.toEqual(unavailable(error));
  });
});

describe('the wait before the next try', () => {
  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  it.each([
    [0, 0.5, 12.5],
    [1, 0.5, 25],
    [3, 1, 200],
    [6, 0.25, 400],
  ])(
    'after try %i is a random part (here %d) of a limit that doubles each time: %d ms',
    async (attempt, random, ms) => {
      const setTimeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act) => {
        (act as () => void)();
        return undefined as never;
      });
      vi.spyOn(Math, 'random').mockReturnValue(random);
      await backOff(attempt, new Error('busy'));
      expect(setTimeout.mock.calls.map(([, delay]) => delay)).toEqual([ms]);
    },
  );

  it('ends with a 503 after the eighth try', async () => {
    const cause = new Error('busy');
    await expect(backOff(7, cause)).rejects.toEqual(unavailable(cause));
  });
});
