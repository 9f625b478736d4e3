/** The rule of the contract for `target_url`: judged as text and by its host; no name is resolved here. */
import { type AllowedRanges, isAllowedHost } from './target-address.ts';

/** Longest `target_url` in characters (contract, field rules). */
const maxLength = 2000;

/** What the stage allows besides `https:` and the public internet (`settings.targets`). */
export interface TargetRules {
  readonly allowHttp: boolean;
  readonly allowRanges: AllowedRanges;
}

export type TargetUrlRule = 'maxLength' | 'ascii' | 'url' | 'scheme' | 'userinfo' | 'port' | 'host';

/** `message` names the field, the value and the way out; `limit` is what the rule asks for. A refused user name or password is not repeated in it. */
export type TargetUrlCheck =
  | { readonly ok: true }
  | {
      readonly ok: false;
      readonly rule: TargetUrlRule;
      readonly limit: string | number | null;
      readonly message: string;
    };

/**
 * Checks a `target_url` as it was sent. What passes is stored byte for byte as sent, hence no normalised form is given back.
 * Never throws.
 */
export function checkTargetUrl(text: string, { allowHttp, allowRanges }: TargetRules): TargetUrlCheck {
  const schemes = allowHttp ? 'https: or http:' : 'https:';
  if (text.length > maxLength) {
    return refuse(
      'maxLength',
      maxLength,
      `target_url is ${text.length} characters long; use one of at most ${maxLength}.`,
    );
  }
  const url = URL.parse(text);
  if (url === null)
    return refuse(
      'url',
      null,
      `target_url ${quote(text)} is not a URL; use an absolute one such as https://example.com/hook.`,
    );
  if (url.protocol !== 'https:' && !(allowHttp && url.protocol === 'http:')) {
    return refuse('scheme', schemes, `target_url begins with ${quote(url.protocol)}; use ${schemes}.`);
  }
  if (url.username !== '' || url.password !== '' || hasUserinfo(text)) {
    return refuse(
      'userinfo',
      null,
      `target_url has a user name or password before ${quote(url.host)}; leave it out and check the signature instead.`,
    );
  }
  // Reserved (RFC 6335, 6): nothing can listen there, so every delivery would fail.
  if (url.port === '0')
    return refuse(
      'port',
      null,
      'target_url has port 0, where nothing can listen; use the port of the receiver, or leave it out.',
    );
  if (!isAllowedHost(url.hostname, allowRanges)) {
    return refuse(
      'host',
      null,
      `target_url leads to ${quote(url.hostname)}, where deliveries may not go; use a host on the public internet.`,
    );
  }
  if (/[^\0-\x7f]/.test(text)) {
    return refuse(
      'ascii',
      null,
      `target_url ${quote(text)} has characters outside ASCII; write it as ${quote(url.href)}.`,
    );
  }
  // The URL parser mends what follows silently, other parsers read it otherwise: nobody may be of two minds about the host.
  if (!/^https?:\/\/[^/]/i.test(text) || /[\0-\x20\x7f\\]/.test(text)) {
    return refuse(
      'url',
      null,
      `target_url ${quote(text)} has spaces, backslashes, control characters or the wrong number of slashes; write it as ${quote(url.href)}.`,
    );
  }
  return { ok: true };
}

/** An `@` before the path: `https://@host/` has an empty user name, which the parsed URL does not show. */
function hasUserinfo(text: string): boolean {
  return /^[^:]*:[/\\]*[^/\\?#]*@/.test(text);
}

function refuse(rule: TargetUrlRule, limit: string | number | null, message: string): TargetUrlCheck {
  return { ok: false, rule, limit, message };
}

/** Long values are cut, so that an error stays readable. */
function quote(text: string): string {
  return JSON.stringify(text.length > 200 ? `${text.slice(0, 200)}…` : text);
}
