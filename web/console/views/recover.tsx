/** A button with the number of a webhook's deliveries that its receiver did not get; it leads to their recovery. */
import type { JSX } from 'preact';
import { readCounted } from '../api/counted.ts';
import type { Delivery, DeliveryState, Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Icon } from '../ui/icon.tsx';
import { RotateCw } from '../ui/icons.ts';
import { useNumbers } from '../ui/use-numbers.ts';
import { useLast } from '../use-last.ts';
import { useQuery } from '../use-query.ts';
import { openRecovery } from './recovery.tsx';

const undelivered = ['failed', 'held', 'blocked'] as const satisfies DeliveryState[];

const isLeft = ({ status, trigger, replayed_by }: Delivery): boolean =>
  undelivered.some((one) => one === status) && trigger !== 'ping' && replayed_by === null;

interface RecoverProps {
  readonly webhook: Webhook;
  /** Its newest deliveries: when something becomes of one, all are counted again. */
  readonly rows: readonly Delivery[];
}

/** Nothing while there are none. */
export const Recover = ({ webhook, rows }: RecoverProps): JSX.Element | null => {
  const { webhooks } = useTexts();
  const { count } = useNumbers();
  const state = `${webhook.last_triggered_at} ${rows.filter(isLeft).length}`;
  const query = useQuery(`/admin/webhooks/${webhook.id}/undelivered ${state}`, async (signal) => {
    const read = undelivered.map((status) => readCounted({ webhook_id: webhook.id, status }, signal, 1));
    const all = await Promise.all(read);
    return {
      // A failed delivery that was sent again stays in the list of failed ones.
      count: all.flatMap((one) => one.rows).filter(isLeft).length,
      hasMore: all.some(({ hasMore }) => hasMore),
    };
  });
  const left = useLast(query.data);
  if (left === undefined || left.count === 0) return null;
  return (
    <wa-button size="s" appearance="outlined" onClick={() => openRecovery({ webhooks: [webhook] })}>
      <Icon of={RotateCw} slot="start" />
      {webhooks.recover(countText(left.count, left.hasMore, count))}
    </wa-button>
  );
};
