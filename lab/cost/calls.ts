/** Counts on a local stack what calls to single endpoints use. */
import { statSync } from 'node:fs';
import { findHome } from '../../infra/local/home.ts';
import { runStack, temporaryHome } from '../../test/support/parts-running-stack.ts';
import { difference, functionsOf } from './count.ts';
import type { CallUse } from './measured.ts';

const calls = 50;

/** The endpoints: the cheapest call with a key, typical ones, and one that makes many calls to AWS services. */
export const endpoints = [
  'roles/list',
  'deliveries/list',
  'webhooks/create',
  'integrations/list',
  'invites/create',
] as const;

interface Request {
  readonly method: string;
  readonly path: string;
  readonly body?: object;
}

/** Calls each endpoint several times. */
export const countCalls = async (): Promise<CallUse[]> => {
  const home = temporaryHome();
  const running = await runStack(home.folder, ['--quiet', '--memory']);
  const log = findHome(home.folder).logFile;
  const call = async (request: Request, key: string) => {
    const answer = await running.call(request.method, request.path, { key, body: request.body });
    if (answer.status >= 300) throw new Error(`${request.method} ${request.path}: ${answer.status} ${answer.text}`);
    return answer;
  };
  try {
    const { adminKey, integrationKey } = running.stack;
    const webhook = (number: number): Request => ({
      method: 'POST',
      path: '/admin/webhooks/',
      body: { webhooks: [{ event: 'page.published', target_url: `https://cost.example/${number}` }] },
    });
    const made = await call(webhook(0), integrationKey);
    const roles = await call({ method: 'GET', path: '/admin/roles/' }, adminKey);
    const role_id = roles.body.roles.find(({ name }: { name: string }) => name === 'Author').id;
    const get = (path: string) => (): Request => ({ method: 'GET', path });
    const requests: Readonly<Record<(typeof endpoints)[number], (number: number) => Request>> = {
      'roles/list': get('/admin/roles/'),
      'deliveries/list': get(`/admin/webhooks/${made.body.webhooks[0].id}/deliveries/`),
      'webhooks/create': webhook,
      'integrations/list': get('/admin/integrations/?include=webhooks,api_keys'),
      'invites/create': (number) => ({
        method: 'POST',
        path: '/admin/invites/',
        body: { invites: [{ email: `author-${number}@cost.example`, role_id }] },
      }),
    };
    const found: CallUse[] = [];
    for (const name of endpoints) {
      const key = name.startsWith('webhooks') || name.startsWith('deliveries') ? integrationKey : adminKey;
      await call(requests[name](1000), key);
      const before = { functions: await functionsOf(running), logBytes: statSync(log).size };
      let responseBytes = 0;
      for (let number = 1; number <= calls; number++)
        responseBytes += Buffer.byteLength((await call(requests[name](number), key)).text);
      const { readUnits, writeUnits, queueRequests } = difference(before.functions, await functionsOf(running))[
        name
      ] ?? {
        readUnits: 0,
        writeUnits: 0,
        queueRequests: 0,
      };
      const logBytes = statSync(log).size - before.logBytes;
      found.push({ function: name, calls, readUnits, writeUnits, queueRequests, logBytes, responseBytes });
    }
    return found;
  } finally {
    await running.end('SIGINT');
    home.remove();
  }
};
