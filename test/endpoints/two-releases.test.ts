/** Two releases share table and queues during a deployment; here their format versions differ (docs/formats.md). */
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { build, type Plugin } from 'esbuild';
import { afterAll, describe, expect, it } from 'vitest';
import { bundleOptions } from '../../infra/cdk/bundle.ts';
import { root } from '../../infra/cdk/root.ts';
import { format } from '../../shared/foundation/format.ts';
import { deliveryTools } from '../support/deliveries.ts';
import { freshStack } from '../support/parts.ts';
import { receiveWebhooks } from '../support/parts-receiver.ts';

const functions = ['setup/seed', 'webhooks/create', 'events/publish', 'deliveries/fan-out', 'deliveries/deliver'];
const folder = mkdtempSync(join(tmpdir(), 'masthead-releases-'));

/** Compiles the functions as those of a later release, which writes a higher format. */
const bundle = async (raisedBy: number): Promise<void> => {
  const raise: Plugin = {
    name: 'raise the format',
    setup: ({ onLoad }) =>
      onLoad({ filter: /foundation\/format\.ts$/ }, ({ path }) => ({
        loader: 'ts',
        contents: readFileSync(path, 'utf8').replace(
          /^export const format = .*$/m,
          `export const format = ${format + raisedBy};`,
        ),
      })),
  };
  const options = bundleOptions(root, functions);
  await build({
    ...options,
    minify: false,
    sourcemap: false,
    plugins: [raise, ...options.plugins],
    outdir: join(folder, String(raisedBy)),
  });
};
await Promise.all([0, 1, 2].map(bundle));

const releases = { current: 0, next: 1, 'one after next': 2 } as const;
let running: keyof typeof releases = 'current';
const on = (release: keyof typeof releases): void => {
  running = release;
};
const stack = await freshStack({}, async (name) => {
  const file = join(folder, String(releases[running]), name, 'index.mjs');
  return (await import(/* @vite-ignore */ pathToFileURL(file).href)).handler;
});
const keys = await stack.seed();
const { webhook, publish, rows } = deliveryTools(stack, keys);
const receiver = await receiveWebhooks((response) => response.writeHead(200).end());
afterAll(() => {
  receiver.close();
  rmSync(folder, { recursive: true });
});
const arrivals = (path: string) => receiver.deliveries.filter((delivery) => delivery.path === path);

describe('an event', () => {
  it.each([
    ['current', 'next'],
    ['next', 'current'],
  ] as const)(
    'that the %s release accepts for its own webhook is delivered by the %s release',
    async (first, second) => {
      const path = `/${first}`;
      on(first);
      const { id } = await webhook(`${receiver.origin}${path}`);
      expect((await publish()).status).toBe(202);
      on(second);
      expect(await stack.drain('deliveries')).toMatchObject({ failed: 0 });
      expect(arrivals(path)).toHaveLength(1);
      expect(await rows(id)).toMatchObject([{ status: 'delivered' }]);
    },
  );

  it('stays in the queue if the running release cannot read it, and is delivered by the next release', async () => {
    const path = '/waits';
    on('current');
    await webhook(`${receiver.origin}${path}`);
    expect((await publish()).status).toBe(202);
    on('one after next');
    const { succeeded, failed } = await stack.drain('deliveries');
    expect([succeeded, failed > 0]).toEqual([0, true]);
    expect(arrivals(path)).toEqual([]);
    on('next');
    expect(await stack.drain('deliveries')).toMatchObject({ failed: 0 });
    expect(arrivals(path)).toHaveLength(1);
  });
});
