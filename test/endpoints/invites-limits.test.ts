/** The limits on invites: 429 with Retry-After. */
import { describe, expect, it } from 'vitest';
import { defaultSettings } from '../support/default-settings.ts';
import { expectRefusal } from '../support/envelope.ts';
import { inviting, newAddress } from '../support/invites.ts';
import { freshStack } from '../support/parts.ts';

const stack = await freshStack({
  invites: { perCallerAndHour: 80, perIntegrationAndHour: 60, lookupsPerSourceAndMinute: 5 },
});
const keys = await stack.seed();
const { roles, invite, inviteOne } = await inviting(stack, keys);

const author = (email = newAddress()) => ({ email, role_id: roles.Author });
/** Invites an address with another role than the time before, because a repeated request mails nothing. */
const inviteAgain = (email: string, time: number, key?: string) =>
  invite([{ email, role_id: time % 2 === 0 ? roles.Contributor : roles.Author }], key);
const seconds = (header: string | undefined) => {
  expect(header).toMatch(/^\d+$/);
  return Number(header);
};
const tooMany = { status: 429, type: 'TooManyRequestsError' } as const;

describe('the limit on mails per inviter and invited address', () => {
  it('is five in ten minutes, and other inviters can still send', async () => {
    const email = newAddress();
    for (let time = 0; time < 5; time++) await inviteAgain(time % 2 === 0 ? email : email.toUpperCase(), time);
    const answer = await inviteAgain(email, 5);
    const error = expectRefusal(answer, { ...tooMany, property: 'email' });
    expect(error.details?.map(({ index, field }) => [index, field])).toEqual([[0, 'email']]);
    expect(seconds(answer.headers['retry-after'])).toBeGreaterThan(590);
    expect(seconds(answer.headers['retry-after'])).toBeLessThanOrEqual(600);
    for (const key of [keys.staff.Administrator, keys.otherIntegration])
      expect((await invite([author(email)], key)).status).toBe(201);
  });

  it('counts an integration as one inviter, whatever its key', async () => {
    const created = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'Refreshed' }] },
    });
    const [{ id, api_keys }] = created.body.integrations;
    const email = newAddress();
    for (let time = 0; time < 5; time++) await inviteAgain(email, time, api_keys[0].secret);
    const refreshed = await stack.call('integrations/refresh-key', {
      path: `/admin/integrations/${id}/api_key/${api_keys[0].id}/refresh/`,
      key: keys.owner,
    });
    const key = refreshed.body.integrations[0].api_keys[0].secret;
    expectRefusal(await inviteAgain(email, 5, key), { ...tooMany, property: 'email' });
  });

  it('counts resends', async () => {
    const { Administrator = '' } = keys.staff;
    const { id } = await inviteOne(newAddress(), Administrator);
    const resend = (key: string) => stack.call('invites/resend', { path: `/admin/invites/${id}/resend/`, key });
    for (let time = 0; time < 4; time++) expect((await resend(Administrator)).status).toBe(200);
    expectRefusal(await resend(Administrator), { ...tooMany, property: 'email' });
    expect((await resend(keys.owner)).status).toBe(200);
  });

  it('refuses the whole request because of one item, and does not count the other items', async () => {
    const { 'Super Editor': key = '' } = keys.staff;
    const [busy, quiet] = [newAddress(), newAddress()];
    for (let time = 0; time < 5; time++) await inviteAgain(busy, time, key);
    for (let time = 0; time < 6; time++) {
      const error = expectRefusal(await invite([author(quiet), author(busy)], key), tooMany);
      expect(error.details?.map(({ index }) => index)).toEqual([1]);
    }
    expect((await invite([author(quiet)], key)).status).toBe(201);
  });

  it('applies even if ten requests arrive at the same time', async () => {
    const email = newAddress();
    const item = { ...author(email), send_email: false };
    const answers = await Promise.all(Array.from({ length: 10 }, () => invite([item])));
    const statuses = answers.map(({ status }) => status).sort();
    expect(statuses).toEqual([...Array(5).fill(201), ...Array(5).fill(429)]);
  });
});

describe('the limit on invites per key', () => {
  it('applies per hour with 429, and another key still works', async () => {
    const fifty = await invite(
      Array.from({ length: 50 }, () => author()),
      keys.integration,
    );
    expect(fifty.status).toBe(201);
    const answer = await invite(
      Array.from({ length: 11 }, () => author()),
      keys.integration,
    );
    expectRefusal(answer, tooMany);
    expect(seconds(answer.headers['retry-after'])).toBeGreaterThan(3500);
    expect(
      (
        await invite(
          Array.from({ length: 10 }, () => author()),
          keys.integration,
        )
      ).status,
    ).toBe(201);
    expectRefusal(await invite([author()], keys.integration), tooMany);
    expect((await invite([author()], keys.otherIntegration)).status).toBe(201);
  });

  it('is higher for staff, because nobody may notice the loss of an integration’s key', async () => {
    const { Administrator = '' } = keys.staff;
    for (const count of [50, 15])
      expect(
        (
          await invite(
            Array.from({ length: count }, () => author()),
            Administrator,
          )
        ).status,
      ).toBe(201);
    const { invites } = defaultSettings;
    expect([invites.perCallerAndHour, invites.perIntegrationAndHour]).toEqual([1000, 100]);
  });

  it("counts refused items, such as a role that the caller cannot assign or a staff member's address", async () => {
    const integration = await stack.call('integrations/create', {
      path: '/admin/integrations/',
      key: keys.owner,
      body: { integrations: [{ name: 'Curious' }] },
    });
    const key = integration.body.integrations[0].api_keys[0].secret;
    const owner = author('owner@masthead.example');
    const thirty = (one: object) => [one, ...Array.from({ length: 29 }, () => author())];
    const higher = { email: newAddress(), role_id: roles.Administrator };
    expectRefusal(await invite(thirty(higher), key), { status: 403, type: 'NoPermissionError' });
    expect((await invite(thirty(owner), key)).body.errors[0].code).toBe('USER_ALREADY_REGISTERED');
    for (const one of [higher, owner, author()]) expectRefusal(await invite([one], key), tooMany);
  });
});

describe('requests without a key', () => {
  it('are limited per minute and IP address', async () => {
    const ask = () =>
      stack.call('invites/status', {
        path: `/admin/authentication/invitation/?email=${encodeURIComponent(newAddress())}`,
      });
    for (let time = 0; time < 5; time++) expect((await ask()).status).toBe(200);
    const answer = await ask();
    expectRefusal(answer, tooMany);
    expect(seconds(answer.headers['retry-after'])).toBeLessThanOrEqual(60);
  });
});
