/** The cookies of the API: one for the session, and one that recognises the browser after the session. */
import { second } from '../foundation/clock.ts';
import { baseUrl } from '../foundation/environment.ts';
import type { HttpRequest } from './request.ts';

/** The name of the cookie of a session, after the prefix. */
export const cookieName = 'masthead_session';
const browserName = 'masthead_browser';

interface Scope {
  /** Browsers accept a cookie with a prefix only under its rules (draft-ietf-httpbis-rfc6265bis, 4.1.3). */
  readonly prefix: '__Host-' | '__Secure-' | '';
  readonly path: string;
}

/**
 * `__Host-` (with path `/`) keeps sibling hosts of a custom domain from setting a cookie that locks sessions out. AWS's
 * hosts have no siblings (Public Suffix List), and their stages are separated by the path.
 */
const scope = (): Scope => {
  const { protocol, hostname, pathname } = new URL(baseUrl());
  if (protocol !== 'https:') return { prefix: '', path: pathname };
  return hostname.endsWith('.amazonaws.com')
    ? { prefix: '__Secure-', path: pathname }
    : { prefix: '__Host-', path: '/' };
};

/** Not sent to other origins, to scripts, or without TLS. */
const written = (name: string, value: string, maxAgeSeconds: number): string => {
  const { prefix, path } = scope();
  return `${prefix}${name}=${value}; Max-Age=${maxAgeSeconds}; Path=${path}; HttpOnly; Secure; SameSite=Strict`;
};

/** Returns the cookie of a session with this duration in ms. */
export const sessionCookie = (value: string, durationMs: number): string =>
  written(cookieName, value, durationMs / second);

/** Returns the cookie that removes the session's cookie. */
export const clearedSession = (): string => written(cookieName, '', 0);

/** Returns the cookie by which a browser is recognised for this duration in ms. */
export const browserCookie = (value: string, durationMs: number): string =>
  written(browserName, value, durationMs / second);

/** Returns a cookie's value. Several of one name, perhaps from several hosts, are joined and so invalid everywhere. */
const read = (headers: HttpRequest['headers'], name: string): string | undefined => {
  const start = `${scope().prefix}${name}=`;
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(start) ? [pair.slice(start.length)] : []));
  return values.length === 0 ? undefined : values.join(' ');
};

/** Returns the value of the session's cookie; undefined without one. */
export const readSessionCookie = (headers: HttpRequest['headers']): string | undefined => read(headers, cookieName);

/** Returns the value of the browser's cookie; undefined without one. */
export const readBrowserCookie = (headers: HttpRequest['headers']): string | undefined => read(headers, browserName);
