/** Stubs of the deliver function's AWS ports with almost no cost. Import this before the function. */
import { registerHooks } from 'node:module';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';

const urlOf = (file: string): string => pathToFileURL(join(import.meta.dirname, '../../shared', file)).href;
const table = ['batch', 'item', 'query', 'transaction'];
const stubs: Readonly<Record<string, string>> = {
  ...Object.fromEntries(table.map((file) => [urlOf(`table/${file}.ts`), 'stubbed-table.ts'])),
  [urlOf('aws/queues.ts')]: 'stubbed-queues.ts',
};

registerHooks({
  resolve(specifier, context, next) {
    const resolved = next(specifier, context);
    const stub = stubs[resolved.url];
    return stub === undefined ? resolved : { ...resolved, url: new URL(stub, import.meta.url).href };
  },
});

Object.assign(process.env, {
  TABLE_NAME: 'stubbed',
  LOG_LEVEL: 'SILENT',
  SETTINGS: JSON.stringify({
    stage: 'bench',
    publication: { name: 'Bench', url: 'https://bench.example' },
    mail: { from: 'desk@bench.example' },
    targets: { allowHttp: true, allowRanges: ['loopback'] },
  }),
});

/** Yields batches of the normal lane as Lambda does, endlessly: each event goes to `size` webhooks, which are in the table. */
export const makeDeliveries = async (origin: string, size: number): Promise<() => object> => {
  const { target } = await import('./stubbed-table.ts');
  target.url = `${origin}/hook`;
  let events = 0;
  return () => {
    events++;
    const body_hash = events.toString(16).padStart(64, '0');
    const created_at = new Date().toISOString();
    return {
      Records: Array.from({ length: size }, (_, hook) => ({
        messageId: `${events}-${hook}`,
        eventSourceARN: 'arn:aws:sqs:eu-central-1:000000000000:masthead-bench-deliveries',
        body: JSON.stringify({
          delivery_id: `${events.toString(16).padStart(12, '0')}${hook.toString(16).padStart(12, '0')}`,
          webhook_id: hook.toString(16).padStart(24, '0'),
          body_hash,
          event: 'post.published',
          event_id: `e${events}`,
          created_at,
          attempt: 1,
          trigger: 'event',
        }),
      })),
    };
  };
};
