/** The form to create or edit a webhook with its options; beside it, the request that it would send. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { overlap } from '../../../shared/foundation/event-selection.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { isSameTarget } from '../../../shared/webhooks/same-target.ts';
import { change } from '../api/client.ts';
import { type Directory, rememberWebhook } from '../api/directory.ts';
import { type Draft, draftOf, hasSecrets, isSameFormat, mistakeIn, optionsOf } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { eventsFor, formatFor, isSignable, usualPauseOf } from '../api/service.ts';
import { linkTo, replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { isThisMachine } from '../this-machine.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { EventNames } from '../ui/event-names.tsx';
import { inputValue } from '../ui/input-value.ts';
import { Loaded, Problem } from '../ui/states.tsx';
import { TextField } from '../ui/text-field.tsx';
import { useAction } from '../use-action.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { EventPicker } from './event-picker.tsx';
import { DebounceFields, FormatFields, OptionsFields } from './options-fields.tsx';
import { OptionsPreview } from './options-preview.tsx';
import { OptionsTrial, useTrial } from './options-trial.tsx';
import { showOnce } from './secret.tsx';
import { useMistakes } from './webhook-mistakes.ts';
import { useOptions } from './webhook-options.tsx';
import { type Fields, newTyped, type Typed, withFormat, withTarget } from './webhook-typed.ts';

interface NewWebhookProps {
  readonly directory: Directory;
  readonly integration: string | undefined;
}

export const NewWebhook = ({ directory, integration: wanted }: NewWebhookProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const [integration, setIntegration] = useState(wanted ?? directory.integrations[0]?.id ?? '');
  const [isSigned, setIsSigned] = useState(true);
  const create = async ({ fields, draft }: Typed): Promise<void> => {
    const item = { ...fields, integration_id: integration, options: optionsOf(draft) };
    const { webhooks: created } = await change<{ webhooks: [Webhook] }>(
      'POST',
      `/admin/webhooks/${isSigned && isSignable(draft.type) ? '?secret=generate' : ''}`,
      { webhooks: [item] },
    );
    const [webhook] = created;
    const { id, secret } = webhook;
    rememberWebhook(webhook);
    if (secret !== null) showOnce({ webhook: id, secret, previousUntil: null });
    announce(webhooks.createdNow);
    replaceWith(['webhooks', id]);
  };
  return (
    <>
      <BackLink to={['webhooks']} label={frame.views.webhooks} />
      <h1>{webhooks.create}</h1>
      <Form
        directory={directory}
        webhook={undefined}
        first={newTyped}
        save={create}
        action={webhooks.createAction}
        back={['webhooks']}
        signing={
          <label class="check">
            <input type="checkbox" checked={isSigned} onChange={() => setIsSigned(!isSigned)} />
            <span>
              {webhooks.sign}
              <br />
              <span class="quiet">{webhooks.signHint}</span>
            </span>
          </label>
        }
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
      </Form>
    </>
  );
};

interface EditWebhookProps {
  readonly webhook: Webhook;
  readonly directory: Directory;
}

export const EditWebhook = ({ webhook, directory }: EditWebhookProps): JSX.Element => {
  const { frame, webhooks } = useTexts();
  const { id, event, target_url, name } = webhook;
  const [fields] = useState({ event, target_url, name: name ?? '' });
  const save = async (typed: Typed): Promise<void> => {
    const item = { ...typed.fields, options: optionsOf(typed.draft) };
    await change('PUT', `/admin/webhooks/${id}/`, { webhooks: [item] });
    announce(webhooks.updated);
    replaceWith(['webhooks', id]);
  };
  return (
    <>
      <BackLink to={['webhooks', id]} label={webhookName(webhook)} />
      <h1>{webhooks.edit}</h1>
      <Loaded query={useOptions(id)}>
        {(stored) => (
          <Form
            directory={directory}
            webhook={webhook}
            first={{ fields, draft: draftOf(stored) }}
            save={save}
            action={frame.save}
            back={['webhooks', id]}
          />
        )}
      </Loaded>
    </>
  );
};

interface FormProps {
  readonly directory: Directory;
  readonly webhook: Webhook | undefined;
  readonly first: Typed;
  readonly save: (typed: Typed) => Promise<void>;
  readonly action: string;
  readonly back: readonly string[];
  readonly signing?: JSX.Element;
  readonly children?: ComponentChildren;
}

const Form = ({ directory, webhook, first, save, action, back, signing, children }: FormProps): JSX.Element => {
  const { frame, options, webhooks } = useTexts();
  const [before] = useState(first);
  const [typed, setTyped] = useState(before);
  const [isFormatOpen, setIsFormatOpen] = useState(before.draft.type !== formatFor(before.fields.target_url));
  const [isMore, setIsMore] = useState(() => hasMore(before.draft));
  const form = useRef<HTMLFormElement>(null);
  const { fields, draft } = typed;
  const isNew = webhook === undefined;
  const isMoved = !isNew && !isSameTarget(fields.target_url, before.fields.target_url);
  const isKept = !isNew && !isMoved && isSameFormat(before.draft, draft);
  const saving = useAction(() => save(typed));
  const { mistakeOf, other, isWrong, submit } = useMistakes(typed, isKept, saving);
  const trial = useTrial(webhook?.id, draft);
  useUnsaved(!saving.isRunning && JSON.stringify(typed) !== JSON.stringify(before) ? frame.unsaved : undefined);
  // Focuses the first mistake, once it is shown.
  useEffect(() => {
    if (!isWrong) return;
    setIsMore((isOpen) => isOpen || mistakeOf('more') !== undefined);
    queueMicrotask(() => form.current?.querySelector<HTMLElement>('[aria-invalid="true"]')?.focus());
  }, [isWrong, saving.error]);
  const set = (changes: Partial<Fields>): void => setTyped({ ...typed, fields: { ...fields, ...changes } });
  const setDraft = (changed: Draft): void => setTyped({ ...typed, draft: changed });
  const parts = { draft, onChange: setDraft, mistakeOf, isKept };
  const inputs: Readonly<Record<keyof Fields, JSX.Element>> = {
    target_url: (
      <>
        <TextField
          type="url"
          isRequired
          label={webhooks.target}
          hint={isThisMachine ? webhooks.targetHintHere : webhooks.targetHint}
          placeholder="https://example.com/hook"
          value={fields.target_url}
          mistake={mistakeOf('target_url')}
          onInput={(target_url) => setTyped(withTarget(typed, target_url, isNew))}
        />
        <FormatFields
          {...parts}
          onType={(type) => setTyped(withFormat(typed, type, isNew))}
          isOpen={isFormatOpen}
          onOpen={() => setIsFormatOpen(true)}
        />
        {isMoved && hasSecrets(before.draft) && <p class="quiet">{options.secretsAgainHelp}</p>}
      </>
    ),
    event: (
      <>
        <EventPicker
          key={`${eventsFor(draft.type)}`}
          value={fields.event}
          onPick={(event) => set({ event })}
          only={eventsFor(draft.type)}
          mistake={mistakeOf('event')}
        />
        {usualPauseOf(draft.type) !== '' && <DebounceFields draft={draft} onChange={setDraft} mistakeOf={mistakeOf} />}
        <Overlaps directory={directory} webhook={webhook?.id} fields={fields} />
      </>
    ),
    name: (
      <TextField
        label={webhooks.name}
        hint={webhooks.nameHint}
        value={fields.name}
        mistake={mistakeOf('name')}
        onInput={(name) => set({ name })}
      />
    ),
  };
  return (
    <div class="beside">
      <form
        ref={form}
        class="panel form"
        noValidate
        onSubmit={(event) => {
          event.preventDefault();
          submit();
        }}
      >
        {children}
        {Object.values(inputs)}
        {isSignable(draft.type) && signing}
        <details open={isMore} onToggle={(event) => setIsMore(event.currentTarget.open)}>
          <summary>{options.more}</summary>
          <div class="snippet">
            <OptionsFields {...parts} event={fields.event} />
          </div>
        </details>
        {other !== undefined && <Problem error={other} />}
        <div class="actions">
          <wa-button type="submit" variant="brand" loading={saving.isRunning}>
            {action}
          </wa-button>
          <wa-button appearance="plain" href={linkTo(back)}>
            {frame.cancel}
          </wa-button>
        </div>
      </form>
      <div class="results">
        <OptionsPreview webhook={{ ...webhook, ...fields }} draft={draft} events={trial.data?.events ?? []} />
        {!isNew && draft.filter.trim() !== '' && mistakeIn(draft) !== 'filter' && <OptionsTrial trial={trial} />}
      </div>
    </div>
  );
};

/** Whether a form has something in the part that is closed at first. */
const hasMore = ({ headers, filter, description, debounce, throttle }: Draft): boolean =>
  headers.length > 0 || [filter, description, debounce.seconds, throttle.requests].some((text) => text !== '');

interface OverlapsProps {
  readonly directory: Directory;
  readonly webhook: string | undefined;
  readonly fields: Fields;
}

const Overlaps = ({ directory, webhook, fields }: OverlapsProps): JSX.Element => {
  const { webhooks } = useTexts();
  const others = [...directory.webhooks.values()].flatMap((other) => {
    const both = other.id === webhook ? [] : overlap(fields.event, other.event);
    return both.length > 0 && isSameTarget(other.target_url, fields.target_url) ? [{ other, both }] : [];
  });
  return (
    <div role="status">
      {others.map(({ other, both }) => (
        <p key={other.id} class="result warn">
          <a href={linkTo(['webhooks', other.id])}>{webhookName(other)}</a> {webhooks.overlaps}{' '}
          <EventNames of={both.join(',')} />. {webhooks.overlapsHelp}
        </p>
      ))}
    </div>
  );
};
