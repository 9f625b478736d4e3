/** Sends again what a webhook's receiver did not get, and shows the progress. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { RecoveryResource } from '../../../shared/deliveries/replays/resource.ts';
import { change, get } from '../api/client.ts';
import { readCounted } from '../api/counted.ts';
import type { DeliveryState, Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Icon } from '../ui/icon.tsx';
import { RotateCw } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useAction } from '../use-action.ts';
import { useQuery } from '../use-query.ts';

/** What the log keeps, in ms. */
const keptMs = 30 * 24 * 60 * 60 * 1000;

const undelivered = ['failed', 'held', 'blocked'] as const satisfies DeliveryState[];

/** A button with the number of deliveries that it sends again; nothing while there are none. */
export const Recover = ({ webhook }: { readonly webhook: Webhook }): JSX.Element => {
  const { webhooks } = useTexts();
  const { count } = useNumbers();
  const [id, setId] = useState<string>();
  const left = useQuery(`/admin/webhooks/${webhook.id}/undelivered ${webhook.last_triggered_at}`, async (signal) => {
    const read = undelivered.map((status) => readCounted({ webhook_id: webhook.id, status }, signal, 1));
    const all = await Promise.all(read);
    return {
      // A failed delivery that was sent again stays in the list of failed ones.
      count: all.flatMap(({ rows }) => rows).filter(({ replayed_by }) => replayed_by === null).length,
      hasMore: all.some(({ hasMore }) => hasMore),
    };
  });
  const start = useAction(async () => {
    const item = { since: new Date(Date.now() - keptMs).toISOString(), webhook_ids: [webhook.id] };
    const { recoveries } = await change<{ recoveries: [RecoveryResource] }>('POST', '/admin/recoveries/', {
      recoveries: [item],
    });
    setId(recoveries[0].id ?? undefined);
  });
  return (
    <>
      {left.data !== undefined && left.data.count > 0 && (
        <wa-button size="s" appearance="outlined" loading={start.isRunning} onClick={start.run}>
          <Icon of={RotateCw} slot="start" />
          {webhooks.recover(countText(left.data.count, left.data.hasMore, count))}
        </wa-button>
      )}
      {start.error !== undefined && <Problem error={start.error} />}
      {id !== undefined && <Running id={id} />}
    </>
  );
};

const Running = ({ id }: { readonly id: string }): JSX.Element | null => {
  const { webhooks } = useTexts();
  const [isOver, setIsOver] = useState(false);
  const path = `/admin/recoveries/${id}/`;
  const { data } = useQuery(
    path,
    async (signal) => {
      const { recoveries } = await get<{ recoveries: [RecoveryResource] }>(path, {}, signal);
      setIsOver(recoveries[0].state === 'finished');
      return recoveries[0];
    },
    isOver ? undefined : 1000,
  );
  if (data === undefined) return null;
  const { percent, checked, replayed } = data.progress;
  return (
    <p class="result" role="status">
      {webhooks.replayStates[data.state]}: {webhooks.replayed(percent, checked, replayed)}
    </p>
  );
};
