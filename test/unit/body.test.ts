/** Reading bodies and items, and the errors of several items. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { jsonObject, maxChars, objectOf, rule, text } from '../../shared/foundation/fields.ts';
import { type Body, checkBody, parseBody } from '../../shared/http/body.ts';
import { type BodyShape, describe as described, readItems } from '../../shared/http/items.ts';
import type { HttpRequest } from '../../shared/http/request.ts';

const request = (body: string | Buffer, headers: Readonly<Record<string, string>> = {}): HttpRequest => ({
  method: 'POST',
  path: '/',
  headers: { 'content-type': 'application/json', ...headers },
  params: {},
  query: {},
  repeated: [],
  body: Buffer.from(body),
  bodyBytes: Buffer.byteLength(body),
  isBinary: true,
  sourceIp: '',
});

const readBody = (sent: HttpRequest, limitBytes: number): Body => {
  checkBody(sent, limitBytes);
  return parseBody(sent);
};

const json = (value: unknown): Body => ({ kind: 'json', json: value });

interface Thing {
  readonly name: string;
  readonly size?: number | undefined;
  readonly kind?: 'big' | 'small' | undefined;
}

const shape: BodyShape<Thing> = {
  root: 'things',
  item: v.object(
    {
      name: v.pipe(
        text,
        maxChars(5),
        rule((name) => (name === 'bad' ? { rule: 'good', limit: 'not bad', message: '`name` is "bad".' } : undefined)),
      ),
      size: v.optional(v.pipe(v.number('must be a number.'), v.maxValue(5, 'must be at most 5.'))),
      kind: v.optional(v.picklist(['big', 'small'])),
    },
    'must be an object.',
  ),
  max: 3,
};

describe('a request body', () => {
  it('is empty, of another content type, or JSON', () => {
    expect(readBody(request(''), 10)).toEqual({ kind: 'empty' });
    expect(readBody(request('x', { 'content-type': 'text/plain' }), 10)).toEqual({
      kind: 'other',
      contentType: 'text/plain',
    });
    expect(readBody(request('{"a":1}'), 10)).toEqual({ kind: 'json', json: { a: 1 } });
  });

  it('may be exactly as long as the limit', () => {
    expect(readBody(request('"12345678"'), 10)).toEqual({ kind: 'json', json: '12345678' });
    expect(() => readBody(request('"123456789"'), 10)).toThrow(expect.objectContaining({ status: 413 }));
  });

  it('loses its byte order mark', () => {
    expect(readBody(request('\uFEFF{}'), 10)).toEqual({ kind: 'json', json: {} });
  });

  it('may have 64 levels of nesting, but not 65', () => {
    const nested = (levels: number) => '['.repeat(levels) + ']'.repeat(levels);
    expect(readBody(request(nested(64)), 1000).kind).toBe('json');
    expect(() => readBody(request(nested(65)), 1000)).toThrow(expect.objectContaining({ status: 400 }));
  });

  it('may have 100,000 keys and values, with or without long numbers', () => {
    for (const number of ['0', '1.0']) {
      const body = `[${Array(99_999).fill(number).join(',')}]`;
      expect(readBody(request(body), body.length).kind).toBe('json');
      const more = body.replace('[', '[0,');
      expect(() => readBody(request(more), more.length)).toThrow(
        expect.objectContaining({
          status: 400,
          message: expect.stringMatching(/^The body has more than 100000 /),
        }),
      );
    }
  });

  it.each(['1.0', '-0', '1e5', '12345678901234567890', '0.30000000000000004'])(
    'is marked if a number such as %s could change as a double',
    (number) => {
      expect(readBody(request(`{"a":[${number}]}`), 1000)).toMatchObject({ kind: 'json', hasLongNumbers: true });
    },
  );

  it('is refused before it is parsed if it is not UTF-8', () => {
    expect(() => checkBody(request(Buffer.from([0x22, 0xff, 0x22])), 10)).toThrow(
      expect.objectContaining({ status: 415 }),
    );
  });

  it.each([
    ['a high half', '"\\ud800"'],
    ['a low half', '"\\uDFFF"'],
    ['two high halves', '"\\ud800\\ud800"'],
    ['a half in a key', '{"\\udc00":1}'],
    ['a nested half', '[[{"a":["\\ud800x"]}]]'],
    ['a half before a whole pair', '"\\ud800\\ud83c\\udfba"'],
    ['a half at the end of a string, and one at the beginning of the next,', '["\\ud83c","\\udfba"]'],
    ['a half before an escaped backslash', '"\\ud83c\\\\udfba"'],
  ])('is refused if it has %s of a surrogate pair, unless its strings are forwarded', (_, body) => {
    expect(() => readBody(request(body), 1000)).toThrow(expect.objectContaining({ status: 400 }));
    expect(parseBody(request(body), true)).toEqual({ kind: 'json', json: JSON.parse(body) });
  });

  it.each([
    ['a whole pair', '"\\ud83c\\udfba"'],
    ['an escaped backslash before the letters', '"\\\\ud800"'],
    ['the characters themselves', '"🎺"'],
  ])('may contain %s', (_, body) => {
    expect(readBody(request(body), 1000).kind).toBe('json');
  });

  it.each([
    '{"secret":"hunter2',
    '{"secret": hunter2}',
    '{"secret":"hunter2" "x"}',
    '{"a":"hunter2"}}',
    '["hunter2",]',
  ])('is never quoted in an error: %s', (body) => {
    expect.assertions(2);
    try {
      readBody(request(body), 1000);
    } catch (error) {
      expect(error).toMatchObject({ status: 400, type: 'BadRequestError' });
      const { message, context, help } = error as { message: string; context: string; help: string };
      expect(message + context + help).not.toContain('hunter2');
    }
  });
});

describe('readItems', () => {
  const failed = (value: unknown, pathId?: string) => {
    try {
      readItems(json(value), { ...shape, ...(pathId !== undefined && { sameIdAsPath: true as const }) }, pathId);
    } catch (error) {
      return error as {
        status: number;
        property: string | null;
        details: unknown;
        message: string;
        context: string | null;
      };
    }
    throw new Error('The items were accepted.');
  };

  it('returns the items, without unknown fields', () => {
    expect(readItems(json({ things: [{ name: 'a' }, { name: 'b', size: 1, more: true }] }), shape)).toEqual([
      { name: 'a' },
      { name: 'b', size: 1 },
    ]);
  });

  it('lists every failure of every item; the first one is the message', () => {
    const error = failed({ things: [{ name: 'a' }, { size: 'big' }, { name: 'bad', size: null }] });
    expect(error).toMatchObject({
      status: 422,
      property: 'name',
      message: '`name` is missing.',
      details: [
        { index: 1, field: 'name', rule: 'required', limit: null, received: 'missing' },
        { index: 1, field: 'size', rule: 'type', limit: 'number', received: 'a string of 3 characters' },
        { index: 2, field: 'name', rule: 'good', limit: 'not bad', received: 'a string of 3 characters' },
        { index: 2, field: 'size', rule: 'type', limit: 'number', received: 'null' },
      ],
    });
  });

  it('describes four more failures, and only counts the rest', () => {
    const two = failed({ things: [{ size: 'big' }] });
    expect(two).toMatchObject({
      message: '`name` is missing.',
      context: 'Also: `size` must be a number; it is a string of 3 characters.',
    });
    const six = failed({ things: Array.from({ length: 3 }, () => ({ name: 7, size: 'big' })) });
    expect(six).toMatchObject({
      context: expect.stringMatching(/^Also: Item 0: .* Item 1: .* 1 more in `details`\.$/),
    });
  });

  it('does not apply a custom rule to a value that is already invalid', () => {
    const error = failed({ things: [{ name: 'bad'.repeat(3) }] });
    expect(error.details).toEqual([
      { index: 0, field: 'name', rule: 'max_length', limit: 5, received: 'a string of 9 characters' },
    ]);
  });

  it('says what an array is, where an object is expected', () => {
    const parts = {
      root: 'things',
      max: 1,
      item: objectOf({ part: v.optional(objectOf({ at: v.optional(text) })), payload: v.optional(jsonObject) }),
    };
    const failed = (thing: object) => {
      try {
        return readItems(json({ things: [thing] }), parts);
      } catch (error) {
        return error;
      }
    };
    for (const field of ['part', 'payload'])
      expect(failed({ [field]: [] })).toMatchObject({
        message: `\`${field}\` must be an object; it is an array of 0.`,
        details: [{ field, rule: 'type', limit: 'object', received: 'an array of 0' }],
      });
  });

  it('says which number is out of range', () => {
    expect(failed({ things: [{ name: 'a', size: 7 }] })).toMatchObject({
      message: '`size` must be at most 5; it is 7.',
      details: [{ field: 'size', rule: 'max_value', limit: 5, received: '7' }],
    });
  });

  it('says what a value must be if its schema has no sentence for that, and never quotes the value', () => {
    expect(failed({ things: [{ name: 'a', kind: 'hunter2' }] }).message).toBe(
      '`kind` must be ("big" | "small"); it is a string of 7 characters.',
    );
  });

  it('lists each item that exceeds the maximum count', () => {
    const error = failed({ things: Array.from({ length: 5 }, () => ({ name: 'a' })) });
    expect(error).toMatchObject({ status: 422, property: 'things', details: [{ index: 3 }, { index: 4 }] });
  });

  it('counts characters, not code units', () => {
    expect(readItems(json({ things: [{ name: '🎺🎺🎺🎺🎺' }] }), shape)).toHaveLength(1);
    expect(failed({ things: [{ name: '🎺🎺🎺🎺🎺🎺' }] }).message).toContain('6 characters');
  });

  it('refuses an item whose id differs from the id in the path', () => {
    expect(failed({ things: [{ id: 'b', name: 7 }] }, 'a')).toMatchObject({ status: 400, property: 'id' });
    expect(failed({ things: [{ id: 'a', name: 7 }] }, 'a')).toMatchObject({ status: 422 });
    expect(failed({ things: [{ id: null, name: 7 }] }, 'a')).toMatchObject({ status: 422 });
  });
});

describe('the description of a value', () => {
  it.each([
    [undefined, 'missing'],
    [null, 'null'],
    ['hunter2', 'a string of 7 characters'],
    [7, 'a number'],
    [true, 'a boolean'],
    [[1, 2], 'an array of 2'],
    [{ a: 1 }, 'an object'],
  ])('of %j is: %s', (value, text) => {
    expect(described(value)).toBe(text);
  });
});
