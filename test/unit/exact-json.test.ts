/** JSON whose numbers are written again exactly as they were read. */
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
    ['such a number below an escaped name', '{"\\u0061\\"":{"b\\\\":[0,{"c":[[1.0]]}]}}'.replace('\\u0061', 'a')],
    ['a number that is written with an exponent', '[0.0000001,0.000001,-0.0000001]'],
    ['fifteen and seventeen digits', '[0.12345678901234,0.1234567890123456,0.12345678901234567891]'],
  ])('with %s is written exactly as it was read', (_, text) => {
    expect(writtenAgain(text)).toBe(text);
  });

  it('without unusual numbers is parsed as JSON.parse does', () => {
    const text = '{"a":[1,-2.5,1e+21],"at":"2026-11-22T10:30:00.000Z"}';
    expect(parseExactly(text)).toEqual(JSON.parse(text));
  });

  it('that JSON.stringify has written is parsed as JSON.parse does', () => {
    fc.assert(
      fc.property(fc.jsonValue(), (value) => {
        expect(parseExactly(JSON.stringify(value))).toEqual(JSON.parse(JSON.stringify(value)));
      }),
    );
  });

  it('with a duplicate name keeps the last value, as JSON.parse does', () => {
    expect(
      writtenAgain('{"a":1.0,"a":2,"b":[1.0],"b":[2],"c":2.0,"c":{"d":1},"e":{"f":1.0},"e":null,"g":1,"g":1.0}'),
    ).toBe('{"a":2,"b":[2],"c":{"d":1},"e":null,"g":1.0}');
  });

  it('with any numbers is written exactly as it was read', () => {
    const digits = fc.stringMatching(/^-?(0|[1-9][0-9]{0,20})(\.[0-9]{1,20})?([eE][+-]?[0-9]{1,3})?$/);
    fc.assert(
      fc.property(fc.array(digits), fc.string(), (numbers, name) => {
        const text = `{${JSON.stringify(name)}:[${numbers.join(',')}],"last":[{"a":${numbers[0] ?? 0}}]}`;
        const same = name === 'last' ? text.slice(text.indexOf(',"last"') + 1).replace(/^/, '{') : text;
        expect(writtenAgain(text)).toBe(same);
      }),
    );
  });

  it('is refused if it is invalid', () => {
    expect(() => parseExactly('{"a":1e}')).toThrow(SyntaxError);
  });
});

describe('a parsed value', () => {
  it.each([
    ['an object', '{"a":1}', true],
    ['an array', '[]', false],
    ['null', 'null', false],
    ['a number', '1e400', false],
  ])('is recognised as an object or not: %s, %s → %s', (_, text, expected) => {
    expect(isJsonObject(parseExactly(text))).toBe(expected);
  });
});
