/**
 * The delivery engine in the simulated world: the functions as they are, on a table, queues, receivers and a clock that are not
 * real. Whoever uses it replaces some modules first: see `replacements.ts`.
 */

import type { StaffMember } from '../../../shared/accounts/staff-member.ts';
import type { Mail } from '../../../shared/aws/mail.ts';
import type { WebhookId } from '../../../shared/foundation/ids.ts';
import type { Webhook } from '../../../shared/webhooks/webhook.ts';
import { counted, goodWeather, weather } from './call.ts';
import { clear, client, nextDue, observer } from './dynamodb.ts';
import { fate, goodFate, invoke, readQueue, runs } from './lambda.ts';
import { arrivals } from './receivers.ts';
import { clearQueues, put, queueNamed } from './sqs.ts';
import { world } from './world.ts';

const minute = 60_000;

/** Starts the engine in the present world; `settings` as in the environment variable `SETTINGS`. */
export async function startEngine(settings: object): Promise<void> {
  clear();
  clearQueues();
  arrivals.clear();
  Object.assign(weather, goodWeather);
  Object.assign(fate, goodFate);
  Object.assign(counted, { calls: 0, throttled: 0, partlyTaken: 0 });
  Object.assign(runs, { begun: 0, killed: 0, doubled: 0 });
  Object.assign(process.env, {
    TABLE_NAME: 'simulated',
    BASE_URL: 'http://localhost/ghost/api',
    SETTINGS: JSON.stringify(settings),
    QUEUE_URL_EVENTS: 'events',
    QUEUE_URL_DELIVERIES: 'deliveries',
    QUEUE_URL_SLOW_DELIVERIES: 'slow-deliveries',
    QUEUE_URL_MAIL: 'mail',
  });
  const [fanOut, deliver, sweep] = await Promise.all([
    import('../../../functions/deliveries/fan-out.ts'),
    import('../../../functions/deliveries/deliver.ts'),
    import('../../../functions/due/sweep.ts'),
  ]);
  const as = (handler: unknown) => handler as (event: object, context: object) => Promise<unknown>;
  readQueue('events', 'deliveries/fan-out', as(fanOut.handler), 4);
  readQueue('deliveries', 'deliveries/deliver', as(deliver.handler), 4);
  readQueue('slow-deliveries', 'deliveries/deliver', as(deliver.handler), 4);
  sweepEveryMinute(as(sweep.handler));
  mails.length = 0;
  readQueue('mail', 'mail/send', await mailer(), 2);
}

/** What was mailed. */
export const mails: Mail[] = [];

/** Mails the notices about webhooks at once, to the one Owner that there is. */
async function mailer(): Promise<(event: object) => Promise<object>> {
  const [{ notifyOwners }, { forgetNotice }, { webhookStore }, { send }, { baseUrl, settings }] = await Promise.all([
    import('../../../shared/webhooks/notice.ts'),
    import('../../../shared/webhooks/health-store.ts'),
    import('../../../shared/webhooks/store.ts'),
    import('../../../shared/aws/queues.ts'),
    import('../../../shared/foundation/environment.ts'),
  ]);
  const owner = { id: '0'.repeat(24), name: 'Olive', email: 'olive@example.com', role: 'Owner', created_at: '' };
  const ports: Parameters<typeof notifyOwners>[0] = {
    readWebhook: webhookStore.read,
    readIntegration: async () => undefined,
    listStaffMembers: async () => [owner as StaffMember],
    readStaffMember: async () => owner as StaffMember,
    forgetNotice,
    sendLater: (messages, delaySeconds) =>
      send(
        'mail',
        messages.map((body) => ({ body, delaySeconds })),
      ),
    takeTurns: async (_wanted, now) => ({ turns: [now], state: undefined, waitMs: 0 }),
    sendMail: async (mail) => {
      mails.push(mail);
      return { kind: 'taken', messageId: '' };
    },
    wait: async () => {},
    clock: () => world().now,
    stage: { ...settings(), baseUrl: baseUrl() },
  };
  return async (event) => {
    for (const { body } of (event as { Records: { body: string }[] }).Records)
      await notifyOwners(ports, JSON.parse(body));
    return { batchItemFailures: [] };
  };
}

/** Every minute, but not where there is surely nothing to find. */
function sweepEveryMinute(handler: (event: object, context: object) => Promise<unknown>): void {
  let planned = Number.POSITIVE_INFINITY;
  const plan = (due: number | undefined) => {
    if (due === undefined) return;
    const at = Math.ceil(Math.max(due, world().now + 1) / minute) * minute;
    if (at >= planned) return;
    planned = at;
    world().after(at - world().now, () => {
      if (planned !== at) return;
      planned = Number.POSITIVE_INFINITY;
      void invoke('due/sweep', handler, {})
        .catch(() => undefined)
        .then(() => plan(nextDue()));
    });
  };
  observer.onWrite = (item) => {
    if (typeof item.due_at === 'string') plan(Date.parse(item.due_at));
  };
}

let hooks = 0;
/** Puts a webhook with its subscription into the table, past the API. */
export async function addWebhook(event: string, target_url: string): Promise<Webhook> {
  hooks++;
  const { guardKey, subscriberKey, webhookKey } = await import('../../../shared/webhooks/table-keys.ts');
  const { PutCommand } = await import('@aws-sdk/lib-dynamodb');
  const at = new Date(world().now).toISOString();
  const webhook: Webhook = {
    id: hooks.toString(16).padStart(24, '0') as WebhookId,
    event,
    target_url,
    name: null,
    secret: 'secret',
    api_version: 'v6.0',
    integration_id: '0'.repeat(24) as Webhook['integration_id'],
    status: 'available',
    last_triggered_at: null,
    last_triggered_status: null,
    last_triggered_error: null,
    created_at: at,
    updated_at: at,
  };
  const subscriber = { webhook_id: webhook.id, receiver: new URL(target_url).origin };
  for (const Item of [
    { ...webhookKey(webhook.id), ...webhook },
    { ...guardKey(webhook), webhook_id: webhook.id },
    { ...subscriberKey(event, webhook.id), ...subscriber },
  ])
    await client.send(new PutCommand({ TableName: 'simulated', Item }) as never);
  return webhook;
}

/** Puts an event into the events queue, as `POST /admin/events/` does when it answers 202; gives its acceptance in epoch ms. */
export function publish(event: string, id: string): { readonly id: string; readonly acceptedAt: number } {
  const acceptedAt = world().now;
  const accepted_at = new Date(acceptedAt).toISOString();
  const payload = { [event.split('.')[0] ?? '']: { current: { id, title: 'Simulated' }, previous: {} } };
  put(
    queueNamed('events'),
    JSON.stringify({ kind: 'event', id, publisher: 'simulation', event, accepted_at, payload, owner: id }),
  );
  return { id, acceptedAt };
}
