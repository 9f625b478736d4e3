/** Sends a stack what Ghost's app for Zapier and the piece of Activepieces send to a site, by their public source. */
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { runStack } from '../../test/support/parts-running-stack.ts';

const target = { event: 'post.published', target_url: 'https://hooks.example.com/1' };

/** By app: what a person does, and the request. `{id}` is the webhook that was created. */
const requests: readonly (readonly [app: string, what: string, method: string, path: string, body?: object])[] = [
  ['Zapier', 'connect', 'GET', '/admin/site/'],
  [
    'Zapier',
    'turn a Zap on',
    'POST',
    '/admin/webhooks/',
    { webhooks: [{ ...target, integration_id: 'a'.repeat(24) }] },
  ],
  ['Zapier', 'turn it off', 'DELETE', '/admin/webhooks/{id}/'],
  ['Zapier', 'sample of a post', 'GET', '/admin/posts/?filter=status:published&order=published_at%20DESC&limit=1'],
  ['Zapier', 'sample of a page', 'GET', '/admin/pages/?filter=status:published&order=published_at%20DESC&limit=1'],
  ['Zapier', 'sample of a member', 'GET', '/admin/members/?order=created_at%20DESC&limit=1'],
  ['Zapier', 'choose a tag', 'GET', '/admin/tags/'],
  ['Zapier', 'choose a newsletter', 'GET', '/admin/newsletters/'],
  ['Zapier', 'choose a tier', 'GET', '/admin/tiers/'],
  ['Zapier', 'choose an author', 'GET', '/admin/users/?limit=1'],
  ['Zapier', 'create a post', 'POST', '/admin/posts/?source=html', { posts: [{ title: 'A post' }] }],
  ['Zapier', 'create a member', 'POST', '/admin/members/', { members: [{ email: 'reader@example.com' }] }],
  ['Activepieces', 'turn a flow on', 'POST', '/admin/webhooks', { webhooks: [target] }],
  ['Activepieces', 'turn it off', 'DELETE', '/admin/webhooks/{id}'],
  ['Activepieces', 'choose a member', 'GET', '/admin/members'],
  ['Activepieces', 'choose a newsletter', 'GET', '/admin/newsletters'],
  ['Activepieces', 'choose a tag', 'GET', '/admin/tags'],
  ['Activepieces', 'find a user', 'GET', '/admin/users'],
  ['Activepieces', 'create a post', 'POST', '/admin/posts', { posts: [{ title: 'A post' }] }],
  ['Activepieces', 'create a member', 'POST', '/admin/members', { members: [{ email: 'reader@example.com' }] }],
];

/** Prints each request with the answer. */
export const playApps = async (): Promise<void> => {
  const home = mkdtempSync(join(tmpdir(), 'masthead-apps-'));
  const { stack, call, end } = await runStack(home, ['--memory']);
  try {
    const { body } = await call('POST', '/admin/integrations/', {
      key: stack.adminKey,
      body: { integrations: [{ name: 'An app' }] },
    });
    const key = body.integrations[0].api_keys[0].secret;
    let id = '';
    console.log('| app | what | request | answer |\n|---|---|---|---|');
    for (const [app, what, method, path, sent] of requests) {
      const answer = await call(method, path.replace('{id}', id), { key, ...(sent !== undefined && { body: sent }) });
      id = answer.body?.webhooks?.[0]?.id ?? id;
      const type = answer.body?.errors?.[0]?.type;
      const answered = `${answer.status}${type === undefined ? '' : ` ${type}`}`;
      console.log(`| ${app} | ${what} | \`${method} ${path.replace(/\?.*/, '')}\` | ${answered} |`);
    }
  } finally {
    await end('SIGTERM');
    rmSync(home, { recursive: true, force: true });
  }
};
