/** The name that a person chooses. Mails show it, so it has no web address that mail programs would link. */
import { parse } from 'tldts';
import * as v from 'valibot';
import { plainName } from './fields.ts';
import { asAddress } from './text.ts';

/** What stands before a dot in names without being a host: initials, and titles such as in `Dr.No`. */
const titles = new Set(
  'dipl dr fr hon ing jr ma mag md mme mr mrs ms mx ph phd prof rev sir sr st sta ste sto'.split(' '),
);
const isInitialOrTitle = (label: string): boolean => /^\p{L}\p{M}*$/u.test(label) || titles.has(label) || label === '';

/** A part of a name that mail programs may read as a host, and whether a path follows it. */
const hostLike = /([^\s/\\,;:()<>[\]{}"“”'’|@!?]+)(\/?)/gu;

const isHost = (word: string, hasPath: boolean): boolean => {
  const host = word.toLowerCase().replace(/^\.+|\.+$/g, '');
  if (!host.includes('.')) return false;
  const { isIp, isIcann, publicSuffix } = parse(host, { validateHostname: false });
  if (isIp === true || hasPath) return true;
  if (isIcann !== true || publicSuffix === null) return false;
  const labels = host.slice(0, -publicSuffix.length - 1).split('.');
  return !labels.every(isInitialOrTitle);
};

/** Whether a text has an IP address, or a host below a public suffix (publicsuffix.org) that is more than `A.B.Li`. */
const hasHost = (text: string): boolean =>
  [...asAddress(text).matchAll(hostLike)].some(([, word = '', path]) => isHost(word, path === '/'));

/** A symbol before a dot and text, such as `💌.to`: no name has one, and it may look like a letter of a host. */
const hasSymbolBeforeDot = (name: string): boolean =>
  /\p{S}[\p{M}\p{Default_Ignorable_Code_Point}]*[.\u2024\u3002\uff0e\uff61](?=\S)/u.test(name);

/** Seven digits with no letter between them, in any script: a number that readers of a mail would call. */
const hasPhoneNumber = (name: string): boolean => /(?:\p{N}[^\p{L}\p{N}]*){7}/u.test(asAddress(name));

/** A person's name: plain, without a host or IP address, which mail programs would link, or a phone number. */
export const personName = v.pipe(
  plainName,
  v.check((name) => !hasPhoneNumber(name), 'must not have a phone number.'),
  v.check(
    (name) => !hasHost(name) && !hasSymbolBeforeDot(name),
    'must not have a host name or an IP address, so write a space after a full stop.',
  ),
);
