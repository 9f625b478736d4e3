/** Which errors of DynamoDB pass by themselves, and how long the table waits before the next try. */
import { afterEach, describe, expect, it, vi } from 'vitest';
import { backOff, reachable, unreachable } from '../../shared/table/refusal.ts';

/** An error as the AWS SDK throws it; without a status there was no answer. */
const sdkError = (name: string, status?: number, members: object = {}) =>
  Object.assign(new Error(name), { name, $metadata: { httpStatusCode: status }, ...members });
const unavailable = (cause: unknown) => expect.objectContaining({ status: 503, cause });

describe('an error that passes by itself is a 503', () => {
  it.each([
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TimeoutError',
  ])('%s', (name) => {
    const error = sdkError(name, 400);
    expect(unreachable(error)).toEqual(unavailable(error));
  });

  it.each([500, 503])('a fault of AWS with the status %i', (status) => {
    const error = sdkError('InternalServerError', status);
    expect(unreachable(error)).toEqual(unavailable(error));
  });

  it('no connection', () => {
    const error = Object.assign(new Error('connect ECONNREFUSED'), { code: 'ECONNREFUSED' });
    expect(unreachable(error)).toEqual(unavailable(error));
  });
});

describe('an error of ours stays as it is', () => {
  it.each([
    ['a request that DynamoDB does not understand', sdkError('ValidationException', 400)],
    ['an answer below 500 that has a code too', sdkError('AccessDeniedException', 499, { code: 'AccessDenied' })],
    ['an error in our own code', new TypeError('x is not a function')],
    ['what is not an error', 'a string'],
  ])('%s', (_, error) => {
    expect(unreachable(error)).toBe(error);
  });
});

describe('a call', () => {
  it('returns its answer', async () => {
    expect(await reachable(Promise.resolve('an answer'))).toBe('an answer');
  });

  it('throws a 503 for what passes by itself', async () => {
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
  ])('after try %i is a random part, here %d, of 25 ms doubled with each try: %d ms', async (attempt, random, ms) => {
    const setTimeout = vi.spyOn(globalThis, 'setTimeout').mockImplementation((act) => {
      (act as () => void)();
      return undefined as never;
    });
    vi.spyOn(Math, 'random').mockReturnValue(random);
    await backOff(attempt, new Error('busy'));
    expect(setTimeout.mock.calls.map(([, delay]) => delay)).toEqual([ms]);
  });

  it('ends with a 503 after the eighth try', async () => {
    const cause = new Error('busy');
    await expect(backOff(7, cause)).rejects.toEqual(unavailable(cause));
  });
});
