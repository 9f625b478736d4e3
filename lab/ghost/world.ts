/** A real Ghost site, a network that can fail, a stack, and receivers: do they get what the command said? */
import { createHmac } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer, request as forward } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { cleanStage, importer } from '../../test/support/ghost-import.ts';
import { runStack } from '../../test/support/parts-running-stack.ts';
import { publishLarge } from './events.ts';
import type { InstalledGhost } from './install.ts';
import { type RealGhost, startGhost } from './site.ts';

/** What the network between Ghost and the stage does to the site's events. */
export type Network = 'open' | 'reset' | 'hang' | 'large refused' | number;
type Importer = ReturnType<typeof importer>;
export type Action = Parameters<Importer>[0];
export type Options = NonNullable<Parameters<Importer>[1]>;

/** Somebody who should get an event once, signed with a secret. */
export interface Receiver {
  readonly path: string;
  readonly event: 'post.published' | 'member.added' | 'page.published';
  readonly secret: string | null;
}

export interface Row {
  readonly command: string;
  readonly points: readonly string[];
  readonly code: 0 | 1;
  readonly output: string;
  /** What is wrong beside what it said of receivers. */
  readonly fault?: string;
  readonly receivers: readonly {
    readonly path: string;
    readonly said: string;
    readonly got: string;
    readonly isTrue: boolean;
  }[];
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of Ghost and of the stage, judged by the situations
type Answer = any;
export type World = Awaited<ReturnType<typeof startWorld>>;

/** Returns the body of a request; what has arrived of it if the sender gave up. */
const bodyOf = async (stream: AsyncIterable<unknown>): Promise<Buffer> => {
  const chunks: Buffer[] = [];
  try {
    for await (const chunk of stream) chunks.push(chunk as Buffer);
  } catch {}
  return Buffer.concat(chunks);
};

/** Returns an integration with its webhooks as text, without ids, times and last results, which differ by run. */
const comparable = ({ name, type, description, webhooks = [] }: Answer): string => {
  const changing = /^(?:id|integration_id|created_at|updated_at|last_triggered_.*|last_seen_.*)$/;
  const lines = webhooks.map((one: object) =>
    JSON.stringify(one, (key, value) => (changing.test(key) ? undefined : value)),
  );
  const text = `${name} ${type} ${description} ${lines.sort().join(' ')}`;
  return text.replaceAll(/[0-9a-f]{64}/g, '<secret>').replaceAll(/[0-9a-f]{24}/g, '<id>');
};

const listen = async (server: ReturnType<typeof createServer>): Promise<string> => {
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
};

const until = async (holds: () => boolean, ms: number): Promise<void> => {
  for (let waited = 0; waited < ms && !holds(); waited += 50) await new Promise((resolve) => setTimeout(resolve, 50));
};

/** Starts everything. `end` stops it. */
export const startWorld = async (installed: InstalledGhost) => {
  const homes = [0, 1].map(() => mkdtempSync(join(tmpdir(), 'masthead-ghost-lab-')));
  process.env.MASTHEAD_HOME = homes[0];
  const requests: { path: string; body: string; signature: string }[] = [];
  const receiving = createServer(async (request, response) => {
    const body = (await bodyOf(request)).toString();
    requests.push({ path: request.url ?? '', body, signature: String(request.headers['x-ghost-signature'] ?? '') });
    response.writeHead(200).end();
  });
  const origin = await listen(receiving);
  const running = await runStack(homes[0] ?? '', ['--memory']);
  const stage = new URL(running.stack.baseUrl);
  let network: Network = 'open';
  const between = createServer(async (request, response) => {
    const body = await bodyOf(request);
    const fault = request.url?.includes('/inbound/') === true ? network : 'open';
    if (fault === 'reset') return void request.socket.destroy();
    if (fault === 'hang') return;
    if (fault === 'large refused' && body.length > 1_000_000) return void response.writeHead(413).end();
    if (typeof fault === 'number') return void response.writeHead(fault, { Location: '/' }).end();
    const options = { host: stage.hostname, port: stage.port, path: request.url, method: request.method };
    const headers = { ...request.headers, host: stage.host };
    forward({ ...options, headers }, (answer) => {
      response.writeHead(answer.statusCode ?? 500, answer.headers);
      answer.pipe(response);
    })
      .on('error', () => response.destroy())
      .end(body);
  });
  const baseUrl = `${await listen(between)}${stage.pathname}`;
  const ghost: RealGhost = await startGhost(installed, { allowInternal: true });
  const uuid: string = (await ghost.call('GET', '/site/')).site.site_uuid;
  const key = running.stack.adminKey;
  let turn = 0;
  let receivers: Receiver[] = [];

  const integrations = async (): Promise<Answer[]> =>
    (await ghost.call('GET', '/integrations/?include=webhooks&limit=all')).integrations;
  const world = {
    ghost,
    here: (method: string, path: string, body?: object): Promise<Answer> =>
      running.call(method, path, { key, ...(body !== undefined && { body }) }),
    baseUrl,
    uuid,
    integrations,
    target: (path: string) => `${origin}/${turn}/${path}`,
    get receivers() {
      return receivers;
    },
    set receivers(changed) {
      receivers = changed;
    },
    set network(changed: Network) {
      network = changed;
    },
    runForSecondSite: async (action: Action): Promise<Row> => {
      const second = await startGhost(installed, { allowInternal: true });
      try {
        const [{ id }] = (await second.call('POST', '/integrations/', { integrations: [{ name: 'Second' }] }))
          .integrations;
        const webhook = { integration_id: id, event: 'post.published', target_url: world.target('second') };
        await second.call('POST', '/webhooks/', { webhooks: [webhook] });
        return await world.run(action, {}, second);
      } finally {
        await second.remove();
      }
    },
    /** Continues on the other one of two machines. */
    otherMachine: () => {
      process.env.MASTHEAD_HOME = homes.find((home) => home !== process.env.MASTHEAD_HOME);
    },
    add: async (name: string, webhooks: readonly Receiver[]): Promise<void> => {
      const [{ id }] = (await ghost.call('POST', '/integrations/', { integrations: [{ name }] })).integrations;
      for (const { path, event, secret } of webhooks)
        await ghost.call('POST', '/webhooks/', {
          webhooks: [{ integration_id: id, event, target_url: world.target(path), secret }],
        });
      receivers = [...receivers, ...webhooks];
    },
    /** Returns the webhook at Ghost, or here, that sends to a path. */
    atGhost: async (path: string): Promise<Answer> =>
      (await integrations()).flatMap((one) => one.webhooks).find((one) => one.target_url === world.target(path)),
    atStage: async (path: string): Promise<Answer> => {
      const { body } = await world.here('GET', '/admin/integrations/?include=webhooks&limit=100');
      const webhooks = body.integrations.flatMap((one: Answer) => one.webhooks);
      return webhooks.find((one: Answer) => one.target_url === world.target(path));
    },
    state: async (): Promise<string> => {
      const { body } = await world.here('GET', '/admin/integrations/?include=webhooks&limit=100');
      const { status } = await world.here('GET', `/admin/moves/${uuid}/`);
      const sides = [await integrations(), body.integrations].map((found) =>
        JSON.stringify(found.map(comparable).sort()),
      );
      return [...sides, status].join('\n');
    },
    begin: async (): Promise<void> => {
      turn++;
      network = 'open';
      process.env.MASTHEAD_HOME = homes[0];
      for (const { id, type } of await integrations())
        if (type === 'custom') await ghost.call('DELETE', `/integrations/${id}/`);
      for (const { id } of (await integrations()).flatMap((one) => one.webhooks))
        await ghost.call('DELETE', `/webhooks/${id}/`);
      await cleanStage({ uuid }, running);
      const { body } = await world.here('GET', '/admin/integrations/?limit=100');
      for (const { id, name } of body.integrations)
        if (name === 'Own') await world.here('DELETE', `/admin/integrations/${id}/`);
      receivers = [];
      await world.add('Shop', [
        { path: 'posts', event: 'post.published', secret: 'shop secret' },
        { path: 'members', event: 'member.added', secret: null },
      ]);
      await world.add('Blog', [{ path: 'blog', event: 'post.published', secret: 'größer 😀' }]);
    },
    /** Causes one event of each kind; returns what each receiver got: `once`, `nothing`, `twice`, `bad signature`. */
    cause: async (bytes = 500): Promise<string[]> => {
      const before = requests.length;
      const counts = () => requests.slice(before).filter(({ path }) => path.startsWith(`/${turn}/`)).length;
      await publishLarge(ghost, bytes);
      await ghost.call('POST', '/members/', { members: [{ email: `reader-${Date.now()}@example.com` }] });
      if (receivers.some(({ event }) => event === 'page.published'))
        await ghost.call('POST', '/pages/', { pages: [{ title: 'A page', status: 'published' }] });
      await until(() => counts() >= receivers.length, 4000);
      // A second copy comes later than the first.
      await new Promise((resolve) => setTimeout(resolve, 700));
      return receivers.map(({ path, secret }) => {
        const got = requests.slice(before).filter((one) => one.path === `/${turn}/${path}`);
        const isSigned = ({ body, signature }: (typeof got)[number]): boolean => {
          if (secret === null) return signature === '';
          const [, hash, time] = /^sha256=(\w+), t=(\d+)$/.exec(signature) ?? [];
          return hash === createHmac('sha256', secret).update(`${body}${time}`).digest('hex');
        };
        if (got.length === 0) return 'nothing';
        if (got.length > 1) return 'twice';
        return got.every(isSigned) ? 'once' : 'bad signature';
      });
    },
    run: async (action: Action, options: Options = {}, site: RealGhost = ghost): Promise<Row> => {
      const run = importer({ url: site.url, token: site.token }, running);
      const { output, error, points } = await run(action, { baseUrl, ...options });
      const said = `${output}${error === undefined ? '' : `\n${error.message}`}`;
      const code = error === undefined ? 0 : 1;
      const got = await world.cause();
      return {
        command: options.isKilled === undefined ? action : `${action}, killed after ${points.at(-1)}`,
        points,
        code,
        output: said,
        receivers: receivers.map(({ path }, index) => {
          const line =
            said.split('\n').findLast((one) => /^[✓!✗]/.test(one) && one.includes(`/${turn}/${path}:`)) ?? '';
          const result = got[index] ?? '';
          return { path, said: line, got: result, isTrue: isTrue(line, result, code, options.isKilled !== undefined) };
        }),
      };
    },
    end: async (): Promise<void> => {
      await ghost.remove();
      await running.end('SIGTERM');
      for (const server of [receiving, between]) {
        server.close();
        server.closeAllConnections();
      }
      for (const home of homes) rmSync(home, { recursive: true, force: true });
    },
  };
  return world;
};

/** Whether what was said of a receiver, if only by the exit code, is what it got. */
const isTrue = (line: string, got: string, code: 0 | 1, isKilled: boolean): boolean => {
  if (isKilled) return got !== 'nothing' && got !== 'bad signature';
  if (line.startsWith('✗')) return got !== 'once' || line.includes('lost at') || line.includes('than its copy');
  if (line.includes('so twice')) return got === 'twice';
  if (line.startsWith('✓') || line.startsWith('!') || code === 0) return got === 'once';
  return true;
};
