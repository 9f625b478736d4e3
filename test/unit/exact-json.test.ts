/** JSON whose numbers stay as they were written. */
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { isJsonObject, parseExactly } from '../../shared/foundation/exact-json.ts';

const writtenAgain = (text: string): string => JSON.stringify(parseExactly(text));

describe('a JSON text', () => {
  it.each([
    ['a number beyond the range of doubles', '{"a":1e400}'],
    ['a number with more digits than a double has', '{"a":12345678901234567890}'],
    ['trailing zeros', '[1.0,2.50]'],
    ['an exponent', '[1E5,1e-7,2.5e+3]'],
    ['a negative zero', '{"a":-0}'],
    ['such a number alone', '1e400'],
    ['such a number among names that objects inherit', '{"__proto__":{"a":1e400},"constructor":2,"toString":[1.0]}'],
    ['the characters of one in a string', '{"a":"b,1e400]"}'],
  ])('with %s is written as it was', (_, text) => {
    expect(writtenAgain(text)).toBe(text);
  });

  it('without such numbers is parsed as usual', () => {
    const text = '{"a":[1,-2.5,1e+21],"at":"2026-11-22T10:30:00.000Z"}';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('that JSON.stringify has written is parsed as usual, whatever it contains', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseExactly(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('that is invalid is refused', () => {
    expect(() => parseExactly('{"a":1e}')).toThrow(SyntaxError);
  });
});

describe('an object', () => {
  it.each([
    ['an object', '{"a":1}', true],
    ['an array', '[]', false],
    ['null', 'null', false],
    ['a number', '1e400', false],
  ])('is %s: %s is %s', (_, text, expected) => {
    expect(isJsonObject(parseExactly(text))).toBe(expected);
  });
});
