/** What clients of Ghost's Admin API ask first: site and configuration. What is missing leads to the documentation. */
import { describe, expect, it } from 'vitest';
import { expectRefusal } from '../support/envelope.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({
  stage: 'owl',
  publication: {
    name: 'The Daily Owl',
    url: 'https://owl.example.org',
    description: 'News after dark',
    logoUrl: 'https://owl.example.org/logo.png',
    iconUrl: 'https://owl.example.org/icon.png',
    accentColor: '#7a1f3d',
    language: 'de',
    timezone: 'Europe/Berlin',
  },
});
const keys = await stack.seed();

const site = {
  title: 'The Daily Owl',
  description: 'News after dark',
  logo: 'https://owl.example.org/logo.png',
  icon: 'https://owl.example.org/icon.png',
  accent_color: '#7a1f3d',
  locale: 'de',
  timezone: 'Europe/Berlin',
  url: 'https://owl.example.org/',
  version: '6.0',
};

describe('GET /admin/site/', () => {
  it('returns the site as an object, with or without a key', async () => {
    for (const key of [undefined, keys.integration, keys.owner, keys.staff.Contributor]) {
      const answer = await stack.call('site/read', { path: '/admin/site/', ...(key !== undefined && { key }) });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ site });
    }
  });

  it('ignores a wrong key just like a missing one', async () => {
    const headers = { Authorization: 'Ghost nonsense' };
    expect((await stack.call('site/read', { path: '/admin/site/', headers })).status).toBe(200);
  });
});

describe('GET /admin/config/', () => {
  it('returns version and environment for every key', async () => {
    for (const key of [keys.integration, keys.owner, keys.staff.Contributor ?? '']) {
      const answer = await stack.call('config/read', { path: '/admin/config/', key });
      expect(answer.status).toBe(200);
      expect(answer.body).toEqual({ config: { version: '6.0', environment: 'owl', egress: null } });
    }
  });

  it('has the addresses from which deliveries come, if they are fixed', async () => {
    process.env.EGRESS_ADDRESSES = '203.0.113.7,203.0.113.8';
    const answer = await stack.call('config/read', { path: '/admin/config/', key: keys.integration });
    delete process.env.EGRESS_ADDRESSES;
    expect(answer.body.config.egress).toEqual(['203.0.113.7', '203.0.113.8']);
  });

  it('returns 403 without a key', async () => {
    expectRefusal(await stack.call('config/read', { path: '/admin/config/' }), {
      status: 403,
      type: 'NoPermissionError',
    });
  });
});

describe('other resources of Ghost', () => {
  it.each([
    'posts',
    'pages',
    'tags',
    'members',
    'settings',
    'themes',
    'images/upload',
    'newsletters',
    'tiers',
    'offers',
  ])('%s return 404 with a link to the documentation', async (path) => {
    for (const method of ['GET', 'POST']) {
      const answer = await stack.call('fallback/answer', { method, path: `/admin/${path}/` });
      const error = expectRefusal(answer, { status: 404, type: 'NotFoundError' });
      expect(error.help).toContain(`${stack.baseUrl}/admin/docs/`);
    }
  });
});
