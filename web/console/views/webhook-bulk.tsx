/** What can be done to many webhooks at once, each action with what it will do before it does it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { type BulkResult, changeMany } from '../api/bulk.ts';
import type { Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { openRecovery } from './recovery.tsx';

const actions = ['ping', 'enable', 'disable', 'delete'] as const;
type Action = (typeof actions)[number];

const maxNamed = 10;

/** Whether an action changes a webhook as it is. */
const changes = (action: Action, { status }: Webhook): boolean =>
  action === 'enable' ? status === 'disabled' : action === 'disable' ? status === 'available' : true;

const pathOf = (action: Action, { id }: Webhook): string =>
  action === 'delete' ? `/admin/webhooks/${id}/` : `/admin/webhooks/${id}/${action}/`;

interface WebhookBulkProps {
  readonly selected: readonly Webhook[];
  readonly onSelect: (ids: readonly string[]) => void;
}

export const WebhookBulk = ({ selected, onSelect }: WebhookBulkProps): JSX.Element => {
  const { incidents } = useTexts();
  const [open, setOpen] = useState<Action>();
  const [failure, setFailure] = useState<string>();
  const close = (): void => setOpen(undefined);
  const namesOf = (webhooks: readonly Webhook[]): string =>
    [
      ...webhooks.slice(0, maxNamed).map(webhookName),
      ...(webhooks.length > maxNamed ? [incidents.more(webhooks.length - maxNamed)] : []),
    ].join(', ');
  const end = (targets: readonly Webhook[], { done, failed }: BulkResult): void => {
    const left = failed.flatMap(({ position }) => targets[position] ?? []);
    announce(incidents.done(done));
    setFailure(left.length === 0 ? undefined : incidents.failed(left.length, namesOf(left)));
    onSelect(left.map(({ id }) => id));
  };
  return (
    <div class="bulk panel" role="group" aria-label={incidents.selected(selected.length)}>
      <strong>{incidents.selected(selected.length)}</strong>
      <wa-button size="s" appearance="outlined" onClick={() => openRecovery({ webhooks: selected })}>
        {incidents.recover}
      </wa-button>
      {actions.map((action) => (
        <wa-button
          key={action}
          size="s"
          appearance="outlined"
          variant={action === 'delete' ? 'danger' : 'neutral'}
          disabled={!selected.some((webhook) => changes(action, webhook))}
          onClick={() => setOpen(action)}
        >
          {incidents.actions[action]}
        </wa-button>
      ))}
      <wa-button size="s" appearance="plain" onClick={() => onSelect([])}>
        {incidents.clear}
      </wa-button>
      {failure !== undefined && <p role="alert">{failure}</p>}
      {open !== undefined && <Ask action={open} selected={selected} namesOf={namesOf} onEnd={end} onClose={close} />}
    </div>
  );
};

interface AskProps {
  readonly action: Action;
  readonly selected: readonly Webhook[];
  readonly namesOf: (webhooks: readonly Webhook[]) => string;
  readonly onEnd: (targets: readonly Webhook[], result: BulkResult) => void;
  readonly onClose: () => void;
}

const Ask = ({ action, selected, namesOf, onEnd, onClose }: AskProps): JSX.Element => {
  const { incidents } = useTexts();
  const [ended, setEnded] = useState(0);
  const [targets] = useState(() => selected.filter((webhook) => changes(action, webhook)));
  const act = async (): Promise<void> => {
    const paths = targets.map((webhook) => pathOf(action, webhook));
    onEnd(targets, await changeMany(action === 'delete' ? 'DELETE' : 'POST', paths, setEnded));
  };
  return (
    <Confirm
      label={incidents.actions[action]}
      action={incidents.actions[action]}
      isDangerous={action === 'delete'}
      act={act}
      onClose={onClose}
    >
      <p>{incidents.ask[action](targets.length)}</p>
      <p class="quiet">{namesOf(targets)}</p>
      {targets.length < selected.length && <p>{incidents.unchanged(selected.length - targets.length)}</p>}
      {ended > 0 && <p role="status">{incidents.progress(ended, targets.length)}</p>}
    </Confirm>
  );
};
