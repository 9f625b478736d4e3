/** Conditional writes: what they return for a failed condition, when they retry, and which errors they pass on. */
import { describe, expect, it } from 'vitest';
import { ServiceUnavailableError } from '../../shared/foundation/errors.ts';
import { ConditionFailed, tryWrite } from '../../shared/table/conditional.ts';
import { tryOnce } from '../../shared/table/once.ts';
import { untilWritten } from '../../shared/table/optimistic.ts';

describe('a conditional write', () => {
  it('returns its value on success', async () => {
    expect(await tryWrite(Promise.resolve('new'))).toEqual({ written: true, value: 'new' });
  });

  it('returns the refusal and the current item if its condition failed', async () => {
    const refusal = new ConditionFailed(new Set([1]), new Map([[1, { name: 'other' }]]));
    expect(await tryWrite(Promise.reject(refusal))).toEqual({ written: false, refusal });
    expect(refusal.found(1)).toEqual({ name: 'other' });
    expect(refusal.found()).toBeUndefined();
  });

  it('throws every error except a failed condition', async () => {
    await expect(tryWrite(Promise.reject(new Error('no answer')))).rejects.toThrow('no answer');
  });
});

describe('an optimistic write', () => {
  it('is tried again after each lost race', async () => {
    let tries = 0;
    expect(await untilWritten('a thing', async () => (++tries === 5 ? 'done' : undefined))).toBe('done');
  });

  it('answers 429 after twenty lost races', async () => {
    let tries = 0;
    const attempt = async () => {
      tries++;
      return undefined;
    };
    await expect(untilWritten('a thing', attempt)).rejects.toMatchObject({ status: 429 });
    expect(tries).toBe(20);
  });
});

describe('a write whose answer is lost', () => {
  const lost = new ServiceUnavailableError(new Error('no answer'));
  const looks = (isDone: boolean) => {
    let count = 0;
    return { isDone: async () => ++count > 0 && isDone, count: () => count };
  };

  it('counts as written if the table has the change', async () => {
    expect(await tryOnce(Promise.reject(lost), looks(true).isDone)).toEqual({ written: true, value: undefined });
  });

  it('fails with 503 if the table does not have the change', async () => {
    await expect(tryOnce(Promise.reject(lost), looks(false).isDone)).rejects.toBe(lost);
  });

  it('is read back; a write with an answer or an internal error is not', async () => {
    const { isDone, count } = looks(true);
    expect(await tryOnce(Promise.resolve('new'), isDone)).toEqual({ written: true, value: 'new' });
    await expect(tryOnce(Promise.reject(new TypeError('x')), isDone)).rejects.toThrow('x');
    expect(count()).toBe(0);
  });
});
