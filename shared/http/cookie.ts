/** The cookie of a session: how it is set, cleared and read. */
import { second } from '../foundation/clock.ts';
import { baseUrl } from '../foundation/environment.ts';
import type { HttpRequest } from './request.ts';

export const cookieName = 'masthead_session';

/** Not sent to other origins, scripts, or paths beside the API's: also below `/<stage>/`, which other stages share. */
const attributes = (): string => `Path=${new URL(baseUrl()).pathname}; HttpOnly; Secure; SameSite=Strict`;

const header = (value: string, maxAgeSeconds: number): { 'Set-Cookie': string } => ({
  'Set-Cookie': `${cookieName}=${value}; Max-Age=${maxAgeSeconds}; ${attributes()}`,
});

/** Returns the header that sets the cookie of a session with this duration in ms. */
export const sessionCookie = (value: string, durationMs: number) => header(value, durationMs / second);

/** Returns the header that removes the cookie. */
export const clearCookie = () => header('', 0);

/**
 * Returns the value of the cookie; undefined without one. Several, of which one may come from another host of the domain, are
 * joined, so that they are the cookie of no session.
 */
export const readCookie = ({ headers }: HttpRequest): string | undefined => {
  const values = (headers.cookie ?? '')
    .split(';')
    .map((pair) => pair.trim())
    .flatMap((pair) => (pair.startsWith(`${cookieName}=`) ? [pair.slice(cookieName.length + 1)] : []));
  return values.length === 0 ? undefined : values.join(' ');
};
