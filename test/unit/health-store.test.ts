/** The health of a webhook in its record: what is written after attempts, in races, and at a receiver's request. */
import { beforeEach, describe, expect, it, vi } from 'vitest';
import type { Finding } from '../../shared/webhooks/health-store.ts';
import { guardKey, pointerKey, subscriberKey, webhookKey } from '../../shared/webhooks/table-keys.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { claimProbe, noteFindings, noteLate } = await import('../../shared/webhooks/health-store.ts');

const second = 1000;
const minute = 60 * second;
const now = Date.parse('2026-11-26T10:20:00.000Z');
const iso = (ms: number): string => new Date(ms).toISOString();
const disableAfterDays = 30;

beforeEach(() => {
  vi.spyOn(Math, 'random').mockReturnValue(0.5);
});

const { failing_since: _since, ...base } = failingWebhook({ last_triggered_status: '200', last_triggered_error: null });
const healthy: Webhook = base;
const failing = failingWebhook();
const key = webhookKey(healthy.id);

const given = (webhook: Webhook): Webhook => {
  aws.put(key, webhook);
  aws.put(subscriberKey(webhook.event, webhook.id), { webhook_id: webhook.id });
  aws.put(guardKey(webhook), { webhook_id: webhook.id });
  aws.put(pointerKey(webhook.integration_id, webhook.id), { webhook_id: webhook.id });
  return webhook;
};
const record = () => aws.read(key);
const writes = () => aws.requests('UpdateCommand');
const transactions = () => aws.requests('TransactWriteCommand').map(({ TransactItems }) => TransactItems);
/** The entries of the audit log, each with the number of writes in its transaction. */
const entries = () =>
  transactions().flatMap((items) =>
    items.flatMap(({ Put }: { Put?: { Item: { pk: string } } }) =>
      Put?.Item.pk.startsWith('AUDIT#') ? [{ ...Put.Item, writes: items.length }] : [],
    ),
  );
const masthead = { type: 'masthead', id: null, name: null };
const target = {
  type: 'webhook',
  id: healthy.id,
  name: healthy.name,
  integration: { id: healthy.integration_id, name: null },
};

const observed = { hung: false, wasLate: false, pauseMs: 0, isProbe: false };
const success: Finding = {
  observation: { ...observed, outcome: 'answered' },
  outcome: { ok: true, at: now, status: '200', error: null },
};
const failure: Finding = {
  observation: { ...observed, outcome: 'failed' },
  outcome: { ok: false, at: now, status: '500', error: 'status' },
};
const note = (webhook: Webhook, ...findings: Finding[]) => noteFindings(webhook, findings, disableAfterDays, now);
const quiet = { hasOpened: false };
/** What was sent about the webhook: events by their names, and notices to its owners. */
const reports = () =>
  aws.sent().map(({ body }) => {
    const { event, payload, notice } = body as { event?: string; payload?: Reported; notice?: string };
    return event === undefined ? `notice: ${notice}` : `${event}: ${payload?.webhook.current.reason}`;
  });
interface Reported {
  readonly webhook: { readonly current: { readonly reason: string | null } };
}

describe('the results of attempts', () => {
  it('are not written after a success that changes nothing', async () => {
    given(healthy);
    expect(await note({ ...healthy, last_triggered_at: iso(now - minute) }, success)).toEqual({
      ...quiet,
      webhook: { ...healthy, last_triggered_at: iso(now - minute) },
    });
    expect(writes()).toEqual([]);
  });

  it('update the last trigger, but no health, after a success on another day', async () => {
    const webhook = given({ ...healthy, last_triggered_at: iso(now - 25 * 60 * minute) });
    await note(webhook, success);
    const { changed_by: _, ...after } = record();
    expect(after).toEqual({ ...webhook, last_triggered_at: iso(now) });
  });

  it('change only the health if they come from a ping', async () => {
    given(healthy);
    await note(healthy, { observation: { ...observed, outcome: 'failed' } });
    expect(record()).toMatchObject({ last_triggered_status: '200', health: { failures: 1 } });
    expect(record()).not.toHaveProperty('failing_since');
  });

  it('change no health if the target is forbidden', async () => {
    given(healthy);
    await note(healthy, { outcome: { ok: false, at: now, status: null, error: 'blocked' } });
    expect(record()).toMatchObject({ failing_since: iso(now), last_triggered_error: 'blocked' });
    expect(record()).not.toHaveProperty('health');
    expect(record()).not.toHaveProperty('health_revision');
  });

  it('do not extend an open circuit breaker if the attempt began before it opened', async () => {
    const health = { openings: 1, open_until: now + 5 * second };
    const webhook = given({ ...failing, last_triggered_at: iso(now - 2 * minute), health, health_revision: 'one' });
    expect((await note(webhook, failure)).hasOpened).toBe(false);
    expect(record().health).toEqual(health);
  });

  it('remove a health record that says nothing any more', async () => {
    const webhook = given({ ...healthy, health: { failures: 2 }, health_revision: 'one' });
    await note({ ...webhook, last_triggered_at: iso(now - minute) }, success);
    expect(record()).not.toHaveProperty('health');
    expect(record()).not.toHaveProperty('health_revision');
  });

  it('remove the health revision of a webhook that no longer has a health record', async () => {
    const webhook = given({ ...healthy, last_triggered_at: iso(now - 25 * 60 * minute), health_revision: 'one' });
    await note(webhook, success);
    expect(record()).not.toHaveProperty('health_revision');
  });

  it('are not written if the health stays the same', async () => {
    const health = { slow_until: now + 1, slowings: 1 };
    const webhook = given({ ...healthy, last_triggered_at: iso(now - minute), health, health_revision: 'one' });
    await note(webhook, success);
    expect(writes()).toEqual([]);
  });

  it('end the failures if one of several attempts succeeds, because the receiver works', async () => {
    given(failing);
    await note(failing, failure, success, failure);
    expect(record()).toMatchObject({ last_triggered_status: '200' });
    expect(record()).not.toHaveProperty('failing_since');
  });

  it('set the last trigger to the latest of several failures', async () => {
    given(healthy);
    const last = { ...failure, outcome: { ok: false, at: now + 1, status: '503', error: 'status' } };
    await note(healthy, failure, last, { observation: { ...observed, outcome: 'failed' } });
    expect(record()).toMatchObject({ last_triggered_at: iso(now + 1), last_triggered_status: '503' });
  });

  it('are added to what a concurrent function has just recorded', async () => {
    given(healthy);
    const rival = { ...failing, health: { failures: 3 }, health_revision: 'other' };
    aws.before('UpdateCommand', () => aws.put(key, rival), 1);
    const noted = await note(healthy, failure);
    expect(noted.webhook.health).toEqual({ failures: 4 });
    expect(record()).toMatchObject({ health: { failures: 4 }, failing_since: failing.failing_since });
  });

  it.each([
    ['status', 'disabled'],
    ['health_revision', 'other'],
    ['failing_since', iso(now - minute)],
    ['warned_at', iso(now - minute)],
  ])('are evaluated again if a concurrent write has changed `%s`', async (attribute, value) => {
    given(healthy);
    aws.before('UpdateCommand', () => aws.change(key, { [attribute]: value }), 1);
    await note(healthy, failure);
    expect(writes()).toHaveLength(2);
    expect(record()).toMatchObject({ health: { failures: 1 } });
  });

  it('count once even if the answer to their write is lost', async () => {
    given(healthy);
    aws.loseAnswerOf('UpdateCommand');
    const noted = await note(healthy, failure, failure, failure, failure, failure);
    expect(noted).toMatchObject({ hasOpened: true, webhook: record() });
    expect(record().health).toMatchObject({ openings: 1 });
  });

  it('do not create the record of a deleted webhook again', async () => {
    expect(await note(healthy, failure)).toEqual({ ...quiet, webhook: healthy });
    expect(record()).toBeUndefined();
    expect(writes()).toHaveLength(1);
  });

  it('are ignored if the webhook now has another target URL', async () => {
    const moved = given({ ...healthy, target_url: 'https://new.bookshop.example/' });
    expect(await note(healthy, failure)).toEqual({ ...quiet, webhook: healthy });
    expect(record()).toEqual(moved);
    expect(writes()).toHaveLength(1);
  });

  it('cause an error after twenty lost races', async () => {
    given(healthy);
    let revision = 0;
    aws.before('UpdateCommand', () => aws.change(key, { health_revision: `other ${revision++}` }));
    await expect(note(healthy, failure)).rejects.toThrow('the health of the webhook');
    expect(writes()).toHaveLength(20);
  });
});

describe('a webhook that keeps failing', () => {
  it('is disabled after 30 days, in one transaction with its entry in the audit log', async () => {
    const webhook = given({
      ...failing,
      failing_since: iso(now - 31 * 24 * 60 * minute),
      warned_at: iso(now - minute),
    });
    const noted = await note(webhook, failure);
    expect(noted).toMatchObject({ webhook: { status: 'disabled' } });
    expect(record()).toMatchObject({ status: 'disabled', disabled_for: 'failing' });
    expect(reports()).toEqual(['webhook.disabled: failing', 'notice: disabled']);
    expect(entries()).toMatchObject([
      {
        actor: masthead,
        action: 'webhook.disabled',
        target,
        changes: {
          status: { from: 'available', to: 'disabled' },
          disabled_for: { from: null, to: 'failing' },
          last_triggered_status: { from: '503', to: '500' },
        },
      },
    ]);
  });

  it('is not disabled a second time if its owner has just disabled it', async () => {
    const webhook = given({
      ...failing,
      failing_since: iso(now - 31 * 24 * 60 * minute),
      warned_at: iso(now - minute),
    });
    aws.before('TransactWriteCommand', () => aws.change(key, { status: 'disabled', disabled_for: 'request' }), 1);
    await note(webhook, failure);
    expect(record()).toMatchObject({ status: 'disabled', disabled_for: 'request' });
    expect(transactions()).toHaveLength(1);
  });

  it('is disabled once even if the answer to the write is lost', async () => {
    const webhook = given({
      ...failing,
      failing_since: iso(now - 31 * 24 * 60 * minute),
      warned_at: iso(now - minute),
    });
    aws.fail('TransactWriteCommand', { after: true });
    await note(webhook, failure);
    expect(entries()).toHaveLength(1);
    expect(reports()).toEqual(['webhook.disabled: failing', 'notice: disabled']);
  });
});

describe('what waits for a webhook', () => {
  const open = { openings: 1, open_until: now - second } as const;
  const answer: Finding = { observation: { ...observed, outcome: 'answered' } };
  const delivered: Finding = { ...success, hasSucceeded: true };
  const waiting: Webhook = {
    ...healthy,
    health: open,
    health_revision: 'one',
    backlog: true,
    due_at: iso(now + minute),
  };
  const begun = { releasing: iso(now), due: expect.any(String), due_at: iso(now + 5 * minute) };
  const releasing: Webhook = {
    ...healthy,
    backlog: true,
    releasing: iso(now - minute),
    due_at: iso(now + 5 * minute),
  };

  it('is due when its circuit breaker may half-open, and for the sweep a minute later', async () => {
    given(healthy);
    expect((await note(healthy, failure, failure, failure, failure, failure)).lookAt).toBe(now + 5 * second);
    expect(record()).toMatchObject({ health: { openings: 1 }, due_at: iso(now + 5 * second + minute) });
    expect(writes().filter(({ Key }) => Key.sk === key.sk)).toHaveLength(1);
  });

  it('is released by a success, whatever triggered it', async () => {
    given(waiting);
    expect((await note(waiting, { ...answer, hasSucceeded: true })).lookAt).toBe(now);
    expect(record()).toMatchObject(begun);
    expect(writes()).toHaveLength(1);
  });

  it('is released by the first success after an answer that closed the circuit breaker, and only once', async () => {
    given(waiting);
    const { webhook, lookAt } = await note(waiting, answer);
    expect([lookAt, record().health, record().releasing]).toEqual([undefined, undefined, undefined]);
    const later = await note(webhook, delivered);
    expect(later.lookAt).toBe(now);
    expect(record()).toMatchObject(begun);
    // Another environment has read the record before.
    expect((await noteFindings(webhook, [delivered], disableAfterDays, now + 1)).lookAt).toBeUndefined();
    expect((await note(later.webhook, delivered)).lookAt).toBeUndefined();
  });

  it.each([
    ['with a health record afterwards', { ...open, lane: 'slow', slow_since: now }],
    ['without one', open],
  ] as const)('is released if the answer to the write is lost (%s)', async (_, health) => {
    const webhook = given({ ...waiting, health });
    aws.loseAnswerOf('UpdateCommand');
    expect((await note(webhook, delivered)).lookAt).toBe(now);
  });

  it('is released if the write was carried out, but ends without an answer', async () => {
    given(waiting);
    aws.fail('UpdateCommand', { after: true });
    expect((await note(waiting, delivered)).lookAt).toBe(now);
    expect(record()).toMatchObject(begun);
  });

  it('is not released while the webhook is disabled', async () => {
    const webhook = given({ ...waiting, status: 'disabled' });
    expect((await note(webhook, delivered)).lookAt).toBeUndefined();
    expect(record()).not.toHaveProperty('releasing');
  });

  it('is no longer released once the circuit breaker opens again', async () => {
    given(releasing);
    await note(releasing, failure, failure, failure, failure, failure);
    expect(record()).toMatchObject({ health: { openings: 1 }, due_at: iso(now + 5 * second + minute) });
    expect(record()).not.toHaveProperty('releasing');
  });

  it('is no longer released, and soon held, once the receiver disables the webhook', async () => {
    given(releasing);
    expect((await note(releasing, { ...delivered, declined: '410 gone' })).lookAt).toBe(now);
    expect(record()).toMatchObject({ status: 'disabled', due_at: iso(now + minute) });
    expect(record()).not.toHaveProperty('releasing');
  });

  it('stays due after a success that ends the failures', async () => {
    const webhook = given({ ...failing, releasing: iso(now - minute), due_at: iso(now) });
    aws.change(key, { due: 'DUE#1' });
    await note(webhook, delivered);
    expect(record()).toMatchObject({ releasing: iso(now - minute), due: 'DUE#1', due_at: iso(now) });
  });
});

describe("a request in the receiver's response", () => {
  const disable: Finding = { ...success, declined: '410 gone' };

  it('to disable the webhook is carried out even if its event has changed since', async () => {
    given({ ...healthy, event: 'post.added' });
    await note(healthy, disable);
    expect(record()).toMatchObject({ status: 'disabled', disabled_for: 'receiver' });
  });

  it('to disable the webhook changes nothing if it is already disabled', async () => {
    const webhook = given({ ...healthy, status: 'disabled', last_triggered_at: iso(now - minute) });
    expect(await note(webhook, disable)).toMatchObject(quiet);
    expect(record()).toEqual(webhook);
  });
});

describe('a successful ping', () => {
  const proof = { ok: true, at: now, status: '204', error: null };
  const alive: Finding = { observation: { ...observed, outcome: 'answered' }, proof };

  it('ends the failures together with a successful event in the same batch', async () => {
    given(failing);
    await note(failing, alive, success);
    expect(reports()).toEqual([]);
    expect(record()).toMatchObject({ status: 'available', last_triggered_status: '200' });
    expect(record()).not.toHaveProperty('failing_since');
  });

  it('ends the failures without any other delivery', async () => {
    given(failing);
    await note(failing, alive);
    expect(record()).not.toHaveProperty('failing_since');
    expect(record()).toMatchObject({
      last_triggered_at: iso(now),
      last_triggered_status: '204',
      last_triggered_error: null,
    });
  });

  it('replaces the failure that is still recorded after a change of the target URL', async () => {
    const webhook = given({ ...healthy, last_triggered_status: '500', last_triggered_error: 'status' });
    await note(webhook, alive);
    expect(record()).toMatchObject({ last_triggered_status: '204', last_triggered_error: null });
  });

  it('enables a webhook that was disabled on request', async () => {
    const webhook = given({ ...healthy, status: 'disabled' });
    await note(webhook, alive);
    expect(record()).toMatchObject({ status: 'available' });
  });

  it('is the only success that enables a webhook: a successful delivery of an event does not', async () => {
    const webhook = given({ ...healthy, status: 'disabled', last_triggered_at: iso(now - minute) });
    await note(webhook, success);
    expect(record()).toMatchObject({ status: 'disabled' });
  });
});

describe('an attempt that has no answer at the soft deadline', () => {
  it('moves its webhook to the slow lane', async () => {
    given({ ...healthy, health: { failures: 1 }, health_revision: 'one' });
    const after = await noteLate({ ...healthy, health: { failures: 1 }, health_revision: 'one' }, now, now + 9);
    expect(record().health).toEqual({ failures: 1, slowings: 1, slow_until: now + minute, probe_until: now + 9 });
    expect(after).toMatchObject(record());
  });

  it('changes nothing if its webhook is already in the slow lane', async () => {
    const webhook = given({ ...healthy, health: { slow_until: now + 1, slowings: 1 } });
    expect(await noteLate(webhook, now, now + 9)).toEqual(webhook);
    expect(writes()).toEqual([]);
  });
});

describe('a probe', () => {
  const until = now + 15 * second;
  const broken: Webhook = {
    ...failing,
    health: { openings: 2, open_until: now - second },
    health_revision: 'one',
  };

  it('can be claimed by only one function', async () => {
    given(broken);
    const claimed = await claimProbe(broken, until);
    expect(claimed?.health).toEqual({ ...broken.health, probe_until: until });
    expect(record().health).toEqual(claimed?.health);
    expect(await claimProbe(broken, until)).toBeUndefined();
  });

  it('is claimed even if the answer to the write is lost', async () => {
    given(broken);
    aws.loseAnswerOf('UpdateCommand');
    expect((await claimProbe(broken, until))?.health).toMatchObject({ probe_until: until });
  });

  it('cannot be claimed for a deleted webhook', async () => {
    expect(await claimProbe(broken, until)).toBeUndefined();
  });
});
