/** A button with the number of a webhook's deliveries that its receiver did not get; it leads to their recovery. */
import type { JSX } from 'preact';
import { readCounted } from '../api/counted.ts';
import type { DeliveryState, Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Icon } from '../ui/icon.tsx';
import { RotateCw } from '../ui/icons.ts';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { openRecovery } from './recovery.tsx';

const undelivered = ['failed', 'held', 'blocked'] as const satisfies DeliveryState[];

/** Nothing while there are none. */
export const Recover = ({ webhook }: { readonly webhook: Webhook }): JSX.Element | null => {
  const { webhooks } = useTexts();
  const { count } = useNumbers();
  const left = useQuery(`/admin/webhooks/${webhook.id}/undelivered ${webhook.last_triggered_at}`, async (signal) => {
    const read = undelivered.map((status) => readCounted({ webhook_id: webhook.id, status }, signal, 1));
    const all = await Promise.all(read);
    return {
      // A failed delivery that was sent again stays in the list of failed ones.
      count: all.flatMap(({ rows }) => rows).filter(({ replayed_by }) => replayed_by === null).length,
      hasMore: all.some(({ hasMore }) => hasMore),
    };
  });
  if (left.data === undefined || left.data.count === 0) return null;
  return (
    <wa-button size="s" appearance="outlined" onClick={() => openRecovery({ webhooks: [webhook] })}>
      <Icon of={RotateCw} slot="start" />
      {webhooks.recover(countText(left.data.count, left.data.hasMore, count))}
    </wa-button>
  );
};
