/** The messages of a notice: who gets a mail, when it waits or returns to the queue, and when it is dropped. */
import * as v from 'valibot';
import { describe, expect, it } from 'vitest';
import type { StaffMember } from '../../shared/accounts/staff-member.ts';
import type { Mail, MailOutcome } from '../../shared/aws/mail.ts';
import type { StaffId } from '../../shared/foundation/ids.ts';
import type { NoticeMessage } from '../../shared/webhooks/notice.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { failingWebhook } from '../support/notice.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, {
  ...aws.environment,
  SETTINGS: settingsText(),
  BASE_URL: 'https://desk.owl.example.org/ghost/api',
});
const { staffKey } = await import('../../shared/accounts/staff-store.ts');
const { notifyOwners } = await import('../../shared/incidents/notify.ts');
const { noticeMessage } = await import('../../shared/webhooks/notice.ts');
const { pointerKey, webhookKey } = await import('../../shared/webhooks/table-keys.ts');

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
  readonly member?: Partial<StaffMember>;
  /** What was told before is known. */
  readonly isContinued?: true;
}

const given = async (message: Partial<NoticeMessage>, world: World = {}): Promise<string[]> => {
  if (!world.isContinued) aws.clear();
  const { turns = [now], waitMs = 0, outcome = 'accepted' } = world;
  const contact_email = 'contact' in world ? world.contact : null;
  const webhook = 'webhook' in world ? world.webhook : failingWebhook();
  const steps: string[] = [];
  for (const member of staff) aws.put(staffKey(member.id), { ...member, ...world.member });
  const { id, integration_id } = failingWebhook();
  if (webhook !== undefined) {
    aws.put(webhookKey(id), webhook);
    aws.put(pointerKey(integration_id, id), { webhook_id: id });
  }
  if (contact_email !== undefined) {
    aws.put({ pk: 'INTEGRATIONS', sk: `INTEGRATION#${integration_id}` }, { id: integration_id });
    aws.put(
      { pk: `INTEGRATION#${integration_id}`, sk: 'INTEGRATION' },
      { id: integration_id, name: 'Bookshop', contact_email, confirmed_contact: contact_email },
    );
  }
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
    v.parse(noticeMessage, { webhook_id: id, notice: 'failing', at: failingWebhook().failing_since, ...message }),
  );
  for (const { body, delaySeconds = 0 } of aws.sent()) {
    const { notice, to } = v.parse(noticeMessage, body);
    steps.push(`queue ${to?.recipient} about ${notice} after ${to?.waits} waits in ${delaySeconds} s`);
  }
  return steps;
};

const mailTo = (address: string): string => `mail ${address}: New posts is failing: unreachable`;
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

  it('creates no message for a member who is suspended, or whose address is not verified', async () => {
    expect(await given({}, { member: { status: 'inactive' } })).toEqual([]);
    expect(await given({}, { member: { unverified: true } })).toEqual([]);
  });

  it('does nothing if the webhook has recovered or was deleted', async () => {
    const { failing_since: _, ...recovered } = failingWebhook({ last_triggered_error: null });
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

  it('is mailed about twenty incidents of an integration a day, however many hosts fail', async () => {
    const steps: string[] = [];
    for (let number = 1; number <= 21; number++) {
      const webhook = failingWebhook({ target_url: `https://host${number}.example/hook` });
      steps.push(...(await given({ to }, { webhook, isContinued: true })));
    }
    expect(steps.filter((step) => step.startsWith('mail'))).toHaveLength(20);
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
    ['has recovered', { last_triggered_status: '200', last_triggered_error: null }],
    ['was disabled by somebody', { status: 'disabled', disabled_for: 'staff' }],
  ] as const)('about a webhook that %s meanwhile is dropped', async (_, changes) => {
    const { failing_since: __, ...rest } = failingWebhook();
    expect(await given({ to }, { webhook: { ...rest, ...changes } })).toEqual([]);
  });

  it('about a webhook that works again is dropped if it fails by now, or if nothing was told', async () => {
    expect(await given({ notice: 'recovered', to })).toEqual([]);
    const { failing_since: _, ...rest } = failingWebhook({ last_triggered_error: null });
    expect(await given({ notice: 'recovered', to }, { webhook: rest })).toEqual([]);
  });

  it('is mailed about a webhook that its receiver has declined, although no attempt has failed', async () => {
    const { failing_since: _, ...webhook } = failingWebhook({
      status: 'disabled',
      disabled_for: 'receiver',
      declined_at: '2026-11-21T09:30:00.000Z',
      declined_with: '200',
      last_triggered_error: null,
    });
    expect(await given({ notice: 'declined', to }, { webhook })).toContain(
      `mail ${owner.email}: New posts is disabled: target gone`,
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
