/** Pages of a list: their size, and the cursor of the next page. */
import { describe, expect, it } from 'vitest';
import { paginated, readCursor, readLimit } from '../../shared/http/paging.ts';

const thrownBy = (act: () => unknown): unknown => {
  try {
    return act();
  } catch (error) {
    return error;
  }
};

describe('the parameter `limit`', () => {
  it.each([
    [undefined, 15],
    ['all', 15],
    ['1', 1],
    ['15', 15],
    ['007', 7],
  ])('may be %s: with a maximum of 15 that means %i', (limit, size) => {
    expect(readLimit({ limit }, 15)).toBe(size);
  });

  it.each(['0', '16', '-1', '1.5', '', ' 1', '1 ', 'x1', '1x', '0000001', 'ALL'])('must not be %j', (limit) => {
    expect(thrownBy(() => readLimit({ limit }, 15))).toMatchObject({
      status: 422,
      message: expect.stringContaining('from 1 to 15'),
      property: 'limit',
      help: expect.stringContaining('meta.pagination.next'),
      details: [{ index: null, field: 'limit', rule: 'max_value', limit: 15 }],
    });
  });
});

describe('a cursor', () => {
  const id = 'a1'.repeat(12);
  const read = (cursor: string | undefined, scope = 'list a') => readCursor({ cursor }, scope);
  const encoded = (value: unknown) => Buffer.from(JSON.stringify(value)).toString('base64url');

  it('points behind the last item, and is null on the last page', () => {
    const { meta } = paginated('list a', 10, id);
    expect(meta.pagination.limit).toBe(10);
    expect(read(meta.pagination.next ?? '')).toBe(id);
    expect(paginated('list a', 10, null)).toEqual({ meta: { pagination: { limit: 10, next: null } } });
  });

  it('needs no encoding in a URL', () => {
    expect(paginated('list ???>>>~~~ ✓', 10, id).meta.pagination.next).toMatch(/^[\w-]+$/);
  });

  it('may be missing: that is the first page', () => {
    expect(read(undefined)).toBeUndefined();
  });

  it.each([
    ['of another list', encoded(['list b', id])],
    ['to what is no id', encoded(['list a', 'another thing'])],
    ['to a number', encoded(['list a', 7])],
    ['without a place', encoded(['list a'])],
    ['that is an object', encoded({ 0: 'list a', 1: id })],
    ['that is null', encoded(null)],
    ['that is not JSON', Buffer.from('list a').toString('base64url')],
    ['that is empty', ''],
  ])('%s is refused', (_, cursor) => {
    expect(thrownBy(() => read(cursor))).toMatchObject({
      status: 422,
      property: 'cursor',
      details: [{ index: null, field: 'cursor', rule: 'cursor', limit: null, received: expect.any(String) }],
    });
  });
});
