/** Previews, while options are typed, the request that they produce for an example or an earlier event. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { eventsIn } from '../../../shared/foundation/event-selection.ts';
import { ask } from '../api/client.ts';
import { type Draft, mistakeIn, optionsOf, type Preview, type Trial } from '../api/options.ts';
import type { Webhook } from '../api/resources.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Body, Headers } from '../ui/http-content.tsx';
import { Icon } from '../ui/icon.tsx';
import { Check, CircleSlash } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { Refusal, Skeleton } from '../ui/states.tsx';
import { useLast } from '../use-last.ts';
import { useQuery } from '../use-query.ts';
import { useSettled } from '../use-settled.ts';

type EarlierEvent = Trial['events'][number];

interface OptionsPreviewProps {
  readonly webhook: Pick<Webhook, 'event' | 'target_url'> & Partial<Pick<Webhook, 'id' | 'api_version'>>;
  readonly draft: Draft;
  /** Newest first. */
  readonly events: readonly EarlierEvent[];
}

export const OptionsPreview = ({ webhook, draft, events }: OptionsPreviewProps): JSX.Element => {
  const { options } = useTexts();
  const { event, target_url, api_version, id } = webhook;
  const [eventId, setEventId] = useState('');
  // Of several events, the preview is of the first one, or of the chosen earlier one.
  const previewed = events.find(({ event_id }) => event_id === eventId)?.event ?? eventsIn(event, [])[0] ?? '';
  const isReady = previewed !== '' && URL.canParse(target_url) && mistakeIn(draft) === undefined;
  const earlier = eventId === '' ? {} : { event_id: eventId, webhook_id: id };
  const wanted = isReady
    ? { event: previewed, target_url, api_version, options: optionsOf(draft), ...earlier }
    : undefined;
  return (
    <section class="panel" aria-labelledby="preview">
      <h2 id="preview">{options.preview}</h2>
      <p class="quiet">{options.previewHelp}</p>
      {events.length > 0 && (
        <label class="field">
          <span>{options.previewOf}</span>
          <select value={eventId} onChange={(change) => setEventId(inputValue(change))}>
            <option value="">{options.previewExample}</option>
            {events.map(({ event_id, title }) => (
              <option key={event_id} value={event_id}>
                {title}
              </option>
            ))}
          </select>
        </label>
      )}
      <Request
        question={useSettled(wanted === undefined ? '' : JSON.stringify({ previews: [wanted] }))}
        isFiltered={draft.filter.trim() !== ''}
      />
    </section>
  );
};

interface RequestProps {
  /** The body of the preview request; empty while something is missing. */
  readonly question: string;
  readonly isFiltered: boolean;
}

const Request = ({ question, isFiltered }: RequestProps): JSX.Element => {
  const { options } = useTexts();
  const { data, error } = useQuery(`preview ${question}`, async (signal) => {
    if (question === '') return undefined;
    return (await ask<{ previews: [Preview] }>('/admin/webhooks/preview/', JSON.parse(question), signal)).previews[0];
  });
  const shown = useLast(data);
  if (question === '') return <p class="quiet">{options.previewNeeds}</p>;
  if (error !== undefined) return <Refusal error={error} />;
  if (shown === undefined) return <Skeleton />;
  return (
    <>
      {isFiltered && (
        <p role="status" class={shown.matched ? 'result good' : 'result'}>
          <Icon of={shown.matched ? Check : CircleSlash} /> {shown.matched ? options.passes : options.isLeftOut}
        </p>
      )}
      <code>
        {shown.method} {shown.url}
      </code>
      {shown.body === '' ? <p class="quiet">{options.noBody}</p> : <Body text={shown.body} />}
      <Headers of={shown.headers} />
    </>
  );
};
