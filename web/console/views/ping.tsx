/** Sends a ping to a webhook, and shows the result in the place from which it was sent. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { causeOf } from '../../../shared/webhooks/cause.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { stateOf } from '../../../shared/webhooks/state.ts';
import { change, changes, get } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { DeliveryWithLog, Ping as PingResource, Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Problem } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { type Action, useAction } from '../use-action.ts';

export interface Ping extends Action {
  /** Shows the result of the last ping; nothing before the first one. */
  readonly result: JSX.Element | null;
}

/** `delivery` is undefined until the attempt has ended. */
interface Sent {
  readonly delivery: DeliveryWithLog | undefined;
}

/** @param example the event of which an example is sent; undefined for a ping */
export const usePing = (webhook: Webhook, example?: string): Ping => {
  const { webhooks } = useTexts();
  const [sent, setSent] = useState<Sent>();
  const action = useAction(async () => {
    const state = stateOf(webhook);
    const { pings } = await change<{ pings: [PingResource] }>(
      'POST',
      `/admin/webhooks/${webhook.id}/ping/`,
      example === undefined ? undefined : { pings: [{ event: example, example: true }] },
    );
    setSent({ delivery: undefined });
    const delivery = await answerTo(`/admin/webhooks/${webhook.id}/deliveries/${pings[0].delivery_id}/`);
    setSent({ delivery });
    // The webhook leaves the list of what needs attention, and would take the result of the ping with it.
    if (delivery.status !== 'delivered' || state === 'available' || state === 'unused') return;
    announce(webhooks.worksAgain(webhookName(webhook)));
    changes.set(changes.get() + 1);
  });
  const { error } = action;
  const shown = sent === undefined ? null : <PingResult webhook={webhook} sent={sent} />;
  return { ...action, result: error === undefined ? shown : <Problem error={error} /> };
};

/** In ms: the answer is shown within a second. */
const everyMs = 700;
/** In ms: longer than a receiver may take, plus the time in the queue. */
const patienceMs = 60_000;

/** Waits for the end of an attempt. @throws ApiError, OfflineError */
const answerTo = async (path: string): Promise<DeliveryWithLog> => {
  const until = Date.now() + patienceMs;
  for (;;) {
    try {
      const [delivery] = (await get<{ deliveries: [DeliveryWithLog] }>(path)).deliveries;
      if (delivery.log.length > 0 || (delivery.status !== 'pending' && delivery.status !== 'retrying')) return delivery;
    } catch (error) {
      // It may not be in the log yet.
      if (!(error instanceof ApiError && error.status === 404) || Date.now() > until) throw error;
    }
    await new Promise((resolve) => setTimeout(resolve, everyMs));
  }
};

interface PingResultProps {
  readonly webhook: Webhook;
  readonly sent: Sent;
}

const PingResult = ({ webhook, sent: { delivery } }: PingResultProps): JSX.Element => {
  const { webhooks, advice, deliveries } = useTexts();
  const { duration } = useNumbers();
  const { host, pathname } = new URL(webhook.target_url);
  if (delivery === undefined)
    return (
      <p class="result" role="status">
        <wa-spinner /> {webhooks.pinging(host)}
      </p>
    );
  const { id, status, last_status, last_error, log } = delivery;
  const attempt = log.at(-1);
  const link = <a href={linkTo(['deliveries', webhook.id, id])}>{webhooks.showDelivery}</a>;
  if (status === 'delivered')
    return (
      <p class="result good" role="status">
        {webhooks.pingAnswered(host, last_status ?? '', duration(attempt?.duration_ms ?? 0))} {link}
      </p>
    );
  const reason = last_status === null ? deliveries.error(last_error ?? '') : `HTTP ${last_status}`;
  return (
    <p class="result bad" role="status">
      <strong>{attempt === undefined ? deliveries.stateHelp[status] : webhooks.pingFailed(reason)}</strong>{' '}
      {attempt !== undefined && advice.for(causeOf(last_status, last_error), { host, path: pathname })} {link}
    </p>
  );
};
