/** Reads the options of a webhook, and lists them as facts in its view. */
import type { JSX } from 'preact';
import { get } from '../api/client.ts';
import { draftOf, type Options } from '../api/options.ts';
import { useTexts } from '../texts/dictionary.ts';
import { useNumbers } from '../ui/use-numbers.ts';
import { type QueryState, useQuery } from '../use-query.ts';

const pathOf = (webhook: string): string => `/admin/webhooks/${webhook}/options/`;

/** Reads the options of a webhook. */
export const useOptions = (webhook: string): QueryState<Options> =>
  useQuery(pathOf(webhook), async (signal) => {
    const { options } = await get<{ options: [Options] }>(pathOf(webhook), {}, signal);
    return options[0];
  });

/** Lists the options of a webhook as facts in its view. */
export const OptionsFacts = ({ options: data }: { readonly options: Options }): JSX.Element => {
  const { options } = useTexts();
  const { count } = useNumbers();
  const { type } = draftOf(data);
  const headers = Object.keys(data.headers);
  return (
    <>
      <dt>{options.format}</dt>
      <dd>{options.formats[type]}</dd>
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
      {data.debounce !== null && (
        <>
          <dt>{options.debounce}</dt>
          <dd>{options.debounceHint(`${data.debounce.seconds}`)}</dd>
        </>
      )}
      {data.throttle !== null && (
        <>
          <dt>{options.throttle}</dt>
          <dd>
            {data.throttle.requests} {options.throttlePers[data.throttle.per]}
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
