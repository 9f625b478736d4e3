/** Replays a range of a webhook's deliveries, after a preview of their number, and shows the progress. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change, get } from '../api/client.ts';
import { type Counted, readCounted } from '../api/counted.ts';
import type { DeliveryState, Replay, Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Confirm } from '../ui/dialog.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Moment } from '../ui/moment.tsx';
import { Loaded, Problem } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { readTime, writtenTime } from '../written-time.ts';

/** The states to which a replay can be limited: those of ended deliveries, the most likely first. */
const replayable = ['failed', 'held', 'blocked', 'cancelled', 'delivered'] as const satisfies DeliveryState[];
type Replayable = (typeof replayable)[number];

const day = 24 * 60 * 60 * 1000;

type Counts = Readonly<Record<Replayable, Counted>>;

interface ReplayDialogProps {
  readonly webhook: Webhook;
  /** Receives the id of the replay. */
  readonly onStart: (id: string) => void;
  readonly onClose: () => void;
}

export const ReplayDialog = ({ webhook, onStart, onClose }: ReplayDialogProps): JSX.Element => {
  const { deliveries, webhooks } = useTexts();
  const { count } = useNumbers();
  const [since, setSince] = useState(() => writtenTime(Date.now() - 7 * day));
  const [until, setUntil] = useState(() => writtenTime(Date.now() + 60_000));
  const [chosen, setChosen] = useState<string>();
  const range = { since: readTime(since), until: readTime(until) };
  const isRange = range.since !== undefined && range.until !== undefined;
  const counts = useQuery(`replay of ${webhook.id} ${since} ${until}`, async (signal) => {
    const read = replayable.map(async (status) => {
      const filter = { webhook_id: webhook.id, status, ...range };
      return [status, isRange ? replayedOf(await readCounted(filter, signal)) : { rows: [], hasMore: false }] as const;
    });
    return Object.fromEntries(await Promise.all(read)) as Counts;
  });
  const status = chosen ?? (counts.data && bestOf(counts.data)) ?? 'failed';
  const preview = counts.data && totalOf(counts.data, status);
  const start = async (): Promise<void> => {
    const item = { since: range.since ?? since, until: range.until ?? until, status: status === '' ? null : status };
    const { replays } = await change<{ replays: [Replay] }>('POST', `/admin/webhooks/${webhook.id}/replays/`, {
      replays: [item],
    });
    onStart(replays[0].id);
  };
  const option = (value: string, text: string): JSX.Element => {
    const total = counts.data && totalOf(counts.data, value);
    return (
      <option key={value} value={value}>
        {total === undefined ? text : `${text} (${countText(total.count, total.hasMore, count)})`}
      </option>
    );
  };
  return (
    <Confirm
      label={webhooks.replay}
      action={webhooks.startReplay}
      isDisabled={preview === undefined || preview.count === 0}
      act={start}
      onClose={onClose}
    >
      <p>{webhooks.replayHelp}</p>
      <div class="filters">
        <Moment label={deliveries.since} value={since} onChoose={setSince} />
        <Moment label={deliveries.until} value={until} onChoose={setUntil} />
      </div>
      <label class="field">
        <span>{webhooks.replayStatus}</span>
        <select value={status} onChange={(event) => setChosen(inputValue(event))}>
          {option('', webhooks.anyEnded)}
          {replayable.map((state) => option(state, deliveries.states[state]))}
        </select>
      </label>
      <Loaded query={counts}>
        {() =>
          preview !== undefined && (
            <p role="status">
              <strong>{webhooks.replayPreview(countText(preview.count, preview.hasMore, count), preview.count)}</strong>
            </p>
          )
        }
      </Loaded>
    </Confirm>
  );
};

/** A replay leaves out pings, redeliveries and earlier replays. */
const replayedOf = ({ rows, hasMore }: Counted): Counted => ({
  rows: rows.filter(({ trigger }) => trigger === 'event'),
  hasMore,
});

/** Returns the state that the user most likely wants to replay: failed deliveries, or otherwise held ones. */
const bestOf = (counts: Counts): Replayable =>
  replayable.find((state) => state !== 'delivered' && counts[state].rows.length > 0) ?? 'failed';

const totalOf = (counts: Counts, status: string): { readonly count: number; readonly hasMore: boolean } => {
  const counted = replayable.filter((state) => status === '' || state === status).map((state) => counts[state]);
  return {
    count: counted.reduce((sum, { rows }) => sum + rows.length, 0),
    hasMore: counted.some(({ hasMore }) => hasMore),
  };
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
