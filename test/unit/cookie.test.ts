/** The cookies of sessions and browsers: which hosts can set them, and to which paths browsers send them. */
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
      'on its own domain has the prefix __Host-, so that no sibling host can set it',
      'https://api.example.com/ghost/api',
      '__Host-masthead_session',
      '/',
    ],
    [
      'on a host of AWS is limited to the path of its stage',
      'https://a1b2c3.execute-api.eu-central-1.amazonaws.com/prod/ghost/api',
      '__Secure-masthead_session',
      '/prod/ghost/api',
    ],
    [
      'on localhost has no prefix, because there is no TLS',
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

  it('is read even if a sibling host has set a cookie without the prefix', async () => {
    const { readSessionCookie } = await cookies('https://api.example.com/ghost/api');
    expect(readSessionCookie({ cookie: 'masthead_session=evil; __Host-masthead_session=own' })).toBe('own');
  });
});
