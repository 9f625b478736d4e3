/** The page of the demo receiver, and who can read it. */
import { createHash, createHmac } from 'node:crypto';
import { request as httpRequest } from 'node:http';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { type Receiver, startReceiver } from '../../infra/local/demo/receiver.ts';

const secret = 'a secret that the table has';
let receiver: Receiver;
beforeAll(async () => {
  receiver = await startReceiver(0, async () => ['another', secret]);
});
afterAll(() => receiver.stop());

const deliver = async (id: string, body: string, signedWith?: string, target = `${receiver.origin}/hook`) => {
  const seconds = '1770000000';
  const signature = createHmac('sha256', signedWith ?? '')
    .update(`${id}.${seconds}.${body}`)
    .digest('base64');
  const signed = { 'webhook-timestamp': seconds, 'webhook-signature': `v1,${signature}` };
  const headers = { 'webhook-id': id, 'Masthead-Attempt': '1', ...(signedWith !== undefined && signed) };
  expect(await (await fetch(target, { method: 'POST', body, headers })).json()).toEqual({
    received: true,
  });
};

const load = async () => {
  const response = await fetch(receiver.page);
  return { headers: response.headers, text: await response.text() };
};

describe('the page of the demo receiver', () => {
  it('shows the newest request first, with its event and an indented body', async () => {
    await deliver('one', '{"event":"post.added","post":{"current":{"title":"First"}}}');
    await deliver('two', '{"event":"post.published","post":{}}');
    const { text } = await load();
    expect([...text.matchAll(/<h2>(.*?)<\/h2>/g)].map(([, event]) => event)).toEqual(['post.published', 'post.added']);
    expect(text).toContain('&quot;current&quot;: {\n      &quot;title&quot;: &quot;First&quot;');
  });

  it('shows a request to its own URL, which `npm start` prints', async () => {
    await deliver('own', '{"event":"page.added"}', undefined, receiver.page);
    expect((await load()).text).toContain('<h2>page.added</h2>');
  });

  it.each([
    ['signed with the secret of a webhook', secret, '✓ webhook-signature: valid'],
    ['signed with another secret', 'unknown', '✗ webhook-signature: no webhook with this target'],
    ['not signed', undefined, '<li>webhook-signature: not sent</li>'],
  ])('shows the signature check of a request that is %s', async (_what, signedWith, expected) => {
    await deliver(`signed-${expected.length}`, '{"event":"tag.added"}', signedWith);
    const [newest = ''] = (await load()).text.split('<li class="request"').slice(1);
    expect(newest).toContain(expected);
  });

  it('neither executes nor loads anything that a request contains', async () => {
    await deliver('<script>alert(1)</script>', '{"event":"<img src=x onerror=alert(1)>"}');
    const { headers, text } = await load();
    expect(text.match(/<script>/g)).toHaveLength(1);
    expect(text).not.toContain('<img');
    const policy = headers.get('content-security-policy') ?? '';
    for (const [, name, content = ''] of text.matchAll(/<(script|style)>([\s\S]*?)<\/\1>/g))
      expect(policy).toContain(`${name}-src 'sha256-${createHash('sha256').update(content).digest('base64')}'`);
    expect(policy).toMatch(
      /default-src 'none'.*connect-src 'self'; base-uri 'none'; form-action 'none'; frame-ancestors 'none'/,
    );
  });

  it.each(['/', '/requests', `/${'0'.repeat(32)}/`])('cannot be opened at %s, without the secret', async (path) => {
    expect((await fetch(`${receiver.origin}${path}`)).status).toBe(403);
  });

  it('refuses requests under another host name that leads to this machine', async () => {
    const { port, pathname } = new URL(receiver.page);
    const status = await new Promise((resolve) => {
      httpRequest({ host: '127.0.0.1', port, path: pathname, headers: { Host: `evil.example:${port}` } }, (response) =>
        resolve(response.statusCode),
      ).end();
    });
    expect(status).toBe(403);
  });
});

describe('the demo receiver answers as chosen on its page', () => {
  const choose = (name: string, origin?: string) =>
    fetch(`${receiver.page}behaviour/${name}`, {
      method: 'POST',
      headers: origin === undefined ? {} : { Origin: origin },
    });
  const status = async () => {
    const response = await fetch(`${receiver.origin}/hook`, { method: 'POST', body: '{}' });
    return [response.status, response.headers.get('retry-after')];
  };

  it.each([
    ['error', 500, null],
    ['gone', 410, null],
    ['busy', 429, '10'],
    ['ok', 200, null],
  ])('%s', async (name, ...expected) => {
    expect((await choose(name)).status).toBe(204);
    expect(await status()).toEqual(expected);
    expect((await load()).text).toContain(`value="${name}" checked`);
  });

  it('but accepts no unknown choice, and no choice from another site', async () => {
    expect((await choose('unknown')).status).toBe(404);
    expect((await choose('error', 'http://evil.example')).status).toBe(403);
    expect(await status()).toEqual([200, null]);
  });
});

describe('a path of the demo receiver', () => {
  it.each([
    ['/401', 401],
    ['/500/shop', 500],
    ['/410?id=1', 410],
    ['/429', 429],
    ['/hook', 200],
    ['/4010', 200],
    ['/', 200],
  ])('%s is answered with %s, whatever the page says about the others', async (path, status) => {
    const answer = await fetch(`${receiver.origin}${path}`, { method: 'POST', body: '{}' });
    expect(answer.status).toBe(status);
    await answer.text();
  });
});
