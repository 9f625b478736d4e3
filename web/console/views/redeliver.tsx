/** Redelivers the selected deliveries, one request after the other, and shows the progress. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change } from '../api/client.ts';
import { ApiError } from '../api/problem.ts';
import type { Delivery } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Icon } from '../ui/icon.tsx';
import { RotateCw } from '../ui/icons.ts';
import { Problem } from '../ui/states.tsx';
import { useAction } from '../use-action.ts';

interface RedeliverProps {
  readonly deliveries: readonly Delivery[];
  readonly onDone: () => void;
}

export const Redeliver = ({ deliveries, onDone }: RedeliverProps): JSX.Element => {
  const { deliveries: texts } = useTexts();
  const [done, setDone] = useState(0);
  const [refusal, setRefusal] = useState<unknown>();
  const { run, isRunning, error } = useAction(async () => {
    let refused = 0;
    setRefusal(undefined);
    for (const [index, delivery] of deliveries.entries()) {
      setDone(index);
      try {
        await redeliver(delivery);
      } catch (cause) {
        if (!(cause instanceof ApiError)) throw cause;
        refused++;
        setRefusal(cause);
      }
    }
    announce(texts.redelivered(deliveries.length - refused, refused));
    if (refused === 0) onDone();
  });
  return (
    <div class="panel selection">
      <div class="actions">
        <strong>{isRunning ? texts.redelivering(done, deliveries.length) : texts.selected(deliveries.length)}</strong>
        <wa-button size="s" variant="brand" loading={isRunning} onClick={run}>
          <Icon of={RotateCw} slot="start" />
          {texts.redeliver}
        </wa-button>
        <wa-button size="s" appearance="plain" disabled={isRunning} onClick={onDone}>
          {texts.unselect}
        </wa-button>
      </div>
      {(error ?? refusal) !== undefined && <Problem error={error ?? refusal} />}
    </div>
  );
};

/** Requests a redelivery. @throws ApiError, OfflineError */
export const redeliver = ({ webhook_id, id }: Pick<Delivery, 'webhook_id' | 'id'>): Promise<unknown> =>
  change('POST', `/admin/webhooks/${webhook_id}/deliveries/${id}/redeliver/`);
