/** The messages of a notice: who gets a mail, when a mail waits or returns to the queue, and when it is dropped. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../../shared/aws/mail.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { NoticeMessage } from '../../shared/webhooks/notice.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { bookshop, failingWebhook } from '../support/notice.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, {
  ...aws.environment,
  SETTINGS: settingsText(),
  BASE_URL: 'https://desk.owl.example.org/ghost/api',
});
const { staffKey } = await import('../../shared/accounts/staff-store.ts');
const { limitKey } = await import('../../shared/limits/store.ts');
const { noticeMessage, notifyOwners } = await import('../../shared/webhooks/notice.ts');
const { webhookKey } = await import('../../shared/webhooks/table-keys.ts');

const memberOf = (role: string): StaffMember => ({
  id: role.toLowerCase() as StaffId,
  name: role,
  email: `${role.toLowerCase()}@owl.example.org`,
  role,
  created_at: '2026-11-21T09:24:00.000Z',
});
const owner = memberOf('Owner');
const staff = ['Owner', 'Administrator', 'Editor', 'Author', 'Contributor'].map(memberOf);
const now = Date.parse('2026-11-21T10:00:00Z');

interface World {
  readonly webhook?: Webhook | undefined;
  /** Undefined means that the integration was deleted. */
  readonly contact?: string | null | undefined;
  readonly turns?: readonly number[];
  /** How long to wait until a turn may be free. */
  readonly waitMs?: number;
  readonly outcome?: MailOutcome['kind'];
  /** Whether the webhook and its integration have caused too many notices already. */
  readonly isTooMany?: boolean;
}

/** Processes a message in this world and returns the steps in their order. */
const given = async (message: Partial<NoticeMessage>, world: World = {}): Promise<string[]> => {
  const { turns = [now], waitMs = 0, outcome = 'accepted' } = world;
  const contact = 'contact' in world ? world.contact : null;
  const webhook = 'webhook' in world ? world.webhook : failingWebhook();
  const steps: string[] = [];
  for (const member of staff) aws.put(staffKey(member.id), member);
  const { id, integration_id } = failingWebhook();
  if (webhook === undefined) aws.erase(webhookKey(id));
  else aws.put(webhookKey(id), webhook);
  if (world.isTooMany) aws.put(limitKey(`notices of ${id}`), { taken: [{ at: now, count: 3 }], version: 1 });
  await notifyOwners(
    {
      takeTurns: async (wanted, at, horizonMs) => {
        expect([wanted, at, horizonMs]).toEqual([1, now, 2000]);
        return { turns, state: undefined, waitMs };
      },
      sendMail: async ({ to, subject }: Mail) => {
        steps.push(`mail ${to}: ${subject}`);
        return outcome === 'accepted' ? { kind: outcome, messageId: '1' } : { kind: outcome, reason: 'a test' };
      },
      wait: async (ms) => void steps.push(`wait ${ms} ms`),
      clock: () => now,
    },
    async (integration) => {
      expect(integration).toBe(integration_id);
      return contact === undefined ? undefined : { ...bookshop, contact_email: contact };
    },
    v.parse(noticeMessage, { webhook_id: id, notice: 'failing', ...message }),
  );
  for (const { body, delaySeconds = 0 } of aws.sent()) {
    const { notice, to } = v.parse(noticeMessage, body);
    steps.push(`queue ${to?.recipient} about ${notice} after ${to?.waits} waits in ${delaySeconds} s`);
  }
  return steps;
};

const mailTo = (address: string): string => `mail ${address}: A webhook is failing: post.published`;
const to = { recipient: owner.id, waits: 0 } as const;

describe('the first message of a notice', () => {
  const queued = (recipient: string): string => `queue ${recipient} about failing after 0 waits in 0 s`;

  it('becomes one message for each Owner, each Administrator and the contact', async () => {
    const steps = await given({}, { contact: 'contact@shop.example' });
    expect(steps).toEqual([queued('administrator'), queued('owner'), queued('contact')]);
  });

  it('creates one message if the contact has the address of an Owner, in any case', async () => {
    const steps = await given({}, { contact: 'OWNER@owl.example.org' });
    expect(steps).toEqual([queued('administrator'), queued('owner')]);
  });

  it('also creates a message for a contact who is an Editor', async () => {
    expect(await given({}, { contact: 'editor@owl.example.org' })).toContain(queued('contact'));
  });

  it('creates no message for a contact if the integration was deleted', async () => {
    expect(await given({}, { contact: undefined })).toEqual([queued('administrator'), queued('owner')]);
  });

  it('creates no message beyond the limit of notices', async () => {
    expect(await given({}, { isTooMany: true })).toEqual([]);
  });

  it('does nothing if the webhook has recovered or was deleted', async () => {
    const { failing_since: _, ...recovered } = failingWebhook();
    expect(await given({}, { webhook: recovered })).toEqual([]);
    expect(await given({}, { webhook: undefined })).toEqual([]);
    expect(await given({ to }, { webhook: undefined })).toEqual([]);
  });
});

describe('the message to one recipient', () => {
  it('is mailed at its turn', async () => {
    expect(await given({ to }, { turns: [now + 700] })).toEqual(['wait 700 ms', mailTo(owner.email)]);
    expect(await given({ to }, { turns: [now - 5] })).toEqual(['wait 0 ms', mailTo(owner.email)]);
  });

  it('is mailed to the contact if it names the contact', async () => {
    const steps = await given({ to: { ...to, recipient: 'contact' } }, { contact: 'contact@shop.example' });
    expect(steps).toContain(mailTo('contact@shop.example'));
  });

  it.each([
    ['a member who has left', 'gone', null],
    ['a contact that was removed', 'contact', null],
    ['the contact of an integration that was deleted', 'contact', undefined],
  ])('is dropped if the recipient is %s', async (_, recipient, contact) => {
    expect(await given({ to: { ...to, recipient } }, { contact })).toEqual([]);
  });

  it.each([
    ['failing', 'has recovered', { failing_since: undefined }],
    ['disabled', 'is available again', { status: 'available' }],
    ['declined', 'is available again', { status: 'available' }],
  ] as const)('about a webhook that is %s is dropped if it %s', async (notice, _, changes) => {
    const { failing_since, ...rest } = failingWebhook();
    const webhook = 'failing_since' in changes ? rest : { ...rest, failing_since, ...changes };
    expect(await given({ notice, to }, { webhook: webhook as Webhook })).toEqual([]);
  });

  it('is mailed about a disabled webhook even if no attempt has failed', async () => {
    const { failing_since: _, ...webhook } = failingWebhook({ status: 'disabled' });
    expect(await given({ notice: 'declined', to }, { webhook })).toContain(
      `mail ${owner.email}: A webhook was disabled by its receiver: post.published`,
    );
  });

  it.each(['throttled', 'refused'] as const)('returns to the queue if its mail is %s', async (outcome) => {
    expect(await given({ to }, { outcome })).toEqual([
      'wait 0 ms',
      mailTo(owner.email),
      'queue owner about failing after 1 waits in 30 s',
    ]);
  });

  it.each(['accepted', 'rejected', 'unknown'] as const)('is done if the outcome of its mail is %s', async (outcome) => {
    expect(await given({ to }, { outcome })).toEqual(['wait 0 ms', mailTo(owner.email)]);
  });

  it('goes back to the queue if no turn is free; the delay doubles each time, up to 15 minutes', async () => {
    const delays = [];
    for (const waits of [0, 1, 2, 3, 4, 5, 6, 199])
      delays.push(
        ...(await given({ to: { ...to, waits } }, { turns: [] })).map((step) => / in (\d+) s$/.exec(step)?.[1]),
      );
    expect(delays).toEqual(['30', '60', '120', '240', '480', '900', '900', '900']);
  });

  it('returns to the queue until the next turn, in whole seconds, at most 15 minutes', async () => {
    const queued = (seconds: number) => [`queue owner about failing after 1 waits in ${seconds} s`];
    expect(await given({ to }, { turns: [], waitMs: 40_200 })).toEqual(queued(41));
    expect(await given({ to }, { turns: [], waitMs: 86_400_000 })).toEqual(queued(900));
  });

  it('is dropped after it has gone back to the queue 200 times', async () => {
    expect(await given({ to: { ...to, waits: 200 } }, { turns: [] })).toEqual([]);
  });
});
