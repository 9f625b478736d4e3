/** Sends again what did not reach some webhooks' receivers: says first how much that is, and shows the progress. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { changeMany } from '../api/bulk.ts';
import { countRecovery, readRecovery, startRecovery, type Wanted } from '../api/recovery.ts';
import type { DeliveryState, Webhook } from '../api/resources.ts';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import { countText } from '../ui/counted.ts';
import { Confirm, Dialog } from '../ui/dialog.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Moment } from '../ui/moment.tsx';
import { Loaded } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useQuery } from '../use-query.ts';
import { readTime, writtenTime } from '../written-time.ts';

/** The states to which a recovery can be limited, the most likely first. */
const states = ['failed', 'held', 'blocked', 'cancelled', 'delivered'] as const satisfies DeliveryState[];

const day = 24 * 60 * 60 * 1000;

interface Recovery {
  readonly webhooks: readonly Webhook[];
  /** ISO time since when the webhooks fail, if that is known. */
  readonly since?: string;
}

/** What the dialog is about. What opens it may leave the view while it is open: an incident ends. */
const opened = createStore<Recovery | undefined>(undefined);

/** Opens the dialog, which the frame shows. */
export const openRecovery = (recovery: Recovery): void => opened.set(recovery);

export const OpenRecovery = (): JSX.Element | null => {
  const recovery = useStore(opened);
  return recovery === undefined ? null : <RecoveryDialog {...recovery} onClose={() => opened.set(undefined)} />;
};

interface RecoveryDialogProps extends Recovery {
  readonly onClose: () => void;
}

const RecoveryDialog = (props: RecoveryDialogProps): JSX.Element => {
  const { frame, recovery } = useTexts();
  const [started, setStarted] = useState<readonly string[]>();
  if (started === undefined) return <Asking {...props} onStart={setStarted} />;
  return (
    <Dialog
      label={recovery.title}
      onClose={props.onClose}
      footer={
        <wa-button variant="brand" onClick={props.onClose}>
          {frame.close}
        </wa-button>
      }
    >
      <Running ids={started} />
    </Dialog>
  );
};

interface AskingProps extends RecoveryDialogProps {
  readonly onStart: (ids: readonly string[]) => void;
}

const Asking = ({
  webhooks,
  since: failing = new Date().toISOString(),
  onStart,
  onClose,
}: AskingProps): JSX.Element => {
  const { deliveries, recovery } = useTexts();
  const { count } = useNumbers();
  // A delivery that failed may be days older than the failure.
  const [since, setSince] = useState(() => writtenTime(Math.min(Date.now() - 7 * day, Date.parse(failing) - day)));
  const [until, setUntil] = useState(() => writtenTime(Date.now() + 60_000));
  const [status, setStatus] = useState('');
  const disabled = webhooks.filter((webhook) => webhook.status === 'disabled');
  const [enables, setEnables] = useState(disabled.length > 0);
  const range = { since: readTime(since), until: readTime(until) };
  const wanted: Wanted | undefined =
    range.since === undefined || range.until === undefined
      ? undefined
      : { since: range.since, until: range.until, status: status === '' ? null : status };
  const ids = webhooks.map(({ id }) => id);
  const preview = useQuery(`recovery ${ids.join()} ${since} ${until} ${status}`, async (signal) =>
    wanted === undefined ? { count: 0, hasMore: false } : countRecovery(ids, wanted, signal),
  );
  const start = async (): Promise<void> => {
    if (wanted === undefined) return;
    const enabling = enables ? disabled.map(({ id }) => `/admin/webhooks/${id}/enable/`) : [];
    const { failed } = await changeMany('POST', enabling, () => {});
    if (failed[0] !== undefined) throw failed[0].error;
    onStart(await startRecovery(ids, wanted));
  };
  return (
    <Confirm
      label={recovery.title}
      action={recovery.start}
      isDisabled={preview.data === undefined || preview.data.count === 0}
      act={start}
      onClose={onClose}
      staysOpen
    >
      <p>{recovery.help(webhooks.length)}</p>
      <div class="filters">
        <Moment label={deliveries.since} value={since} onChoose={setSince} />
        <Moment label={deliveries.until} value={until} onChoose={setUntil} />
      </div>
      <label class="field">
        <span>{recovery.what}</span>
        <select value={status} onChange={(event) => setStatus(inputValue(event))}>
          <option value="">{recovery.undelivered}</option>
          {states.map((state) => (
            <option key={state} value={state}>
              {deliveries.states[state]}
            </option>
          ))}
        </select>
      </label>
      {disabled.length > 0 && (
        <label class="check">
          <input type="checkbox" checked={enables} onChange={() => setEnables(!enables)} />
          {recovery.enable(disabled.length)}
        </label>
      )}
      <Loaded query={preview}>
        {(found) => (
          <p role="status">
            <strong>{recovery.preview(countText(found.count, found.hasMore, count), found.count)}</strong>
          </p>
        )}
      </Loaded>
    </Confirm>
  );
};

const Running = ({ ids }: { readonly ids: readonly string[] }): JSX.Element => {
  const { recovery, webhooks } = useTexts();
  const [isOver, setIsOver] = useState(false);
  const query = useQuery(
    `recovery ${ids.join()}`,
    async (signal) => {
      const read = await readRecovery(ids, signal);
      setIsOver(!read.isRunning);
      return read;
    },
    isOver ? undefined : 1000,
  );
  return (
    <Loaded query={query}>
      {({ isRunning, percent, checked, replayed, skipped }) => (
        <div role="status">
          <strong>{webhooks.replayStates[isRunning ? 'running' : 'finished']}</strong>
          <wa-progress-bar label={recovery.title} value={percent} />
          <p>{webhooks.replayed(percent, checked, replayed)}</p>
          {skipped > 0 && <p>{recovery.skipped(skipped)}</p>}
        </div>
      )}
    </Loaded>
  );
};
