/** Kills an import after each of its requests, those that record a step among them, and runs it again. */
import { writeFileSync } from 'node:fs';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { eventually } from './eventual.ts';
import { cleanStage, importer } from './ghost-import.ts';
import { type FakeGhostSite, startGhostSite } from './ghost-site.ts';
import { receiveWebhooks, type WebhookReceiver } from './parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from './parts-running-stack.ts';

const home = temporaryHome();
process.env.MASTHEAD_HOME = home.folder;
let running: RunningStack;
let receiver: WebhookReceiver;
let cases = 0;
beforeAll(async () => {
  [running, receiver] = await Promise.all([runStack(home.folder, ['--memory']), receiveWebhooks()]);
});
afterAll(async () => {
  receiver.close();
  await running.end('SIGTERM');
  home.remove();
});

const events = ['post.published', 'member.added'] as const;
const receivers = [
  ['post.published', 'posts'],
  ['post.published', 'other-posts'],
  ['member.added', 'members'],
] as const;

interface World {
  readonly site: FakeGhostSite;
  readonly run: ReturnType<typeof importer>;
  readonly fire: () => Promise<number[]>;
  readonly state: () => Promise<unknown>;
}

const makeWorld = async (): Promise<World> => {
  const prefix = `/${cases++}`;
  const site = await startGhostSite();
  const target = (path: string) => `${receiver.origin}${prefix}/${path}`;
  site.add('Shop', [
    { event: 'post.published', target_url: target('posts'), secret: 'shop' },
    { event: 'member.added', target_url: target('members'), secret: null, api_version: 'v4' },
  ]);
  site.add('Blog', [{ event: 'post.published', target_url: target('other-posts'), secret: null }]);
  let fired = 0;
  const blank = (value: unknown): unknown =>
    JSON.parse(
      JSON.stringify(value)
        .replaceAll(/\b[0-9a-f]{64}\b/g, '<secret>')
        .replaceAll(/\b[0-9a-f]{24}\b/g, '<id>')
        .replaceAll(site.url, '<site>')
        .replaceAll(site.url.replace(/^http:\/\//, ''), '<site>')
        .replaceAll(/site [0-9a-f-]{36}/g, 'site <uuid>')
        .replaceAll(`${receiver.origin}${prefix}/`, '<receiver>/')
        .replaceAll(/"last_triggered_\w+":(?:null|"[^"]*"),?/g, '"":0,'),
    );
  const sorted = (values: readonly unknown[]): unknown[] =>
    values
      .map((value) => JSON.stringify(value))
      .sort()
      .map((text) => blank(JSON.parse(text)));
  return {
    site,
    run: importer(site, running),
    fire: async () => {
      const title = `${prefix} event ${fired++}`;
      for (const event of events)
        await site.fire(event, { [event.split('.')[0] ?? '']: { current: { title }, previous: {} } });
      const counts = () =>
        receivers.map(
          ([, path]) =>
            receiver.deliveries.filter((one) => one.path === `${prefix}/${path}` && one.body.includes(`"${title}"`))
              .length,
        );
      await eventually('a delivery for each receiver', async () => counts().every((count) => count > 0) || undefined);
      return counts();
    },
    state: async () => {
      const { body } = await running.call('GET', '/admin/integrations/?include=webhooks&limit=100', {
        key: running.stack.adminKey,
      });
      const here = body.integrations.filter((one: { description: string | null }) =>
        one.description?.includes(`${site.url} `),
      );
      const nameOf = new Map(site.integrations.map(({ id, name }) => [id, name]));
      return {
        ghost: [
          sorted(site.integrations.map(({ id: _, ...one }) => one)),
          sorted(
            site.webhooks.map(({ id: _, integration_id, ...one }) => ({ ...one, in: nameOf.get(integration_id) })),
          ),
        ],
        here: sorted(
          here.map(({ name, description, webhooks }: Record<string, unknown>) => ({
            name,
            description,
            webhooks: sorted(
              (webhooks as Record<string, unknown>[]).map(({ event, target_url, name: own, api_version, status }) => ({
                event,
                target_url,
                own,
                api_version,
                status,
              })),
            ),
          })),
        ),
      };
    },
  };
};

interface Row {
  readonly direction: string;
  readonly point: number;
  readonly after: string;
  readonly between: string;
  readonly rerun: string;
}
const table: Row[] = [];
afterAll(() => {
  const file = process.env.KILL_POINTS;
  if (file === undefined) return;
  const lines = table.map(
    (row) => `| ${row.direction} | ${row.point} | ${row.after} | ${row.between} | ${row.rerun} |`,
  );
  writeFileSync(
    file,
    ['| direction | point | killed after | events between | rerun |', '|---|---:|---|---|---|', ...lines, ''].join(
      '\n',
    ),
  );
});

const minutes = (count: number): number => count * 60_000;

/** Specifies one direction: a rerun ends in the state of an undisturbed run, and no event is lost in between. */
export const killEverywhere = (direction: 'switch' | 'undo'): void => {
  it(
    `--${direction}, killed after each request`,
    async () => {
      const reference = await makeWorld();
      const before = await reference.state();
      const applied = await reference.run('switch');
      expect(applied.error).toBeUndefined();
      const switched = await reference.state();
      const undone = await reference.run('undo');
      expect(undone.error).toBeUndefined();
      expect(await reference.state()).toEqual(before);
      const { points } = direction === 'switch' ? applied : undone;
      const wanted = direction === 'switch' ? switched : before;
      expect(points.length).toBeGreaterThan(20);

      for (let killAt = 1; killAt <= points.length; killAt++) {
        const world = await makeWorld();
        if (direction === 'undo') expect((await world.run('switch')).error).toBeUndefined();
        const killed = await world.run(direction, { isKilled: ({ length }) => length >= killAt });
        const where = `${direction}, killed at ${killAt} of ${points.length}: ${killed.points.at(-1)}`;
        const between = await world.fire().catch(() => expect.fail(`${where}: an event was lost`));
        const rerun = await world.run(direction);
        // The record is deleted last, and after that there is no import.
        if (killed.points.at(-1) !== 'here DELETE /admin/moves/<site>/') expect(rerun.error, where).toBeUndefined();
        expect(await world.state(), where).toEqual(wanted);
        expect(await world.fire(), where).toEqual([1, 1, 1]);
        if (direction === 'switch') expect((await world.run('undo')).error, where).toBeUndefined();
        await cleanStage(world.site, running);
        world.site.close();
        const count = Math.max(...between);
        table.push({
          direction,
          point: killAt,
          after: killed.points.at(-1) ?? '',
          between: count === 1 ? 'each once' : `each at least once, at most ${count} times`,
          rerun: 'the same state as undisturbed; each event once',
        });
      }
    },
    minutes(30),
  );
};
