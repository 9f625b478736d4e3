/** Attempts to steal or misuse a session of the console in a real browser, and what the browser stores. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, UpdateCommand } from '@aws-sdk/lib-dynamodb';
import type { BrowserContext, Page } from 'playwright-core';
import { describe, expect, it } from 'vitest';
import { eventually } from '../support/eventual.ts';
import { openSignInLink, show, signInLinkOf } from './console.ts';
import { startStackAndBrowser } from './stack-and-browser.ts';

const { browser, running } = await startStackAndBrowser();

const emailOf = (role: string) => `${role.toLowerCase()}@masthead.example`;

/** Calls `look` in a browser of its own, with nothing of the others. */
const inBrowser = async (look: (page: Page, context: BrowserContext) => Promise<void>): Promise<void> => {
  const context = await browser.newContext({ locale: 'en-GB' });
  context.setDefaultTimeout(45_000);
  try {
    await look(await context.newPage(), context);
  } finally {
    await context.close();
  }
};

const used = new Set<string>();

const newLink = async (role: string): Promise<string> => {
  await running.call('POST', '/admin/session/', { body: { sessions: [{ email: emailOf(role) }] } });
  const link = await eventually('a new link', async () => {
    const latest = await signInLinkOf(running, emailOf(role));
    return used.has(latest) ? undefined : latest;
  });
  used.add(link);
  return link;
};

/** Signs in by mail; returns the link that was used. */
const signIn = async (page: Page, role: string): Promise<string> => {
  const link = await newLink(role);
  await openSignInLink(page, link);
  await page.getByRole('button', { name: 'Sign out' }).waitFor();
  return link;
};

describe('a sign-in link', () => {
  it('signs nobody else in once it was used, and leaves the address', async () => {
    await inBrowser(async (first) => {
      const link = await signIn(first, 'Administrator');
      const token = link.split('/').at(-2) ?? '';
      expect(first.url()).not.toContain(token);
      await inBrowser(async (second) => {
        await second.goto(link);
        await second.getByRole('heading', { name: 'This link does not work' }).waitFor();
        await second.getByRole('link', { name: 'Get another link' }).click();
        await second.getByRole('heading', { name: 'Sign in' }).waitFor();
      });
    });
  });

  it('signs in only after a click, so that a hostile page cannot sign its visitor in as somebody else', async () => {
    await inBrowser(async (page) => {
      await signIn(page, 'Administrator');
      const link = await newLink('Author');
      // As a mail scanner does, and as a hostile page does with a link of its own account.
      for (let opened = 0; opened < 2; opened++) {
        await page.goto('about:blank');
        await page.goto(link);
        await page.getByRole('heading', { name: 'Sign in as' }).waitFor();
        await page.getByText(emailOf('Author')).waitFor();
      }
      await page.getByRole('button', { name: 'Sign in' }).click();
      await page.getByText('You are signed in as Olive Administrator').waitFor();
      await page.getByRole('link', { name: 'Stay signed in as Olive Administrator' }).click();
      await page.getByText('Olive Administrator').waitFor();
      await inBrowser(async (author) => {
        await openSignInLink(author, link);
        await author.getByRole('heading', { name: 'Olive Author', exact: true }).waitFor();
      });
    });
  });

  it('with an invented token is refused', async () => {
    await inBrowser(async (page) => {
      await page.goto(`${running.stack.baseUrl}/sign-in/${'A'.repeat(43)}/`);
      await page.getByRole('heading', { name: 'This link does not work' }).waitFor();
    });
  });
});

describe('a session', () => {
  it('cannot be read by scripts, and the browser stores no secret and no payload', async () => {
    const integration = (await running.call('GET', '/admin/integrations/', { key: running.stack.adminKey })).body
      .integrations[0].id;
    const webhook = {
      event: 'post.published',
      target_url: `${running.stack.receiver}/stored`,
      secret: 'a secret of the webhook',
      integration_id: integration,
    };
    await running.call('POST', '/admin/webhooks/', { key: running.stack.adminKey, body: { webhooks: [webhook] } });
    await running.call('POST', '/admin/events/', {
      key: running.stack.adminKey,
      body: {
        events: [
          { event: 'post.published', payload: { post: { current: { title: 'Kept off the disk' }, previous: {} } } },
        ],
      },
    });
    await inBrowser(async (page, context) => {
      await signIn(page, 'Owner');
      await show(page, '#/deliveries');
      await page.getByRole('row').nth(1).getByRole('link').click();
      await page.getByText('"title": "Kept off the disk"').waitFor();
      const readable = await page.evaluate(
        '(async () => JSON.stringify([document.cookie, { ...localStorage }, { ...sessionStorage }, await ' +
          'caches.keys(), await indexedDB.databases(), (await navigator.serviceWorker?.getRegistrations() ?? ' +
          '[]).length]))()',
      );
      expect(readable).toBe('["",{},{},[],[],0]');
      expect(page.url()).not.toContain('Kept');
      const cookies = await context.cookies();
      const path = new URL(running.stack.baseUrl).pathname;
      const hidden = { httpOnly: true, secure: true, sameSite: 'Strict', path };
      expect(cookies.toSorted((a, b) => (a.name < b.name ? -1 : 1))).toMatchObject([
        { name: 'masthead_browser', ...hidden },
        { name: 'masthead_session', ...hidden },
      ]);
    });
  });

  it('rejects requests from pages of other origins, even of the same site', async () => {
    await inBrowser(async (page, context) => {
      await signIn(page, 'Owner');
      const attacker = await context.newPage();
      const { port } = new URL(running.stack.receiver);
      // Another port is another origin of the same site: there the browser sends the cookie in spite of SameSite.
      await attacker.goto(`http://${new URL(running.stack.baseUrl).hostname}:${port}/page`);
      const { body } = await running.call('GET', '/admin/roles/', { key: running.stack.adminKey });
      const invite = JSON.stringify({ invites: [{ email: 'mallory@example.org', role_id: body.roles[0].id }] });
      const answers = await attacker.evaluate(
        async ([base, text]) => {
          const attempt = async (mode: 'cors' | 'no-cors', path: string, method: string, type: string) =>
            fetch(`${base}${path}`, {
              mode,
              method,
              credentials: 'include',
              headers: { 'Content-Type': type },
              ...(method !== 'GET' && { body: text }),
            }).then(
              (answer) => `${answer.type} ${answer.status}`,
              () => 'blocked',
            );
          return [
            await attempt('no-cors', '/admin/invites/', 'POST', 'text/plain'),
            await attempt('cors', '/admin/invites/', 'POST', 'application/json'),
            await attempt('cors', '/admin/users/me/', 'GET', 'text/plain'),
            await attempt('cors', '/admin/session/', 'DELETE', 'application/json'),
          ];
        },
        [running.stack.baseUrl, invite] as const,
      );
      expect(answers).toEqual(['opaque 0', 'blocked', 'blocked', 'blocked']);
      const invites = await running.call('GET', '/admin/invites/', { key: running.stack.adminKey });
      expect(invites.text).not.toContain('mallory');
      await page.reload();
      await page.getByRole('button', { name: 'Sign out' }).waitFor();
    });
  });

  it('can be ended from another browser, and signing in again leads back to the same view', async () => {
    await inBrowser(async (lost) => {
      await signIn(lost, 'Editor');
      await show(lost, '#/staff/invitations?status=sent');
      await lost.getByText('No invitation has this status').waitFor();
      await inBrowser(async (own) => {
        await signIn(own, 'Editor');
        await show(own, '#/staff/access');
        const other = own.getByRole('listitem').filter({ hasNotText: 'This device' });
        await other.getByRole('button', { name: /^End/ }).click();
        await other.waitFor({ state: 'detached' });
      });
      await lost.getByText('Your session has ended').waitFor();
      expect(new URL(lost.url()).hash).toBe('#/staff/invitations?status=sent');
    });
  });

  it('ends after twelve hours, and the view says so', async () => {
    await inBrowser(async (page) => {
      await signIn(page, 'Author');
      await show(page, '#/staff/access');
      await page.getByText('This device').waitFor();
      const key = running.stack.staffKeys.Author ?? '';
      const { body } = await running.call('GET', '/admin/session/', { key });
      await makeOld(body.sessions[0]);
      // An environment caches a session for four seconds, and the view reads every ten.
      await page.getByText('Your session has ended').waitFor();
    });
  });
});

/** Lets a session begin thirteen hours ago. */
const makeOld = async ({ id, user_id }: { readonly id: string; readonly user_id: string }): Promise<void> => {
  const { endpoint, region, ...credentials } = running.stack.aws;
  const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint, region, credentials }));
  await client.send(
    new UpdateCommand({
      TableName: running.stack.table,
      Key: { pk: `SESSION#${user_id}`, sk: `SESSION#${id}` },
      UpdateExpression: 'SET created_at = :at',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':at': new Date(Date.now() - 13 * 3_600_000).toISOString() },
    }),
  );
  client.destroy();
};
