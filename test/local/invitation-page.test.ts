/** An invitation on the running stack: the mail in the mailbox, its link over HTTP, and the log. */
import { readFileSync } from 'node:fs';
import * as v from 'valibot';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { findHome } from '../../infra/local/home.ts';
import { inviteOn } from '../support/invitation-link.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';

const home = temporaryHome();
let running: RunningStack;
beforeAll(async () => {
  running = await runStack(home.folder, ['--memory']);
});
afterAll(async () => {
  await running.end('SIGINT');
  home.remove();
});

const submit = (url: string, name: string) => fetch(url, { method: 'POST', body: new URLSearchParams({ name }) });
const headingOf = async (answer: Response) => /<h1>(.*?)<\/h1>/.exec(await answer.text())?.[1];

describe('the link of an invitation', () => {
  it('opens the page with and without a slash at the end, and adds a staff member', async () => {
    const { id, url } = await inviteOn(running, 'ada@example.org');
    expect(url.startsWith(`${running.stack.baseUrl}/invitation/${id}`)).toBe(true);
    for (const address of [url, url.replace(/\/$/, '')]) {
      const answer = await fetch(address);
      expect(answer.status).toBe(200);
      expect(answer.headers.get('content-type')).toBe('text/html; charset=utf-8');
      expect(answer.headers.get('referrer-policy')).toBe('no-referrer');
      expect(await headingOf(answer)).toBe('Join as an Author');
    }
    const accepted = await submit(url, 'Ada Lovelace');
    expect(accepted.status).toBe(200);
    expect(await headingOf(accepted)).toBe('Welcome, Ada Lovelace');
    const read = await running.call('GET', `/admin/invites/${id}/`, { key: running.stack.adminKey });
    expect(read.body.invites[0].status).toBe('accepted');
  });

  it('works for one of twenty concurrent requests, and the others get the page of a used link', async () => {
    const { url } = await inviteOn(running, 'twenty@example.org');
    const answers = await Promise.all(Array.from({ length: 20 }, (_, person) => submit(url, `Person ${person}`)));
    expect(answers.map(({ status }) => status).sort()).toEqual([200, ...Array(19).fill(410)]);
    const headings = await Promise.all(answers.filter(({ status }) => status === 410).map(headingOf));
    expect(new Set(headings)).toEqual(new Set(['This invitation has been accepted']));
  });

  it('is in no log, even if its path is wrong', async () => {
    const { url } = await inviteOn(running, 'mary@example.org');
    const token = url.split('/').at(-2) ?? '';
    await fetch(url);
    await fetch(`${url}more`);
    await fetch(url, { method: 'DELETE' });
    await submit(url, '');
    await submit(url, 'Mary');
    const log = readFileSync(findHome(home.folder).logFile, 'utf8');
    expect(log).toContain('invites/accept-page');
    expect(log + running.output()).not.toContain(token.slice(24));
  });
});

describe('a mail in the mailbox', () => {
  it.each([
    ['bounces', 'bounce', 'bounced'],
    ['is reported as spam', 'complaint', 'complained'],
  ])('%s if somebody presses that, and its invitation says so', async (_, kind, status) => {
    const { id } = await inviteOn(running, `${kind}@example.org`);
    const { emails } = v.parse(store, await (await fetch(`${running.stack.mailbox}/store`)).json());
    const mail = emails.find(({ destination }) => destination.to.includes(`${kind}@example.org`));
    const answer = await fetch(`${running.stack.mailbox}/${kind}/${mail?.messageId}`, { method: 'POST' });
    expect(answer.status).toBe(204);
    const read = await running.call('GET', `/admin/invites/${id}/`, { key: running.stack.adminKey });
    expect(read.body.invites[0].status).toBe(status);
  });

  it('is known by its id only', async () => {
    expect((await fetch(`${running.stack.mailbox}/bounce/unknown`, { method: 'POST' })).status).toBe(404);
  });
});

const store = v.object({
  emails: v.array(v.object({ messageId: v.string(), destination: v.object({ to: v.array(v.string()) }) })),
});
