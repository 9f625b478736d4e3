/** Strangers with invented links cost little, and keep nobody with a valid link from joining. */
import { expect, it } from 'vitest';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack, type TestResponse } from '../support/parts.ts';
import { stopTime } from '../support/test-time.ts';

// The limit is for ten seconds.
stopTime();
const stack = await freshStack();
const { inviteAndMail, tokenFor } = await inviting(stack, await stack.seed());

const invented = `${'0'.repeat(24)}${'x'.repeat(43)}`;
const from = (sourceIp: string) => ({
  open: (token: string) => stack.call('invites/show-page', { path: `/invitation/${token}/`, sourceIp }),
  show: () => stack.call('sessions/show-page', { path: '/sign-in/invented/', sourceIp }),
});
const sixty = (send: () => Promise<TestResponse>) => Promise.all(Array.from({ length: 60 }, send));
const statuses = (answers: readonly TestResponse[]) => [...new Set(answers.map(({ status }) => status))].sort();

it('an address that has sent fifty dead links is refused, others are not', async () => {
  const email = newAddress();
  await inviteAndMail(email);
  const [stranger, invited] = [from('192.0.2.1'), from('192.0.2.2')];
  expect(statuses(await sixty(() => stranger.open(invented)))).toEqual([404, 429]);
  expect(statuses(await sixty(() => stranger.show()))).toEqual([404, 429]);
  expect((await stranger.open(invented)).headers['retry-after']).toBeDefined();
  expect((await invited.open(await tokenFor(email))).status).toBe(200);
});
