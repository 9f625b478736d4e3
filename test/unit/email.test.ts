/** The rule for email addresses: ordinary ones are valid; those that SES would refuse get an error with the reason. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import { emailAddress } from '../../shared/foundation/email.ts';
import { field } from '../../shared/foundation/resource.ts';

const errorOf = (address: string, length?: number): string | undefined =>
  v
    .safeParse(field(emailAddress(length), 'An address.'), address)
    .issues?.map(({ message }) => message)
    .join(' ');

const label = (length: number): string => 'b'.repeat(length);

describe('an address', () => {
  it.each([
    'ada@example.com',
    'Ada.Lovelace@Example.COM',
    'ada+news@example.com',
    "o'brien@example.ie",
    'a@b.co',
    '!#$%&*/=?^_`{|}~-@example.com',
    'ada@mail.example.co.uk',
    'ada@xn--bcher-kva.example',
    'success+x@simulator.amazonses.com',
    `${'a'.repeat(64)}@example.com`,
    `a@${label(63)}.com`,
  ])('is accepted: %s', (address) => {
    expect(errorOf(address)).toBeUndefined();
  });

  it.each([
    ['.a@x.com', 'start or end with a dot'],
    ['a.@x.com', 'start or end with a dot'],
    ['a..b@x.com', 'two dots in a row'],
    [`${'a'.repeat(65)}@x.com`, 'at most 64 characters before the @; it has 65.'],
    [`a@${label(64)}.com`, 'at most 63 characters between two dots of its domain; it has 64.'],
    [`a@${`${label(62)}.`.repeat(4)}com`, 'at most 254 characters'],
    ['ada', 'an email address, such as'],
    ['', 'an email address, such as'],
    ['@x.com', 'an email address, such as'],
    ['ada@', 'an email address, such as'],
    ['ada@localhost', 'an email address, such as'],
    ['ada@1.2.3.4', 'an email address, such as'],
    ['ada@x..com', 'an email address, such as'],
    ['ada@-x.com', 'an email address, such as'],
    ['a@b@c.com', 'an email address, such as'],
    ['"ab"@x.com', 'an email address, such as'],
    ['ada@[127.0.0.1]', 'an email address, such as'],
    ['äda@x.com', 'such as ada@example.com, with ASCII characters only before the @, so without “ä”.'],
    ['jürgen+🎺@example.com', 'so without “ü”.'],
    ['🎺@example.com', 'so without “🎺”.'],
    ['ada+x@EXAMPLE.org ', 'such as ada@example.com, without the space at its end.'],
    ['ada@example.org\u00a0', 'without the space at its end.'],
    ['\tada@example.org', 'without the space at its beginning.'],
    ['ada @example.org', 'without a space or line break in it.'],
    ['ada@x.com\r\nBcc: eve@x.com', 'without a space or line break in it.'],
    ['ada@x.com\r\n', 'without the space at its end.'],
    ['ada@exa\u202emple.com', 'with the domain in Punycode.'],
  ])('is refused in one sentence: %j', (address, sentence) => {
    expect(errorOf(address)).toMatch(/^must [^.]*(?:\.com)?[^.]*\.$/);
    expect(errorOf(address)).toContain(sentence);
  });

  it.each([
    ['ada@bücher.example', 'xn--bcher-kva.example'],
    ['info@exämple.com', 'xn--exmple-cua.com'],
    ['info@例え.jp', 'xn--r8jz45g.jp'],
  ])('is refused with the Punycode form that would be accepted: %s', (address, domain) => {
    expect(errorOf(address)).toBe(
      `must be an email address, such as ada@example.com, with the domain in Punycode: ${domain}.`,
    );
    expect(errorOf(`${address.split('@')[0]}@${domain}`)).toBeUndefined();
  });

  it('may be as long as its field allows', () => {
    expect(errorOf(`a@${`${label(61)}.`.repeat(3)}b.org`, 193)).toBeUndefined();
    expect(errorOf(`a@${`${label(61)}.`.repeat(3)}b.org`, 191)).toBe('must have at most 191 characters.');
  });
});
