/** Stubs of the deliver function's AWS ports with almost no cost. Import this before the function. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { settingsText } from '../support/settings-text.ts';

const root = pathToFileURL(join(import.meta.dirname, '../../')).href;
const stubbed = (file: string): string => new URL(file, import.meta.url).href;
const product = (file: string): string => `${root}shared/${file}`;

const stubs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(
    ['batch', 'item', 'query', 'transaction'].map((file) => [product(`table/${file}.ts`), stubbed('stubbed-table.ts')]),
  ),
  [product('aws/queues.ts')]: stubbed('stubbed-queues.ts'),
};

/** Imported with this query, a function and all of its modules are a second copy that logs, measures and counts nothing. */
const quietly = '?quietly';
/** The modules that log, measure and count deliveries. */
const logging: Readonly<Record<string, string>> = {
  [product('deliveries/record.ts')]: product(`deliveries/store.ts${quietly}`),
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

/** Imports the function as it is deployed. */
export const importDeliver = (): Promise<Deliver> => import('../../functions/deliveries/deliver.ts');
/** Imports a copy of it without log lines, metrics and statistics. */
export const importQuietDeliver = (): Promise<Deliver> => import(`../../functions/deliveries/deliver.ts${quietly}`);

/**
 * Makes batches of the normal lane as Lambda does, endlessly. Each message is of another event, for the same cohort of webhooks, which are
 * in the table.
 * @param size the webhooks of the cohort
 */
export const makeDeliveries = async (origin: string, size: number): Promise<(messages: number) => object> => {
  const { target } = await import('./stubbed-table.ts');
  target.url = `${origin}/hook`;
  const webhook_ids = Array.from({ length: size }, (_, hook) => hook.toString(16).padStart(24, '0'));
  let events = 0;
  const nextRecord = (): object => {
    events++;
    return {
      messageId: `${events}`,
      eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:masthead-bench-deliveries',
      body: JSON.stringify({
        cohort: 'c'.repeat(24),
        webhook_ids,
        body_hash: events.toString(16).padStart(64, '0'),
        event: 'post.published',
        event_id: `e${events}`,
        created_at: new Date().toISOString(),
        first: true,
      }),
    };
  };
  return (messages) => ({ Records: Array.from({ length: messages }, nextRecord) });
};
