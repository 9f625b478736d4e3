/** Changes the options of a webhook, with a preview of its requests and a trial of its filter. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { change, get } from '../api/client.ts';
import type { Directory } from '../api/directory.ts';
import { draftOf, mistakeIn, type Options, optionsOf } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { goTo, linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from '../ui/announcer.tsx';
import { BackLink } from '../ui/back-link.tsx';
import { Loaded, Problem } from '../ui/states.tsx';
import { useNumbers } from '../ui/use-numbers.ts';
import { useAction } from '../use-action.ts';
import { type QueryState, useQuery } from '../use-query.ts';
import { OptionsFields } from './options-fields.tsx';
import { OptionsPreview } from './options-preview.tsx';
import { OptionsTrial, useTrial } from './options-trial.tsx';

const pathOf = (webhook: string): string => `/admin/webhooks/${webhook}/options/`;

/** Reads the options of a webhook. */
export const useOptions = (webhook: string): QueryState<Options> =>
  useQuery(pathOf(webhook), async (signal) => {
    const { options } = await get<{ options: [Options] }>(pathOf(webhook), {}, signal);
    return options[0];
  });

interface WebhookOptionsProps {
  readonly id: string;
  readonly directory: Directory;
}

export const WebhookOptions = ({ id, directory }: WebhookOptionsProps): JSX.Element => {
  const { frame, options, webhooks } = useTexts();
  const webhook = directory.webhooks.get(id);
  const stored = useOptions(id);
  if (webhook === undefined)
    return (
      <>
        <BackLink to={['webhooks']} label={frame.views.webhooks} />
        <h1>{webhooks.unknown}</h1>
        <p>{webhooks.unknownHelp}</p>
      </>
    );
  return (
    <>
      <BackLink to={['webhooks', id]} label={webhookName(webhook)} />
      <h1>{options.title}</h1>
      <p>{options.help}</p>
      <Loaded query={stored}>{(data) => <Form webhook={webhook} stored={data} />}</Loaded>
    </>
  );
};

interface FormProps {
  readonly webhook: Webhook;
  readonly stored: Options;
}

const Form = ({ webhook, stored }: FormProps): JSX.Element => {
  const { frame, options } = useTexts();
  const [before] = useState(() => draftOf(stored));
  const [draft, setDraft] = useState(before);
  const trial = useTrial(webhook.id, draft);
  const { run, isRunning, error } = useAction(async () => {
    await change('PUT', pathOf(webhook.id), { options: [optionsOf(draft)] });
    announce(options.saved);
    goTo(['webhooks', webhook.id]);
  });
  return (
    <div class="beside">
      <form
        class="panel form"
        onSubmit={(event) => {
          event.preventDefault();
          run();
        }}
      >
        <OptionsFields draft={draft} onChange={setDraft} event={webhook.event} stored={before} />
        {error !== undefined && <Problem error={error} />}
        <div class="actions">
          <wa-button type="submit" variant="brand" loading={isRunning} disabled={mistakeIn(draft) !== undefined}>
            {frame.save}
          </wa-button>
          <wa-button appearance="plain" href={linkTo(['webhooks', webhook.id])}>
            {frame.cancel}
          </wa-button>
        </div>
      </form>
      <div class="results">
        <OptionsTrial trial={trial} draft={draft} />
        <OptionsPreview webhook={webhook} draft={draft} events={trial.data?.events ?? []} />
      </div>
    </div>
  );
};

/** Lists the options of a webhook as facts in its view. */
export const OptionsFacts = ({ webhook }: { readonly webhook: string }): JSX.Element | null => {
  const { options } = useTexts();
  const { count } = useNumbers();
  const { data } = useOptions(webhook);
  if (data === undefined) return null;
  const { type } = draftOf(data);
  const headers = Object.keys(data.headers);
  return (
    <>
      <dt>{options.format}</dt>
      <dd>
        {options.formats[type]} · <a href={linkTo(['webhooks', webhook, 'options'])}>{options.change}</a>
      </dd>
      {headers.length > 0 && (
        <>
          <dt>{options.headers}</dt>
          <dd>{headers.join(', ')}</dd>
        </>
      )}
      {data.filter !== null && (
        <>
          <dt>{options.filter}</dt>
          <dd>
            <code>{JSON.stringify(data.filter)}</code> · {options.leftOut(count(data.left_out))}
          </dd>
        </>
      )}
      {data.description !== null && (
        <>
          <dt>{options.description}</dt>
          <dd>{data.description}</dd>
        </>
      )}
    </>
  );
};
