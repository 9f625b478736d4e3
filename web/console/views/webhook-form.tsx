/** The form to create or edit a webhook. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { isSameTarget } from '../../../shared/webhooks/same-target.ts';
import type { WritableField } from '../../../shared/webhooks/webhook.ts';
import { change } from '../api/client.ts';
import { type Directory, rememberWebhook } from '../api/directory.ts';
import { type Draft, draftOf, hasSecrets, mistakeIn, newDraft, optionsOf } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { isThisMachine } from '../this-machine.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Confirm } from '../ui/dialog.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Problem } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { EventPicker, usualEvent } from './event-picker.tsx';
import { OptionsFields, SecretsAgain } from './options-fields.tsx';
import { OptionsPreview } from './options-preview.tsx';
import { showOnce } from './secret.tsx';
import { useOptions } from './webhook-options.tsx';

/** The form offers every field but the API version, which new webhooks do not choose. */
type Fields = Readonly<Record<Exclude<WritableField, 'api_version'>, string>>;

interface NewWebhookProps {
  readonly directory: Directory;
  readonly integration: string | undefined;
}

export const NewWebhook = ({ directory, integration: wanted }: NewWebhookProps): JSX.Element => {
  const { frame, options, webhooks } = useTexts();
  const [integration, setIntegration] = useState(wanted ?? directory.integrations[0]?.id ?? '');
  const [fields, setFields] = useState<Fields>({ event: usualEvent, target_url: '', name: '' });
  const [isSigned, setIsSigned] = useState(true);
  const [draft, setDraft] = useState(newDraft);
  const [hasOptions, setHasOptions] = useState(false);
  const { run, isRunning, error } = useAction(async () => {
    const item = {
      ...fields,
      integration_id: integration,
      ...(hasOptions && { options: optionsOf(draft) }),
    };
    const { webhooks: created } = await change<{ webhooks: [Webhook] }>(
      'POST',
      `/admin/webhooks/${isSigned ? '?secret=generate' : ''}`,
      { webhooks: [item] },
    );
    const [webhook] = created;
    const { id, secret } = webhook;
    rememberWebhook(webhook);
    if (secret !== null) showOnce({ webhook: id, secret, previousUntil: null });
    announce(webhooks.createdNow);
    replaceWith(['webhooks', id]);
  });
  return (
    <>
      <BackLink to={['webhooks']} label={frame.views.webhooks} />
      <h1>{webhooks.create}</h1>
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        {directory.integrations.length > 1 && (
          <label class="field">
            <span>{webhooks.integration}</span>
            <select value={integration} onChange={(event) => setIntegration(inputValue(event))}>
              {directory.integrations.map(({ id, name }) => (
                <option key={id} value={id}>
                  {name}
                </option>
              ))}
            </select>
          </label>
        )}
        <FieldsOfWebhook fields={fields} onChange={setFields} />
        <label class="check">
          <input type="checkbox" checked={isSigned} onChange={() => setIsSigned(!isSigned)} />
          <span>
            {webhooks.sign}
            <br />
            <span class="quiet">{webhooks.signHint}</span>
          </span>
        </label>
        <details onToggle={(event) => setHasOptions(hasOptions || event.currentTarget.open)}>
          <summary>{options.title}</summary>
          {hasOptions && (
            <div class="snippet">
              <OptionsFields draft={draft} onChange={setDraft} event={fields.event} stored={undefined} />
              <OptionsPreview webhook={fields} draft={draft} events={[]} />
            </div>
          )}
        </details>
        {error !== undefined && <Problem error={error} />}
        <div class="actions">
          <wa-button
            type="submit"
            variant="brand"
            loading={isRunning}
            disabled={hasOptions && mistakeIn(draft) !== undefined}
          >
            {webhooks.createAction}
          </wa-button>
          <wa-button appearance="plain" href={linkTo(['webhooks'])}>
            {frame.cancel}
          </wa-button>
        </div>
      </form>
    </>
  );
};

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly onClose: () => void;
}

export const EditWebhook = ({ webhook, onClose }: EditWebhookProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const [fields, setFields] = useState<Fields>({
    event: webhook.event,
    target_url: webhook.target_url,
    name: webhook.name ?? '',
  });
  const { data: stored } = useOptions(webhook.id);
  const [typed, setTyped] = useState<Draft>();
  const draft = typed ?? (stored && draftOf(stored));
  const again =
    draft !== undefined && hasSecrets(draft) && !isSameTarget(fields.target_url, webhook.target_url)
      ? draft
      : undefined;
  const save = async (): Promise<void> => {
    const item = { ...fields, ...(again && { options: optionsOf(again) }) };
    await change('PUT', `/admin/webhooks/${webhook.id}/`, { webhooks: [item] });
    announce(webhooks.updated);
  };
  return (
    <Confirm label={frame.edit} action={frame.save} act={save} onClose={onClose}>
      <FieldsOfWebhook fields={fields} onChange={setFields} />
      {again && <SecretsAgain draft={again} onChange={setTyped} />}
    </Confirm>
  );
};

interface FieldsProps {
  readonly fields: Fields;
  readonly onChange: (fields: Fields) => void;
}

const FieldsOfWebhook = ({ fields, onChange }: FieldsProps): JSX.Element => {
  const { webhooks } = useTexts();
  const inputs: Readonly<Record<keyof Fields, JSX.Element>> = {
    target_url: (
      <TextField
        type="url"
        isRequired
        label={webhooks.target}
        hint={isThisMachine ? webhooks.targetHintHere : webhooks.targetHint}
        placeholder="https://example.com/hook"
        value={fields.target_url}
        onInput={(target_url) => onChange({ ...fields, target_url })}
      />
    ),
    event: <EventPicker value={fields.event} onPick={(event) => onChange({ ...fields, event })} />,
    name: (
      <TextField
        label={webhooks.name}
        hint={webhooks.nameHint}
        value={fields.name}
        onInput={(name) => onChange({ ...fields, name })}
      />
    ),
  };
  return <>{Object.values(inputs)}</>;
};
