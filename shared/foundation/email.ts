/** The rule for email addresses, and how they are compared. What SES would refuse is refused before it is stored. */
import * as v from 'valibot';
import { maxChars, rule, text } from './fields.ts';

const form = 'must be an email address, such as ada@example.com.';

/** Names a mistake that people overlook in an address: a pasted space, or a letter outside ASCII. */
const overlooked = rule<string>((address) => {
  const at = address.lastIndexOf('@');
  const violation = causeOf(address, address.slice(0, Math.max(0, at)), address.slice(at + 1));
  return violation && { ...violation, message: `${form.slice(0, -1)}, ${violation.message}` };
});

const causeOf = (address: string, localPart: string, domain: string) => {
  if (/\s$/u.test(address)) return { rule: 'white_space', message: 'without the space at its end.' };
  if (/^\s/u.test(address)) return { rule: 'white_space', message: 'without the space at its beginning.' };
  if (/\s/u.test(address)) return { rule: 'white_space', message: 'without a space or line break in it.' };
  const [letter] = /[^\0-\x7f]/u.exec(localPart) ?? [];
  if (letter !== undefined)
    return { rule: 'ascii', message: `with ASCII characters only before the @, so without “${letter}”.` };
  if (!/[^\0-\x7f]/u.test(domain)) return undefined;
  const punycode = punycodeOf(domain);
  return {
    rule: 'punycode',
    limit: punycode ?? null,
    message: `with the domain in Punycode${punycode === undefined ? '.' : `: ${punycode}.`}`,
  };
};

const punycodeOf = (domain: string): string | undefined =>
  URL.canParse(`https://${domain}`) ? new URL(`https://${domain}`).hostname : undefined;

/** In octets. Only ASCII is accepted, so they equal characters (RFC 5321, 4.5.3.1.1; RFC 1035, 2.3.4). */
const maxLength = { localPart: 64, label: 63 };

const parts = rule<string>((address) => {
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, Math.max(0, at));
  if (/^\.|\.\.|\.$/.test(localPart))
    return {
      rule: 'dot_atom',
      message: 'must not start or end with a dot before the @, or have two dots in a row there.',
    };
  if (localPart.length > maxLength.localPart)
    return {
      rule: 'max_length',
      limit: maxLength.localPart,
      message: `must have at most ${maxLength.localPart} characters before the @; it has ${localPart.length}.`,
    };
  const label = at === -1 ? undefined : maxLengthOf(address.slice(at + 1).split('.'));
  if (label !== undefined && label > maxLength.label)
    return {
      rule: 'max_length',
      limit: maxLength.label,
      message: `must have at most ${maxLength.label} characters between two dots of its domain; it has ${label}.`,
    };
  return undefined;
});

const maxLengthOf = (labels: readonly string[]): number => Math.max(...labels.map(({ length }) => length));

/**
 * Returns the schema of an address of at most `length` characters (RFC 5321, 4.5.3.1.3): a dot-atom (RFC 5322, 3.2.3),
 * an @, and a domain name with a dot, no IP address. It reports one failure at a time.
 */
export const emailAddress = (length = 254) =>
  v.config(
    v.pipe(text, maxChars(length), overlooked, parts, v.rfcEmail(form), v.regex(/@[^@]+\.(?!\d+$)[^@.]+$/, form)),
    {
      abortPipeEarly: true,
    },
  );

/** Returns what is wrong with an address, to complete a sentence such as "`email` …"; undefined for a valid one. */
export const emailProblem = (address: unknown, length?: number): string | undefined => {
  const [issue] = v.safeParse(emailAddress(length), address).issues ?? [];
  return issue?.message;
};

/** Returns the form in which addresses are compared: without regard to case (docs/compatibility.md, "Invites"). */
export const normalizedEmail = (email: string): string => email.toLowerCase();
