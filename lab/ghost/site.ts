/** Starts a real Ghost on its own database, with an owner, a staff access token and the requests of the cases. */
import { type ChildProcess, spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { cpSync, mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { freePort } from '../started-server.ts';
import type { InstalledGhost } from './install.ts';

export interface GhostOptions {
  /** Whether Ghost sends webhooks to private addresses. Ghost's default is false. */
  readonly allowInternal?: boolean;
  /** The path under which the site is served, such as `/blog`. */
  readonly subPath?: string;
}

export interface RealGhost {
  readonly url: string;
  readonly token: string;
  /** Calls the Admin API with the Owner's token and returns the parsed body. @throws Error unless the status is 2xx */
  call(method: string, path: string, body?: object): Promise<Answer>;
  /** Runs SQL in the stopped site's database, to create what upgrades leave there and the API cannot make. */
  sql(statement: string): void;
  start(options?: GhostOptions): Promise<void>;
  stop(): Promise<void>;
  remove(): Promise<void>;
  log(): string;
}

// biome-ignore lint/suspicious/noExplicitAny: the answers of another program, judged by the cases
type Answer = any;

const owner = { name: 'Olga Owner', email: 'olga@example.com', password: 'Vermilion-Kettle-93', blogTitle: 'The Lab' };

/** Creates a site with its owner and starts it. */
export const startGhost = async (installed: InstalledGhost, options: GhostOptions = {}): Promise<RealGhost> => {
  const home = mkdtempSync(join(tmpdir(), 'masthead-ghost-'));
  const port = await freePort();
  const content = join(home, 'content');
  for (const name of ['data', 'images', 'logs', 'settings', 'public', 'files', 'media', 'adapters'])
    mkdirSync(join(content, name), { recursive: true });
  cpSync(join(installed.folder, 'content/settings'), join(content, 'settings'), { recursive: true });
  symlinkSync(join(installed.folder, 'content/themes'), join(content, 'themes'));
  // Ghost looks for its package here, where its own installer would put it.
  symlinkSync(installed.folder, join(home, 'current'));
  const database = join(content, 'data/ghost.db');
  let url = '';
  let token = '';
  let child: ChildProcess | undefined;
  let output = '';

  const start = async ({ allowInternal = false, subPath = '' }: GhostOptions = {}): Promise<void> => {
    url = `http://127.0.0.1:${port}${subPath}`;
    writeFileSync(
      join(home, 'config.production.json'),
      JSON.stringify({
        url,
        server: { host: '127.0.0.1', port },
        database: { client: 'sqlite3', connection: { filename: database }, useNullAsDefault: true },
        mail: { transport: 'SMTP', options: { host: '127.0.0.1', port: 9, ignoreTLS: true } },
        process: 'local',
        paths: { contentPath: content },
        logging: { level: 'info', transports: ['stdout'] },
        privacy: { useUpdateCheck: false, useGravatar: false, useRpcPing: false, useStructuredData: false },
        security: { staffDeviceVerification: false, allowWebhookInternalIPs: allowInternal },
      }),
    );
    child = spawn(installed.node, [join(home, 'current/index.js')], {
      cwd: home,
      env: { PATH: process.env.PATH, HOME: home, NODE_ENV: 'production' },
      stdio: ['ignore', 'pipe', 'pipe'],
    });
    for (const stream of [child.stdout, child.stderr])
      stream?.on('data', (chunk: Buffer) => {
        output = `${output}${chunk.toString()}`.slice(-200_000);
      });
    await ready();
  };

  const ready = async (): Promise<void> => {
    for (let tries = 0; tries < 240; tries++) {
      if (child?.exitCode !== null) throw new Error(`Ghost ended: ${output.slice(-3000)}`);
      const answer = await fetch(`${url}/ghost/api/admin/site/`).catch(() => undefined);
      if (answer?.ok) return;
      await new Promise((resolve) => setTimeout(resolve, 250));
    }
    throw new Error(`Ghost does not answer: ${output.slice(-3000)}`);
  };

  const send = async (method: string, path: string, body: object | undefined, headers: Record<string, string>) => {
    const answer = await fetch(`${url}/ghost/api/admin${path}`, {
      method,
      headers: { 'Content-Type': 'application/json', Origin: url, ...headers },
      ...(body !== undefined && { body: JSON.stringify(body) }),
    });
    const text = await answer.text();
    if (!answer.ok) throw new Error(`${method} ${path}: ${answer.status} ${text.slice(0, 500)}`);
    const isJson = answer.headers.get('content-type')?.includes('json') ?? false;
    return { answer, body: (isJson && text !== '' ? JSON.parse(text) : undefined) as Answer };
  };

  const setUp = async (): Promise<void> => {
    await send('POST', '/authentication/setup/', { setup: [owner] }, {});
    const session = { username: owner.email, password: owner.password };
    const { answer } = await send('POST', '/session/', session, {});
    const cookie = answer.headers
      .getSetCookie()
      .map((one) => one.split(';')[0])
      .join('; ');
    const { body } = await send('GET', '/users/me/token/', undefined, { Cookie: cookie });
    token = `${body.apiKey.id}:${body.apiKey.secret}`;
  };

  const stop = async (): Promise<void> => {
    if (child === undefined || child.exitCode !== null) return;
    const ended = once(child, 'exit');
    child.kill('SIGTERM');
    const timer = setTimeout(() => child?.kill('SIGKILL'), 5000);
    await ended;
    clearTimeout(timer);
  };

  try {
    await start(options);
    await setUp();
  } catch (error) {
    await stop();
    throw error;
  }
  return {
    get url() {
      return url;
    },
    get token() {
      return token;
    },
    call: async (method, path, body) =>
      (await send(method, path, body, { Authorization: `Ghost ${adminToken(token)}` })).body,
    sql(statement) {
      const program = `require('better-sqlite3')(process.argv[1]).exec(process.argv[2])`;
      const { status, stderr } = spawnSync(installed.node, ['-e', program, database, statement], {
        cwd: installed.folder,
        encoding: 'utf8',
      });
      if (status !== 0) throw new Error(`${statement}: ${stderr}`);
    },
    start,
    stop,
    async remove() {
      await stop();
      rmSync(home, { recursive: true, force: true });
    },
    log: () => output.slice(-3000),
  };
};
