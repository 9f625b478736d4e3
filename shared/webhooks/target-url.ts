/** The rules for `target_url`: checked as text and by its host; names are not resolved here. */
import { type AllowedRanges, isAllowedHost } from './target-address.ts';

const maxLength = 2000;

/** Targets that the stage allows in addition to `https:` and the public internet (`settings.targets`). */
export interface TargetRules {
  readonly allowHttp: boolean;
  readonly allowRanges: AllowedRanges;
}

export type TargetUrlRule = 'maxLength' | 'ascii' | 'url' | 'scheme' | 'userinfo' | 'port' | 'host';

/** `limit` is the required value; `message` names the field, problem and correction, but no user name or password. */
export type TargetUrlCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly rule: TargetUrlRule;
      readonly limit: string | number | null;
      readonly message: string;
    };

/** Checks a `target_url` as it was sent; it is stored unchanged, byte for byte. Never throws. */
export const checkTargetUrl = (text: string, { allowHttp, allowRanges }: TargetRules): TargetUrlCheck => {
  const schemes = allowHttp ? 'https: or http:' : 'https:';
  if (text.length > maxLength)
    return violation('maxLength', `has ${text.length} characters; the limit is ${maxLength}`, maxLength);
  const url = URL.parse(text);
  if (url === null)
    // Not quoted: what cannot be parsed may contain a password.
    return violation('url', 'is not a URL; use an absolute one such as https://example.com/hook');
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:'))
    return violation('scheme', `starts with ${quote(url.protocol)}; use ${schemes}`, schemes);
  if (url.username !== '' || url.password !== '' || hasUserinfo(text))
    return violation(
      'userinfo',
      `has a user name or password before ${quote(url.host)}; omit it and verify the signature instead`,
    );
  // Port 0 is reserved (RFC 6335, 6): no server can listen there, so every delivery would fail.
  if (url.port === '0')
    return violation('port', 'has port 0, which is reserved; use the port of the receiver, or omit it');
  if (!isAllowedHost(url.hostname, allowRanges))
    return violation(
      'host',
      `has the host ${quote(url.hostname)}, which is not allowed; use a host on the public internet`,
    );
  // Lambda has no IPv6 outside of dual-stack VPCs. A range that the stage allows, such as loopback, stays allowed.
  if (url.hostname.startsWith('[') && isAllowedHost(url.hostname, []))
    return violation(
      'host',
      `has the IPv6 address ${quote(url.hostname)}, but deliveries connect over IPv4; use a name or an IPv4 address`,
    );
  if (/[^\0-\x7f]/.test(text))
    return violation('ascii', `${quote(text)} has characters outside ASCII; write ${quote(url.href)}`);
  // The WHATWG parser corrects these silently, other parsers do not: two parsers must never see different hosts.
  if (!/^https?:\/\/[^/]/i.test(text) || /[\0-\x20\x7f\\]/.test(text))
    return violation(
      'url',
      `${quote(text)} has spaces, backslashes, control characters or the wrong number of slashes; ` +
        `write ${quote(url.href)}`,
    );
  return { ok: true };
};

/** Whether there is an `@` before the path: the parsed URL does not show the empty user name of `https://@host/`. */
const hasUserinfo = (text: string): boolean => /^[^:]*:[/\\]*[^/\\?#]*@/.test(text);

const violation = (rule: TargetUrlRule, reason: string, limit: string | number | null = null): TargetUrlCheck => ({
  ok: false,
  rule,
  limit,
  message: `target_url ${reason}.`,
});

/** Quotes a value, shortened so that the error stays readable. */
const quote = (text: string): string => JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
