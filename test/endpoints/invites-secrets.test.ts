/** Secrets that never appear in the table, in queues or in logs: tokens, passwords and the path of the page. */
import { ScanCommand } from '@aws-sdk/lib-dynamodb';
import { describe, expect, it, vi } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

process.env.LOG_LEVEL = 'INFO';
const written: string[] = [];
for (const stream of [process.stdout, process.stderr])
  vi.spyOn(stream, 'write').mockImplementation((chunk) => {
    written.push(typeof chunk === 'string' ? chunk : new TextDecoder().decode(chunk));
    return true;
  });

const stack = await freshStack();
const keys = await stack.seed();
const { inviteAndMail } = await inviting(stack, keys);

const accept = (item: object) =>
  stack.call('invites/accept', {
    path: '/admin/authentication/invitation/',
    body: { invitation: [item] },
  });
const form = (token: string, name: string) =>
  stack.call('invites/accept-page', {
    path: `/invitation/${token}/`,
    headers: { 'Content-Type': 'application/x-www-form-urlencoded' },
    body: new URLSearchParams({ name }).toString(),
  });

const kept = async () => {
  const { Items } = await stack.dynamodb.send(new ScanCommand({ TableName: stack.tableName }));
  const queues = await Promise.all((['mail', 'events'] as const).map((queue) => stack.messages(queue)));
  return JSON.stringify([Items, queues]);
};

describe('an invitation leaves no trace', () => {
  it('of its token', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    const secret = token.slice(24);
    written.length = 0;
    await stack.call('invites/show-page', { path: `/invitation/${token}/` });
    await stack.call('fallback/answer', { path: `/invitation/${token}/x`, method: 'PUT' });
    await form(token, '');
    await accept({ token, name: 'Ada', password: 'short' });
    await accept({ token, email: newAddress(), name: 'Ada', password: 'long enough' });
    await form(token, 'Ada');
    await form(token, 'Ada');
    await accept({ token, name: 'Ada', password: 'long enough' });
    const log = written.join('');
    expect(log).toContain('"message":"answered"');
    expect(log).toContain('"message":"refused"');
    expect(log).not.toContain(secret);
    expect(log).not.toContain('/invitation/');
    const rows = await kept();
    expect(rows).toContain(email);
    expect(rows).not.toContain(secret);
  });

  it('of its password, whether the password is accepted or too short', async () => {
    const email = newAddress();
    const { token } = await inviteAndMail(email);
    written.length = 0;
    const short = await accept({ token, name: 'Ada', password: 'sesame' });
    const taken = await accept({ token, name: 'Ada', password: 'sesame-open-up' });
    expect([short.status, taken.status]).toEqual([422, 200]);
    expect(short.text + taken.text).not.toContain('sesame');
    const log = written.join('');
    expect(log).toContain('"message":"answered"');
    expect(log).not.toContain('sesame');
    const rows = await kept();
    expect(rows).toContain(email);
    expect(rows).not.toContain('sesame');
  });
});
