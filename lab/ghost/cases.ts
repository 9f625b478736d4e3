/** Moves a real Ghost site to a local stack and back, and compares every byte that receivers get. */
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { createRequire } from 'node:module';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { ghostEvents } from '../../shared/foundation/event-names.ts';
import { runStack } from '../../test/support/parts-running-stack.ts';
import { runScript } from '../../test/support/run-script.ts';
import { causeAllEvents, publishLarge } from './events.ts';
import type { InstalledGhost } from './install.ts';
import { type RealGhost, startGhost } from './site.ts';

/** Plays all cases, prints the transcript, and returns how many checks failed. */
export const playCases = async (installed: InstalledGhost): Promise<number> => {
  const home = mkdtempSync(join(tmpdir(), 'masthead-ghost-lab-'));
  const bodies = new Map<string, string[]>();
  const receiver = createServer(async (request, response) => {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const path = request.url ?? '';
    bodies.set(path, [...(bodies.get(path) ?? []), Buffer.concat(chunks).toString()]);
    response.writeHead(200).end();
  }).listen(0, '127.0.0.1');
  await new Promise((resolve) => receiver.once('listening', resolve));
  const origin = `http://127.0.0.1:${(receiver.address() as AddressInfo).port}`;

  let failures = 0;
  const check = (what: string, holds: boolean, detail: unknown = ''): void => {
    console.log(`${holds ? '✓' : '✗'} ${what}${holds ? '' : `\n${String(detail)}`}`);
    if (!holds) failures++;
  };
  const waitFor = async (holds: () => boolean | Promise<boolean>, seconds = 30): Promise<boolean> => {
    for (let tries = 0; tries < seconds * 5; tries++) {
      if (await holds()) return true;
      await new Promise((resolve) => setTimeout(resolve, 200));
    }
    return false;
  };

  /** Runs the command, and prints the command line and its output with long lists shortened. */
  const run = async (ghost: RealGhost, ...args: string[]) => {
    const began = performance.now();
    const result = await runScript('infra/ops/ops.ts', ['import-ghost', '--from', ghost.url, ...args], {
      MASTHEAD_HOME: home,
      GHOST_TOKEN: ghost.token,
    });
    const lines = result.output.trim().split('\n');
    const shown =
      lines.length > 24 ? [...lines.slice(0, 12), `  … ${lines.length - 20} lines …`, ...lines.slice(-8)] : lines;
    const seconds = ((performance.now() - began) / 1000).toFixed(1);
    console.log(
      `\n$ import-ghost --from <site> ${args.join(' ')}\n${shown.join('\n')}\n[exit code ${result.code}, ${seconds} s]`,
    );
    return result;
  };

  // biome-ignore lint/suspicious/noExplicitAny: the answers of Ghost
  type Answer = any;
  const integrations = async (ghost: RealGhost): Promise<Answer[]> =>
    (await ghost.call('GET', '/integrations/?include=webhooks&limit=100')).integrations;
  const add = async (ghost: RealGhost, name: string, webhooks: readonly object[]): Promise<string> => {
    const known = (await integrations(ghost)).find((one) => one.name === name);
    const { id } = known ?? (await ghost.call('POST', '/integrations/', { integrations: [{ name }] })).integrations[0];
    for (const webhook of webhooks)
      await ghost.call('POST', '/webhooks/', { webhooks: [{ integration_id: id, ...webhook }] });
    return id;
  };
  const originals = async (ghost: RealGhost): Promise<Answer[]> =>
    (await integrations(ghost))
      .flatMap(({ webhooks }) => webhooks)
      .filter(({ target_url }) => target_url.startsWith(origin));

  const changing = /^(id|integration_id|created_at|updated_at|last_triggered_.*)$/;
  /** Returns integrations and webhooks as lines with the wanted fields: a restored webhook may change others. */
  const linesOf = (found: readonly Answer[], wanted: (field: string) => boolean): string[] =>
    found
      .flatMap(({ name, type, webhooks }) => [
        `${type} ${name}`,
        ...webhooks.map(
          (one: Record<string, unknown>) =>
            `${name} | ${one.event} ${one.target_url} | ${Object.entries(one)
              .filter(([field]) => wanted(field))
              .map(([field, value]) => `${field}=${value}`)
              .join(' ')}`,
        ),
      ])
      .sort();
  const compare = (what: string, before: readonly Answer[], after: readonly Answer[]): void => {
    const [one, other] = [before, after].map((found) => linesOf(found, (field) => !changing.test(field)));
    const differing = (other ?? []).filter((line) => !(one ?? []).includes(line));
    check(
      `${what}: the same except for ids, times and last_triggered_*`,
      JSON.stringify(one) === JSON.stringify(other),
      differing.join('\n'),
    );
    const [ids, otherIds] = [before, after].map((found) => linesOf(found, (field) => changing.test(field)));
    const changed = (otherIds ?? []).filter((line) => !(ids ?? []).includes(line));
    console.log(
      `  ${changed.length} webhooks differ in these fields, such as\n ` +
        ` before ${(ids ?? []).find((line) => line.includes('|'))}\n  after  ${changed[0] ?? '–'}`,
    );
  };

  const stack = await runStack(home, ['--memory']);
  let ghost: RealGhost | undefined;
  try {
    ghost = await startGhost(installed);
    console.log(
      `Ghost ${(await ghost.call('GET', '/site/')).site.version} at ${ghost.url}, the stage at ${stack.stack.baseUrl}`,
    );

    console.log('\n## 1. Ghost does not send to private addresses (its default)');
    const at = (path: string) => `${origin}/${path}`;
    await add(ghost, 'Shop', [
      { event: 'post.published', target_url: at('shop/posts'), secret: 'shop secret', name: 'Shop posts' },
      { event: 'post.unpublished', target_url: at('shop/posts'), secret: 'shop secret' },
      { event: 'page.published', target_url: at('shop/pages') },
      { event: 'member.added', target_url: at('shop/members'), secret: 'größer' },
    ]);
    await add(ghost, 'Search', [
      { event: 'post.published', target_url: at('search') },
      { event: 'post.published.edited', target_url: at('search') },
      { event: 'post.deleted', target_url: at('search') },
    ]);
    await add(ghost, 'Newsletter', [
      { event: 'member.added', target_url: at('newsletter') },
      { event: 'member.edited', target_url: at('newsletter') },
      { event: 'member.deleted', target_url: at('newsletter') },
    ]);
    const atFirst = await integrations(ghost);
    const silenced = await run(ghost, '--apply', '--switch');
    check(
      'it fails, names the private address and removes nothing',
      silenced.code === 1 && /private addresses/.test(silenced.output) && (await originals(ghost)).length === 10,
      silenced.output,
    );
    await run(ghost, '--undo');

    console.log('\n## 2. Ten webhooks of three integrations, there and back');
    await ghost.stop();
    await ghost.start({ allowInternal: true });
    await run(ghost, '--switch', '--apply').then(({ code, output }) => check('it succeeds', code === 0, output));
    check('no original is left at Ghost', (await originals(ghost)).length === 0);
    await publishLarge(ghost, 2000);
    check(
      'each receiver of post.published gets the post once',
      await waitFor(() => bodies.get('/shop/posts')?.length === 1 && bodies.get('/search')?.length === 1),
      [...bodies.keys()],
    );
    await run(ghost, '--check').then(({ code, output }) =>
      check('the check finds everything in order', code === 0, output),
    );
    const later = { event: 'page.deleted', target_url: at('later') };
    await add(ghost, 'Search', [later]);
    await run(ghost, '--check').then(({ output }) =>
      check(
        'the check lists a webhook that was added since, with the command that moves it',
        output.includes(later.target_url) && output.includes('--apply --switch'),
        output,
      ),
    );
    const { body } = await stack.call('GET', '/admin/relays/', { key: stack.stack.adminKey });
    check('the stage has it, too', body.relays[0].unmoved[0]?.event === later.event, JSON.stringify(body));
    const added = (await integrations(ghost)).flatMap(({ webhooks }) => webhooks);
    await ghost.call('DELETE', `/webhooks/${added.find(({ target_url }) => target_url === later.target_url).id}/`);
    await run(ghost, '--undo').then(({ code, output }) => check('the undo succeeds', code === 0, output));
    compare('after --undo', atFirst, await integrations(ghost));

    console.log('\n## 3. All 29 events, to webhooks with labels of older versions');
    for (const { id } of (await integrations(ghost)).filter(({ type }) => type === 'custom'))
      await ghost.call('DELETE', `/integrations/${id}/`);
    for (const [position, name] of ['One', 'Two', 'Three'].entries())
      await add(
        ghost,
        name,
        ghostEvents
          .filter((_, index) => index % 3 === position)
          .map((event) => ({ event, target_url: at(`moved/${event}`) })),
      );
    const subscribed = await subscribe(installed.client, ghost, (name) => at(`client/${name}`));
    await ghost.stop();
    ghost.sql(
      "update webhooks set api_version = 'v4' where event like 'member%' or event like 'post.pub%'; " +
        "update webhooks set api_version = 'v5' where event like 'page%'",
    );
    await ghost.start({ allowInternal: true });
    const before29 = await integrations(ghost);
    const moving = run(ghost, '--apply', '--switch');
    // Every event has a subscriber, so the command waits for a real event.
    const editing = setInterval(
      () => void ghost?.call('POST', '/tags/', { tags: [{ name: `Tag ${Date.now()}` }] }).catch(() => undefined),
      3000,
    );
    const moved = await moving;
    clearInterval(editing);
    check('it waits for a real event and succeeds', moved.code === 0, moved.output);
    await add(
      ghost,
      'Zapier',
      ghostEvents.map((event) => ({ event, target_url: at(`control/${event}`) })),
    );
    await new Promise((resolve) => setTimeout(resolve, 3000));
    bodies.clear();
    const received = () => [...bodies.values()].reduce((total, list) => total + list.length, 0);
    await causeAllEvents(ghost, async () => {
      for (let before = -1; before !== received(); ) {
        before = received();
        await new Promise((resolve) => setTimeout(resolve, 700));
      }
    });
    await publishLarge(ghost, 1000);
    const settled = () =>
      ghostEvents.every(
        (event) =>
          (bodies.get(`/control/${event}`)?.length ?? 0) > 0 &&
          bodies.get(`/control/${event}`)?.length === bodies.get(`/moved/${event}`)?.length,
      );
    await waitFor(settled, 60);
    const same = ghostEvents.filter((event) => {
      const [control = [], arrived = []] = [bodies.get(`/control/${event}`), bodies.get(`/moved/${event}`)];
      return control.length > 0 && JSON.stringify([...control].sort()) === JSON.stringify([...arrived].sort());
    });
    check(
      `${same.length} of 29 events arrive byte for byte as at the control webhook`,
      same.length === 29,
      ghostEvents
        .filter((event) => !same.includes(event))
        .map(
          (event) =>
            `${event}: ${bodies.get(`/control/${event}`)?.length} at the control, ` +
            `${bodies.get(`/moved/${event}`)?.length} moved`,
        )
        .join('\n'),
    );

    for (const [name, trigger] of subscribed) {
      const got = () => bodies.get(`/client/${name}`) ?? [];
      await waitFor(() => got().length > 0);
      const runs = await Promise.all(got().map((body) => trigger.run({ payload: { body: JSON.parse(body) } })));
      check(
        `Activepieces takes each of ${runs.length} relayed events as ${name}`,
        runs.length > 0 && runs.every(({ length }) => length === 1),
        got()[0],
      );
    }

    console.log('\n## 4. Somebody deletes the integration Masthead, and then one whose webhooks were moved');
    const masthead = (await integrations(ghost)).find(({ name }) => name === 'Masthead');
    await ghost.call('DELETE', `/integrations/${masthead.id}/`);
    await run(ghost, '--check').then(({ code, output }) =>
      check('the check says so', code === 1 && output.includes('was deleted at Ghost'), output),
    );
    const repairing = run(ghost, '--apply', '--switch');
    const editingAgain = setInterval(
      () => void ghost?.call('POST', '/tags/', { tags: [{ name: `Tag ${Date.now()}` }] }).catch(() => undefined),
      3000,
    );
    await repairing.then(({ code, output }) => check('the next run makes it again and proves it', code === 0, output));
    clearInterval(editingAgain);
    bodies.clear();
    await publishLarge(ghost, 1000);
    check('events arrive again', await waitFor(() => bodies.get('/moved/post.published')?.length === 1));
    const one = (await integrations(ghost)).find(({ name }) => name === 'One');
    await ghost.call('DELETE', `/integrations/${one.id}/`);
    await run(ghost, '--undo').then(({ code, output }) =>
      check('the undo makes the integration again', code === 0, output),
    );
    const withoutControl = (found: readonly Answer[]) =>
      found.map((each) => (each.name === 'Zapier' ? { ...each, webhooks: [] } : each));
    compare('after --undo', withoutControl(before29), withoutControl(await integrations(ghost)));

    console.log('\n## 5. A post of 0.4 MB of HTML');
    await run(ghost, '--apply');
    bodies.clear();
    await publishLarge(ghost, 400_000);
    await waitFor(() => (bodies.get('/moved/post.published')?.length ?? 0) === 2, 60);
    const [large = '', relayed = ''] = bodies.get('/moved/post.published') ?? [];
    check(
      `its event of ${large.length} bytes arrives from both sides, byte for byte`,
      large.length > 1_048_576 && large === relayed,
      `${large.length} ${relayed.length}`,
    );
    await run(ghost, '--undo');

    console.log('\n## 6. URLs and keys');
    const own = (await ghost.call('POST', '/integrations/?include=api_keys', { integrations: [{ name: 'Key' }] }))
      .integrations[0];
    const adminKey = own.api_keys.find(({ type }: Answer) => type === 'admin').secret;
    await run({ ...ghost, url: ghost.url, token: adminKey }).then(({ code, output }) =>
      check(
        "an integration's key is refused in a sentence",
        code === 1 && /not the key of an integration/.test(output),
        output,
      ),
    );
    await run({ ...ghost, url: ghost.url, token: `${'a'.repeat(24)}:${'b'.repeat(64)}` }).then(({ code, output }) =>
      check('a wrong key is refused in a sentence', code === 1 && /does not accept the key/.test(output), output),
    );
    const { token } = ghost;
    await ghost.stop();
    await ghost.start({ allowInternal: true, subPath: '/blog' });
    await run({ ...ghost, url: ghost.url.replace('/blog', ''), token }).then(({ code, output }) =>
      check(
        'the root of a site under a sub-path is refused in a sentence',
        code === 1 && /--from/.test(output),
        output,
      ),
    );
    await run({ ...ghost, url: ghost.url, token }).then(({ code, output }) =>
      check('its own path works', code === 0, output),
    );
  } catch (error) {
    failures++;
    console.error(error, ghost?.log());
  } finally {
    await ghost?.remove();
    await stack.end('SIGTERM');
    receiver.close();
    receiver.closeAllConnections();
    rmSync(home, { recursive: true, force: true });
  }
  return failures;
};

interface Trigger {
  readonly onEnable: (context: object) => Promise<void>;
  readonly run: (context: object) => Promise<readonly unknown[]>;
}

/** Subscribes each trigger of a real client, with the key of an integration of its own. */
const subscribe = async (client: string, ghost: RealGhost, targetOf: (name: string) => string) => {
  const { ghostcms } = createRequire(import.meta.url)(client) as { ghostcms: { _triggers: Record<string, Trigger> } };
  const integration = { integrations: [{ name: 'Activepieces' }] };
  const [{ api_keys }] = (await ghost.call('POST', '/integrations/?include=api_keys', integration)).integrations;
  const apiKey = api_keys.find(({ type }: { type: string }) => type === 'admin').secret;
  const triggers = Object.entries(ghostcms._triggers);
  for (const [name, trigger] of triggers)
    await trigger.onEnable({
      auth: { props: { baseUrl: ghost.url, apiKey } },
      webhookUrl: targetOf(name),
      store: { put: async () => undefined },
    });
  return triggers;
};
