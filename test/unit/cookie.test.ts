/** The cookies of a session and of a browser: which hosts can set them, and where browsers send them. */
import { afterEach, describe, expect, it, vi } from 'vitest';

const cookies = async (baseUrl: string) => {
  vi.resetModules();
  process.env.BASE_URL = baseUrl;
  return import('../../shared/http/cookie.ts');
};
afterEach(() => vi.resetModules());

describe('the cookie of a session', () => {
  it.each([
    [
      'behind a domain of its own cannot be set by a sibling host: it has the prefix __Host-, for the whole host',
      'https://api.example.com/ghost/api',
      '__Host-masthead_session',
      '/',
    ],
    [
      'behind a host of AWS, which is in the Public Suffix List, stays below its stage',
      'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/prod/ghost/api',
      '__Secure-masthead_session',
      '/prod/ghost/api',
    ],
    [
      'on one machine has no prefix, because it has no TLS',
      'http://localhost:3000/ghost/api',
      'masthead_session',
      '/ghost/api',
    ],
  ])('%s', async (_, baseUrl, name, path) => {
    const { clearedSession, readSessionCookie, sessionCookie } = await cookies(baseUrl);
    expect(sessionCookie('value', 43_200_000)).toBe(
      `${name}=value; Max-Age=43200; Path=${path}; HttpOnly; Secure; SameSite=Strict`,
    );
    expect(clearedSession()).toBe(`${name}=; Max-Age=0; Path=${path}; HttpOnly; Secure; SameSite=Strict`);
    expect(readSessionCookie({ cookie: `other=1; ${name}=value` })).toBe('value');
  });

  it('of a sibling host is ignored, so that it locks no session out', async () => {
    const { readSessionCookie } = await cookies('https://api.example.com/ghost/api');
    expect(readSessionCookie({ cookie: 'masthead_session=evil; __Host-masthead_session=own' })).toBe('own');
  });
});
