/** Nearly free stubs of the deliver function's AWS ports. Import this before the function. */
import { existsSync } from 'node:fs';
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { settingsText } from '../../test/support/settings-text.ts';
import { payload } from './bare-loop.ts';

const root = pathToFileURL(join(import.meta.dirname, '../../')).href;
const stubbed = (file: string): string => new URL(file, import.meta.url).href;
/** Throws if a file has moved: otherwise its module would silently not be replaced. */
const product = (file: string): string => {
  const url = `${root}shared/${file}`;
  if (!existsSync(new URL(url))) throw new Error(`There is no ${url} to replace: name its new place.`);
  return url;
};

const stubs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['batch', 'item', 'query', 'transaction'].map((file) => [product(`table/${file}.ts`), stubbed('stubbed-table.ts')]),
  ),
  [product('aws/queues.ts')]: stubbed('stubbed-queues.ts'),
};

/** Importing with this query loads a second copy of a function and all of its modules that logs, measures and counts nothing. */
const quietly = '?quietly';
/** The modules that log, measure and count deliveries. */
const logging: Readonly<Record<string, string>> = {
  [product('deliveries/records/record.ts')]: `${stubbed('stubbed-record.ts')}${quietly}`,
  [product('stats/count.ts')]: stubbed('stubbed-count.ts'),
};

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const [url = ''] = resolved.url.split('?');
    const stub = stubs[url];
    if (stub !== undefined) return { ...resolved, url: stub };
    const isQuiet = resolved.url.endsWith(quietly) || context.parentURL?.endsWith(quietly) === true;
    if (!isQuiet || !(url.startsWith(`${root}shared/`) || url.startsWith(`${root}functions/`))) return resolved;
    return { ...resolved, url: logging[url] ?? `${url}${quietly}` };
  },
});

Object.assign(process.env, {
  TABLE_NAME: 'stubbed',
  SERVICE_NAME: 'masthead-bench',
  METRICS_NAMESPACE: 'Masthead',
  SETTINGS: settingsText({
    stage: 'bench',
    publication: { name: 'Bench', url: 'https://bench.example' },
    mail: { from: 'desk@bench.example' },
    targets: { allowHttp: true, allowRanges: ['loopback'] },
  }),
});

type Deliver = typeof import('../../functions/deliveries/deliver.ts');

/** Imports the function as deployed. */
export const importDeliver = (): Promise<Deliver> => import('../../functions/deliveries/deliver.ts');
/** Imports a copy without log lines, metrics and statistics. */
export const importQuietDeliver = (): Promise<Deliver> => import(`../../functions/deliveries/deliver.ts${quietly}`);

/**
 * What a batch contains. `few`: events for ten webhooks each, whose messages carry the payload. `many`: one event for more webhooks than fit into the
 * batch, whose payload is read from the table.
 */
export type Events = 'few' | 'many';

/** The number of webhooks in a cohort. */
const ofCohort = 10;

/** Returns an id. Ids of a cohort differ in the last two characters only. */
const idOf = (number: number): WebhookId => {
  const cohort = Math.floor(number / ofCohort).toString(16);
  return `${cohort.padStart(22, '0')}0${number % ofCohort}` as WebhookId;
};

/** Makes any number of batches of the normal lane: the messages that fan-out sends, as Lambda's records. Their webhooks are in the stubbed table. */
export const makeDeliveries = async (origin: string): Promise<(messages: number, events: Events) => object> => {
  const { target } = await import('./stubbed-table.ts');
  target.url = `${origin}/hook`;
  const { firstMessages } = await import('../../shared/deliveries/fan-out/first-messages.ts');
  const { bodyHash, bodyOf } = await import('../../shared/events/event.ts');
  const subscribers = (cohorts: number) =>
    Array.from({ length: cohorts * ofCohort }, (_, number) => ({ webhook_id: idOf(number) }));
  const text = JSON.stringify(payload);
  let events = 0;
  const messagesOf = (cohorts: number) => {
    const id = `e${++events}`;
    const now = Date.now();
    const accepted_at = new Date(now).toISOString();
    const event = { kind: 'event', id, publisher: 'bench', event: 'post.published', accepted_at, payload } as const;
    const body = bodyOf(event, { payload: text }, 30, now);
    const page = { subscribers: subscribers(cohorts), isFirst: true };
    return firstMessages(body, bodyHash(event.publisher, id), page, [5]);
  };
  let messages = 0;
  const recordOf = ({ message }: ReturnType<typeof messagesOf>[number]) => ({
    messageId: `${++messages}`,
    attributes: { SentTimestamp: `${Date.now()}` },
    eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:masthead-bench-deliveries',
    body: JSON.stringify(message),
  });
  return (count, kind) => {
    const sent =
      kind === 'many'
        ? messagesOf(count + 1).slice(0, count)
        : Array.from({ length: count }, () => messagesOf(1)).flat();
    if (sent.length !== count) throw new Error(`Fan-out sends ${sent.length} messages instead of ${count}.`);
    return { Records: sent.map(recordOf) };
  };
};
