/** Sends a ping to a webhook, and shows its result where it was sent from. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { causeOf } from '../api/cause.ts';
import { change, get } from '../api/client.ts';
import type { DeliveryWithLog, Ping as PingResource, Webhook } from '../api/resources.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Problem } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { type Action, useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

export interface Ping extends Action {
  /** Shows the result of the last ping; nothing before the first one. */
  readonly result: JSX.Element | null;
}

export const usePing = (webhook: Webhook): Ping => {
  const [id, setId] = useState<string>();
  const action = useAction(async () => {
    const { pings } = await change<{ pings: [PingResource] }>('POST', `/admin/webhooks/${webhook.id}/ping/`);
    setId(pings[0].delivery_id);
  });
  const { error } = action;
  const shown = id === undefined ? null : <PingResult key={id} webhook={webhook} id={id} />;
  return { ...action, result: error === undefined ? shown : <Problem error={error} /> };
};

/** In ms: the answer is shown within a second. */
const everyMs = 700;

interface PingResultProps {
  readonly webhook: Webhook;
  readonly id: string;
}

const PingResult = ({ webhook, id }: PingResultProps): JSX.Element => {
  const { webhooks, advice, deliveries } = useTexts();
  const { duration } = useNumbers();
  const [isOver, setIsOver] = useState(false);
  const path = `/admin/webhooks/${webhook.id}/deliveries/${id}/`;
  const { data, error } = useQuery(
    path,
    async (signal) => {
      const [delivery] = (await get<{ deliveries: [DeliveryWithLog] }>(path, {}, signal)).deliveries;
      setIsOver(delivery.log.length > 0 || (delivery.status !== 'pending' && delivery.status !== 'retrying'));
      return delivery;
    },
    isOver ? undefined : everyMs,
  );
  const { host, pathname } = new URL(webhook.target_url);
  const attempt = data?.log.at(-1);
  if (data === undefined || !isOver)
    return error === undefined ? (
      <p class="result" role="status">
        <wa-spinner /> {webhooks.pinging(host)}
      </p>
    ) : (
      <Problem error={error} />
    );
  const link = <a href={linkTo(['deliveries', webhook.id, id])}>{webhooks.showDelivery}</a>;
  if (data.status === 'delivered')
    return (
      <p class="result good" role="status">
        {webhooks.pingAnswered(host, data.last_status ?? '', duration(attempt?.duration_ms ?? 0))} {link}
      </p>
    );
  const reason = data.last_status === null ? deliveries.error(data.last_error ?? '') : `HTTP ${data.last_status}`;
  return (
    <p class="result bad" role="status">
      <strong>{attempt === undefined ? deliveries.stateHelp[data.status] : webhooks.pingFailed(reason)}</strong>{' '}
      {attempt !== undefined && advice.for(causeOf(data.last_status, data.last_error), { host, path: pathname })} {link}
    </p>
  );
};
