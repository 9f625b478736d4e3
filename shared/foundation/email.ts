/** E-mail addresses, wherever one is taken: what SES would refuse is refused before anything is stored. */
import * as v from 'valibot';
import { atMost, rule, text } from './fields.ts';

const form = 'must be an e-mail address, such as ada@example.com.';

/** Octets, which are characters here: what follows lets ASCII alone through (RFC 5321, 4.5.3.1.1; RFC 1035, 2.3.4). */
const longest = { localPart: 64, label: 63 };

const parts = rule<string>((address) => {
  const at = address.lastIndexOf('@');
  const localPart = address.slice(0, Math.max(0, at));
  if (/^\.|\.\.|\.$/.test(localPart))
    return {
      rule: 'dot_atom',
      message: 'must have no dot at the beginning or the end of what stands before the @, and no two in a row there.',
    };
  if (localPart.length > longest.localPart)
    return {
      rule: 'max_length',
      limit: longest.localPart,
      message: `must have at most ${longest.localPart} characters before the @; it has ${localPart.length}.`,
    };
  const label = at === -1 ? undefined : longestOf(address.slice(at + 1).split('.'));
  if (label !== undefined && label > longest.label)
    return {
      rule: 'max_length',
      limit: longest.label,
      message: `must have at most ${longest.label} characters between two dots of its domain; it has ${label}.`,
    };
  return undefined;
});

const longestOf = (labels: readonly string[]): number => Math.max(...labels.map(({ length }) => length));

/**
 * An address of at most so many characters, 254 where nothing is said (RFC 5321, 4.5.3.1.3): a dot-atom (RFC 5322, 3.2.3), an
 * @, and a domain with a dot, as DNS writes it: no address of numbers. Says one thing at a time.
 */
export const emailAddress = (length = 254) =>
  v.config(v.pipe(text, atMost(length), parts, v.rfcEmail(form), v.regex(/@[^@]+\.(?!\d+$)[^@.]+$/, form)), {
    abortPipeEarly: true,
  });
