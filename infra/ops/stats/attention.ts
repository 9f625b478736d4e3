/** What needs attention, each with the command that helps. */
import { day } from '../../../shared/foundation/clock.ts';
import { longestDeliveryDays } from '../../../shared/foundation/delivery-times.ts';
import type { Caller } from '../../command-line/client.ts';
import { collect, pages, RequestError, request } from '../api/request.ts';
import { read as answers, type Delivery, type Integration, type Stats, type Webhook } from '../api/resources.ts';
import { replayOfHeld } from '../commands/columns.ts';
import { shortName, webhooksByIntegration } from '../commands/find.ts';
import { listed } from '../deliveries/filter.ts';
import { adviceFor, incidentsAmong } from '../output/advice.ts';

const maxBounced = 100;

/** Returns what the receiver said if that is why the webhook is disabled. */
const whyDisabled = (declined: Webhook['declined']): string =>
  declined === undefined
    ? ''
    : `: its receiver answered "${declined.answer}", and it is deleted on ${declined.deletion_at.slice(0, 10)}`;

/** Returns how many deliveries wait. Enabling the webhook names the replay that sends them. */
const waitingText = async (caller: Caller, id: string): Promise<string> => {
  const { count, hasMore } = await countHeld(caller, id);
  return count === 1 && !hasMore ? '1 delivery waits' : `${count}${hasMore ? ' or more' : ''} deliveries wait`;
};

/** Returns a line each for dead letters, incidents, disabled or failing webhooks, held deliveries, bounced invites. */
export const needsAttention = async (caller: Caller, stats: Stats): Promise<readonly string[]> => {
  const lines = await deadLetters(caller, stats.dead_letters);
  const held = await readHeld(caller, stats);
  if (held === undefined)
    lines.push(
      `${stats.held} deliveries were held. The stage has too many webhooks to list these deliveries at once: ` +
        'npm run ops -- deliveries list --status held --webhook <webhook>',
    );
  const read: { readonly integration: Integration; readonly webhooks: readonly Webhook[] }[] = [];
  for await (const page of webhooksByIntegration(caller)) read.push(page);
  const incidents = incidentsAmong(read.flatMap(({ webhooks }) => webhooks));
  lines.push(
    ...incidents.map(
      ({ text, host }) =>
        `${text} npm run ops -- webhooks list --host ${host}, and when it works again: ` +
        `npm run ops -- recover --since 7d --host ${host}`,
    ),
  );
  const together = new Set(incidents.flatMap(({ webhooks }) => webhooks));
  for (const { integration, webhooks } of read)
    for (const webhook of webhooks.filter((one) => !together.has(one))) {
      const {
        id,
        event,
        status,
        target_url,
        last_triggered_status: answer,
        last_triggered_error: error,
        declined,
      } = webhook;
      const what = `webhook ${id} (${shortName(webhook)}, ${event}, ${integration.name})`;
      if (status !== 'available') {
        lines.push(
          `${what} is ${status}${whyDisabled(declined)}. ${await waitingText(caller, id)}: ` +
            `npm run ops -- webhooks enable ${id}`,
        );
        continue;
      }
      if (error !== null)
        lines.push(
          `${what} fails (${answer ?? error}). ${adviceFor(answer, error, target_url)} npm run ops -- deliveries ` +
            `list --webhook ${id}`,
        );
      if (held?.has(id) === true)
        lines.push(`${what} has held deliveries, which only a replay sends: ${replayOfHeld(webhook)}`);
    }
  const bounced = await collect(
    pages(caller, '/admin/invites/', { status: 'bounced', limit: maxBounced }, answers.invites),
    maxBounced,
  );
  if (bounced.length > 0)
    lines.push(
      `${bounced.length}${bounced.length === maxBounced ? ' or more' : ''} invites bounced: ` +
        'npm run ops -- invites list --status bounced',
    );
  return lines;
};

const deadLetters = async (caller: Caller, dead: Stats['dead_letters'] = []): Promise<string[]> => {
  if (dead.length === 0) return [];
  const { environment } = answers.config(await request(caller, 'GET', '/admin/config/'));
  return dead.map(
    ({ queue, messages }) =>
      `queue ${queue} has ${messages} dead letter${messages === 1 ? '' : 's'}: ` +
      `npm run ops -- redrive --stage ${environment} ${queue}`,
  );
};

const maxPage = 100;
const maxRead = 500;

/** Returns the period's held deliveries by webhook, newest first; undefined if the webhooks are too many to list. */
const readHeld = async (
  caller: Caller,
  { held, since }: Pick<Stats, 'held' | 'since'>,
): Promise<ReadonlyMap<string, readonly Delivery[]> | undefined> => {
  if (held === 0) return new Map();
  // They were counted when they were held, and are listed by their creation.
  const created = new Date(Date.parse(since) - longestDeliveryDays * day).toISOString();
  const list = listed(caller, { status: 'held', since: created }, maxPage);
  try {
    return Map.groupBy(await collect(list, Math.min(held, maxRead)), ({ webhook_id }) => webhook_id);
  } catch (error) {
    if (error instanceof RequestError && error.status === 422) return undefined;
    throw error;
  }
};

/** Returns how many deliveries of a webhook are held and not sent again; `hasMore` if there are more. */
const countHeld = async (caller: Caller, webhook: string): Promise<{ count: number; hasMore: boolean }> => {
  const { length } = await collect(listed(caller, { webhook, status: 'held' }, maxPage), maxRead);
  return { count: length, hasMore: length === maxRead };
};
