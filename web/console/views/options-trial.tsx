/** Tests a filter, while it is typed, against the webhook's newest events. */
import type { JSX } from 'preact';
import { ask } from '../api/client.ts';
import { type Draft, mistakeIn, type Trial } from '../api/options.ts';
import { linkTo } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from '../ui/icon.tsx';
import { Check, CircleSlash } from '../ui/icons.ts';
import { Refusal, Skeleton } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { useLast } from '../use-last.ts';
import { type QueryState, useQuery } from '../use-query.ts';
import { useSettled } from '../use-settled.ts';

/** Returns the trial of a filter. The last one stays until the next; undefined without a filter or a webhook. */
export const useTrial = (webhook: string | undefined, draft: Draft): QueryState<Trial | undefined> => {
  const filter = useSettled(mistakeIn(draft) === 'filter' ? '' : draft.filter.trim());
  const path = `/admin/webhooks/${webhook}/trial/`;
  const query = useQuery(`${path} ${filter}`, async (signal) => {
    if (filter === '' || webhook === undefined) return undefined;
    const question = { trials: [{ filter: JSON.parse(filter) as unknown }] };
    return (await ask<{ trials: [Trial] }>(path, question, signal)).trials[0];
  });
  const last = useLast(query.data);
  return { ...query, data: filter === '' ? undefined : last };
};

interface OptionsTrialProps {
  readonly trial: QueryState<Trial | undefined>;
}

export const OptionsTrial = ({ trial: { data, error } }: OptionsTrialProps): JSX.Element => {
  const { options } = useTexts();
  return (
    <div class="panel">
      <h2 id="trial">{options.trial}</h2>
      <Result trial={data} error={error} />
    </div>
  );
};

interface ResultProps {
  readonly trial: Trial | undefined;
  readonly error: unknown;
}

const Result = ({ trial, error }: ResultProps): JSX.Element => {
  const { options } = useTexts();
  if (error !== undefined) return <Refusal error={error} />;
  if (trial === undefined) return <Skeleton />;
  const { matched, events } = trial;
  if (events.length === 0) return <p class="quiet">{options.noEvents}</p>;
  return (
    <>
      <p role="status">
        <strong>{options.trialResult(matched, events.length)}</strong>
      </p>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region is reachable by keyboard (WCAG 2.1.1) */}
      <div class="scroll" tabIndex={0} role="region" aria-labelledby="trial">
        <table>
          <thead>
            <tr>
              <th scope="col">{options.result}</th>
              <th scope="col">{options.event}</th>
              <th scope="col">{options.time}</th>
            </tr>
          </thead>
          <tbody>
            {events.map((event) => (
              <tr key={event.event_id}>
                <td>
                  <span class={event.matched ? 'status good' : 'status'}>
                    <Icon of={event.matched ? Check : CircleSlash} />
                    {event.matched ? options.pass : options.leaveOut}
                  </span>
                </td>
                <td>
                  <a href={linkTo(['deliveries'], { event_id: event.event_id })}>{event.title}</a>
                  {event.left_out && <span class="quiet"> · {options.leftOutNow}</span>}
                </td>
                <td>
                  <Time at={event.created_at} />
                </td>
              </tr>
            ))}
          </tbody>
        </table>
      </div>
    </>
  );
};
