/** Replays a range of deliveries of a webhook, and shows how far it is. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, get } from '../api/client.ts';
import type { DeliveryState, Replay, Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Confirm } from '../ui/dialog.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Problem } from '../ui/states.tsx';
import { useQuery } from '../use-query.ts';

/** The states to which a replay can be limited: those of ended deliveries. */
const replayable = ['held', 'failed', 'delivered', 'cancelled', 'blocked'] as const satisfies DeliveryState[];

const day = 24 * 60 * 60 * 1000;

interface ReplayDialogProps {
  readonly webhook: Webhook;
  /** Receives the id of the replay. */
  readonly onStart: (id: string) => void;
  readonly onClose: () => void;
}

export const ReplayDialog = ({ webhook, onStart, onClose }: ReplayDialogProps): JSX.Element => {
  const { deliveries, webhooks } = useTexts();
  const [since, setSince] = useState(() => localTime(Date.now() - 7 * day));
  const [until, setUntil] = useState(() => localTime(Date.now() + 60_000));
  const [status, setStatus] = useState<string>('held');
  const start = async (): Promise<void> => {
    const item = { since: utc(since), until: utc(until), status: status === '' ? null : status };
    const { replays } = await change<{ replays: [Replay] }>('POST', `/admin/webhooks/${webhook.id}/replays/`, {
      replays: [item],
    });
    onStart(replays[0].id);
  };
  return (
    <Confirm label={webhooks.replay} action={webhooks.startReplay} act={start} onClose={onClose}>
      <p>{webhooks.replayHelp}</p>
      <div class="filters">
        <label class="field">
          <span>{deliveries.since}</span>
          <input type="datetime-local" value={since} onChange={(event) => setSince(inputValue(event))} />
        </label>
        <label class="field">
          <span>{deliveries.until}</span>
          <input type="datetime-local" value={until} onChange={(event) => setUntil(inputValue(event))} />
        </label>
      </div>
      <label class="field">
        <span>{webhooks.replayStatus}</span>
        <select value={status} onChange={(event) => setStatus(inputValue(event))}>
          <option value="">{webhooks.anyEnded}</option>
          {replayable.map((state) => (
            <option key={state} value={state}>
              {deliveries.states[state]}
            </option>
          ))}
        </select>
      </label>
    </Confirm>
  );
};

/** Returns a time as `datetime-local` has it: in the viewer's zone, to the minute. */
const localTime = (ms: number): string => {
  const shifted = new Date(ms - new Date(ms).getTimezoneOffset() * 60_000);
  return shifted.toISOString().slice(0, 16);
};

/** An empty or wrong time is sent as it is, and the API names it. */
const utc = (local: string): string => {
  const time = Date.parse(local);
  return Number.isNaN(time) ? local : new Date(time).toISOString();
};

interface RunningReplayProps {
  readonly webhook: string;
  readonly id: string;
}

export const RunningReplay = ({ webhook, id }: RunningReplayProps): JSX.Element => {
  const { webhooks } = useTexts();
  const path = `/admin/webhooks/${webhook}/replays/${id}/`;
  const [isOver, setIsOver] = useState(false);
  const { data, error } = useQuery(
    path,
    async (signal) => {
      const { replays } = await get<{ replays: [Replay] }>(path, {}, signal);
      setIsOver(replays[0].state !== 'running');
      return replays[0];
    },
    isOver ? undefined : 1000,
  );
  const state = data?.state ?? 'running';
  const percent = data?.progress.percent ?? 0;
  return (
    <section class="panel" role="status">
      <strong>{webhooks.replayStates[state]}</strong>
      <wa-progress-bar label={webhooks.replayStates[state]} value={percent} />
      {data !== undefined && <p>{webhooks.replayed(percent, data.progress.checked, data.progress.replayed)}</p>}
      {error !== undefined && <Problem error={error} />}
    </section>
  );
};
