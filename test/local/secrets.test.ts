/** Where secrets are stored: each one is searched in every file of the home and every attribute after a full run. */
import { createHmac, randomBytes } from 'node:crypto';
import { readdirSync, readFileSync, statSync } from 'node:fs';
import { join, relative } from 'node:path';
import { gunzipSync } from 'node:zlib';
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import committed from '../../docs/openapi.json' with { type: 'json' };
import { adminToken } from '../../infra/command-line/admin-token.ts';
import type { FunctionName } from '../../shared/contract.ts';
import { itemsOf } from '../attack/items.ts';
import { endpoints } from '../attack/matrix.ts';
import { eventually } from '../support/eventual.ts';
import { formsOf } from '../support/forms-of-a-secret.ts';
import { tokenIn } from '../support/invites.ts';
import { documentedOperation, endpointLine } from '../support/openapi.ts';
import { cookieHeaders } from '../support/parts-event.ts';
import { receiveWebhooks, type WebhookReceiver } from '../support/parts-receiver.ts';
import { type RunningStack, runStack, temporaryHome } from '../support/parts-running-stack.ts';
import { cookieIn, headersOf, signInTokenIn } from '../support/sessions.ts';

/** Where each secret may stand, and why. Files are named from the home, attributes by their partition's prefix. */
const mayStand = {
  'a key of a staff member or integration': {
    'KEY#.secret': 'tokens are verified with it (HMAC)',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a key of the local stack': {
    'keys.json': 'the developer uses it; each start puts it into the table',
    'stack.json': 'commands such as npm run token read it',
    'the output of npm start': 'the developer uses it',
    'KEY#.secret': 'tokens are verified with it (HMAC)',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a key that was replaced or deleted': {
    'data/table.db': 'SQLite overwrites deleted rows later; DynamoDB keeps them for point-in-time recovery',
    'data/table.db-wal': 'SQLite overwrites deleted rows later; DynamoDB keeps them for point-in-time recovery',
  },
  'a secret of a webhook': {
    'WEBHOOK#.secret': 'deliveries are signed with it (HMAC)',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a secret of a webhook at Ghost': {
    'MOVE.secret': 'an undo of the move restores it at Ghost',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a secret of a webhook before its rotation': {
    'WEBHOOK#.previous_secrets': 'signs for a day, so that receivers can change',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a secret in the options of a webhook': {
    'OPTIONS#.options': 'deliveries carry it',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a secret in a preview': {},
  'a token in the URL of a webhook': {
    'WEBHOOK#.target_url': 'deliveries are sent there',
    'EVENT_BODY#.payload': 'a ping describes the webhook to its own receiver',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
  'a token of an invitation': { 'data/mails.jsonl': 'the mail that brings it' },
  'a token of a sign-in link': { 'data/mails.jsonl': 'the mail that brings it' },
  'a cookie of a session': {},
  'a password': {},
  'a token of a request': {},
  'a secret in a refused request': {},
  'the secret of a start': {
    'stack.json': 'commands reach the mailbox, the proxy and the parts with it',
    'the output of npm start': 'the developer opens the mailbox with it',
  },
  'an inbound secret of a Ghost site': {
    'INTEGRATION#.inbound_secret': 'signatures are verified with it (HMAC)',
    'data/table.db': 'the file of the table',
    'data/table.db-wal': 'the file of the table',
  },
} as const satisfies Record<string, Readonly<Record<string, string>>>;

type Kind = keyof typeof mayStand;

const used = new Map<string, Kind>();
const isSecret = <Text extends string>(kind: Kind, text: Text): Text => {
  used.set(text, kind);
  return text;
};
const random = () => randomBytes(24).toString('base64url');

const home = temporaryHome();
let running: RunningStack;
let receiver: WebhookReceiver;
const called = new Set<FunctionName>();

interface Options {
  readonly key?: string;
  readonly cookie?: string;
  /** Whether a browser sends the form of the API's own page. */
  readonly isOwnPage?: true;
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly body?: unknown;
}

/** Calls an endpoint with a fresh token, which is a secret like the others. */
const call = async (name: FunctionName, { key, cookie, isOwnPage, params = {}, query = '', body }: Options) => {
  const line = endpointLine(name);
  called.add(name);
  const path = line.path.replace(/\{(\w+)\}/g, (_whole, parameter: string) => params[parameter] ?? '');
  const isForm = body instanceof URLSearchParams;
  const response = await fetch(`${running.stack.baseUrl}${path}${query}`, {
    method: line.method,
    headers: {
      ...(key !== undefined && { Authorization: `Ghost ${isSecret('a token of a request', adminToken(key))}` }),
      ...(isOwnPage && { Origin: 'null', 'Sec-Fetch-Site': 'same-origin' }),
      ...(cookie !== undefined && cookieHeaders(cookie, new URL(running.stack.baseUrl).origin)),
      ...(body !== undefined && { 'Content-Type': isForm ? 'application/x-www-form-urlencoded' : 'application/json' }),
    },
    ...(body !== undefined && { body: isForm || typeof body === 'string' ? body : JSON.stringify(body) }),
  });
  const text = await response.text();
  const isJson = response.headers.get('content-type')?.startsWith('application/json') && text !== '';
  return {
    status: response.status,
    headers: headersOf(response),
    body: isJson ? JSON.parse(text) : undefined,
  };
};

const ok = async (...request: Parameters<typeof call>) => {
  const answer = await call(...request);
  expect(answer.status, `${request[0]} ${JSON.stringify(answer.body)}`).toBeLessThan(300);
  return answer.body;
};

const mailTo = (address: string, count = 1): Promise<string> =>
  eventually(`mail ${count} to ${address}`, async () => {
    const { emails } = JSON.parse(await (await fetch(`${running.stack.mailbox}/store`)).text());
    return emails.filter((mail: { destination: { to: string[] } }) => mail.destination.to.includes(address))[count - 1]
      ?.body.text;
  });

const relay = async (integration: string, secret: string): Promise<void> => {
  const body = '{"tag":{"current":{"name":"News"},"previous":{}}}';
  const at = Date.now();
  const hash = createHmac('sha256', secret).update(`${body}${at}`).digest('hex');
  const response = await fetch(`${running.stack.baseUrl}/inbound/ghost/${integration}/tag.added/`, {
    method: 'POST',
    headers: { 'Content-Type': 'application/json', 'X-Ghost-Signature': `sha256=${hash}, t=${at}` },
    body,
  });
  expect(response.status).toBe(202);
};

const run = async (): Promise<void> => {
  const { adminKey, integrationKey } = running.stack;
  // Given an integration whose key was refreshed, and one that was deleted
  const contact = 'ops@bookshop.example';
  const integration = { name: 'Bookshop', contact_email: contact, can_publish: true };
  const [made] = (await ok('integrations/create', { key: adminKey, body: { integrations: [integration] } }))
    .integrations;
  const secretOf = (answer: { api_keys: { secret: string }[] }) => answer.api_keys[0]?.secret.split(':').at(-1) ?? '';
  isSecret('a key that was replaced or deleted', secretOf(made));
  const params = { id: made.id, key_id: made.api_keys[0].id };
  const [refreshed] = (await ok('integrations/refresh-key', { key: adminKey, params })).integrations;
  const key = `${refreshed.api_keys[0].id}:${isSecret('a key of a staff member or integration', secretOf(refreshed))}`;
  const [other] = (await ok('integrations/create', { key: adminKey, body: { integrations: [{ name: 'Gone' }] } }))
    .integrations;
  isSecret('a key that was replaced or deleted', secretOf(other));
  await ok('integrations/delete', { key: adminKey, params: { id: other.id } });
  await ok('integrations/read', { key: adminKey, params: { id: made.id }, query: '?include=webhooks,api_keys' });
  const inbound = (await ok('integrations/replace-inbound-secret', { key: adminKey, params: { id: made.id } }))
    .secrets[0].secret;
  isSecret('an inbound secret of a Ghost site', inbound);
  await relay(made.id, inbound);
  const moved = {
    id: 'a'.repeat(24),
    integration_id: 'b'.repeat(24),
    event: 'tag.added',
    target_url: 'https://a.example',
  };
  const ofMove = { key: adminKey, params: { site: '0'.repeat(24) } };
  const secret = isSecret('a secret of a webhook at Ghost', random());
  const start = { revision: 0, from: 'https://a.example', to: 'https://b.example', originals: [{ ...moved, secret }] };
  await ok('moves/update', { ...ofMove, body: { moves: [start] } });
  await ok('moves/read', ofMove);
  await ok('moves/read-secrets', ofMove);
  await ok('integrations/list', { key: adminKey, query: '?include=webhooks,api_keys' });
  await ok('overview/read', { key: adminKey });
  await ok('integrations/update', {
    key: adminKey,
    params: { id: made.id },
    body: { integrations: [{ name: 'Shop' }] },
  });

  // And webhooks: one that works and whose secret was rotated, one that fails, one whose receiver asks to be left alone
  const subscribe = async (path: string, secret: string, kind: Kind) => {
    const token = isSecret('a token in the URL of a webhook', random());
    isSecret(kind, secret);
    const target_url = `${receiver.origin}/${path}/${token}?key=${token}`;
    const body = { webhooks: [{ event: 'post.published', target_url, secret }] };
    return { id: (await ok('webhooks/create', { key, body })).webhooks[0].id, path: `/${path}/${token}?key=${token}` };
  };
  const before = `whsec_${randomBytes(32).toString('base64')}`;
  const works = await subscribe('works', before, 'a secret of a webhook before its rotation');
  const { secrets } = await ok('webhooks/rotate-secret', { key, params: works });
  isSecret('a secret of a webhook', secrets[0].secret);
  await subscribe('fails', `a passphrase "of" Ghost ${random()}`, 'a secret of a webhook');
  const declines = await subscribe('declines', random(), 'a secret of a webhook');
  const update = { webhooks: [{ name: 'Other', secret: isSecret('a secret in a refused request', random()) }] };
  expect((await call('webhooks/update', { key, params: works, body: update })).status).toBe(422);

  const withKey = (kind: Kind) => ({ headers: { 'X-Key': isSecret(kind, random()) } });
  const options = [withKey('a secret in the options of a webhook')];
  await ok('webhooks/update-options', { key, params: works, body: { options } });
  await ok('webhooks/read-options', { key, params: works });
  const previewed = { event: 'post.published', target_url: `${receiver.origin}/preview` };
  const previews = [{ ...previewed, options: withKey('a secret in a preview') }];
  await ok('webhooks/preview', { key, body: { previews } });
  const trials = [{ filter: { post: { current: { title: ['Hello'] } } } }];
  await ok('webhooks/try-filter', { key, params: works, body: { trials } });

  // When an event is delivered, redelivered and replayed, with a notice to the owners
  const events = [{ event: 'post.published', payload: { post: { current: { title: 'Hello' }, previous: {} } } }];
  await ok('events/publish', { key: integrationKey, body: { events } });
  await Promise.all([receiver.received(works.path, 1), receiver.received(declines.path, 1), mailTo(contact)]);
  const { deliveries } = await eventually('a delivery in the log', async () => {
    const found = await ok('deliveries/list', { key, params: works });
    return found.deliveries.length > 0 ? found : undefined;
  });
  const delivery = { ...works, delivery_id: deliveries[0].id };
  await ok('deliveries/read', { key, params: delivery });
  await ok('deliveries/redeliver', { key, params: delivery });
  await ok('webhooks/ping', { key, params: works });
  await ok('webhooks/disable', { key, params: works });
  await ok('webhooks/enable', { key, params: works });
  const replays = [{ since: new Date(Date.now() - 3_600_000).toISOString(), until: new Date().toISOString() }];
  await ok('replays/create', { key, params: works, body: { replays } });
  await receiver.received(works.path, 4);

  // And people are invited, invited again, and accept over the API and on the page
  const { roles } = await ok('roles/list', { key: adminKey });
  const author = roles.find(({ name }: { name: string }) => name === 'Author');
  const invite = async (email: string) =>
    (await ok('invites/create', { key: adminKey, body: { invites: [{ email, role_id: author.id }] } })).invites[0].id;
  const tokenTo = async (email: string, count: number) =>
    isSecret('a token of an invitation', tokenIn(await mailTo(email, count)) ?? expect.fail());
  const ada = await invite('ada@example.org');
  const dead = await tokenTo('ada@example.org', 1);
  await ok('invites/resend', { key: adminKey, params: { id: ada } });
  const alive = await tokenTo('ada@example.org', 2);
  await invite('grace@example.org');
  const graces = await tokenTo('grace@example.org', 1);
  const withoutMail = { email: 'linus@example.org', role_id: author.id, send_email: false };
  const [{ link }] = (await ok('invites/create', { key: adminKey, body: { invites: [withoutMail] } })).invites;
  isSecret('a token of an invitation', tokenIn(link) ?? expect.fail());
  await ok('invites/list', { key: adminKey });
  await ok('invites/read', { key: adminKey, params: { id: ada } });
  const { users } = await ok('users/list', { key: adminKey });
  const contributor = users.find(({ name }: { name: string }) => name === 'Olive Contributor');
  const { apiKey } = await ok('users/renew-token', { key: adminKey, params: { id: contributor.id } });
  isSecret('a key of a staff member or integration', apiKey.secret.split(':').at(-1));
  await ok('invites/show-page', { params: { token: alive } });
  const acceptance = (token: string) => ({
    invitation: [{ token, email: 'ada@example.org', name: 'Ada', password: isSecret('a password', random()) }],
  });
  expect((await call('invites/accept', { body: acceptance(dead) })).status).toBe(404);
  expect((await call('invites/accept', { body: `${JSON.stringify(acceptance(alive))}}` })).status).toBe(400);
  await ok('invites/accept', { body: acceptance(alive) });
  const form = { params: { token: graces }, body: new URLSearchParams({ name: 'Grace' }), isOwnPage: true } as const;
  isSecret('a cookie of a session', cookieIn(await call('invites/accept-page', form)) ?? expect.fail());

  // And a staff member signs in, tries the link again, and signs out
  const email = 'editor@masthead.example';
  await ok('sessions/request', { body: { sessions: [{ email }] } });
  const token = isSecret('a token of a sign-in link', signInTokenIn(await mailTo(email)) ?? expect.fail());
  await ok('sessions/show-page', { params: { token } });
  const signedIn = await call('sessions/create', { body: { sessions: [{ token }] } });
  const cookie = isSecret('a cookie of a session', cookieIn(signedIn) ?? expect.fail());
  expect((await call('sessions/create', { body: { sessions: [{ token }] } })).status).toBe(404);
  const again = { params: { token }, body: new URLSearchParams(), isOwnPage: true } as const;
  expect((await call('sessions/create-on-page', again)).status).toBe(404);
  await ok('sessions/list', { cookie });
  await ok('sessions/end-current', { cookie });
  expect((await call('sessions/end-current', { cookie: `${cookie.slice(0, 48)}${random()}` })).status).toBe(401);

  // And requests that are refused carry secrets where none belong
  for (const path of [`/invitation/${graces}/x/`, `/admin/roles/?token=${alive}`, `/admin/webhooks/${random()}/`]) {
    const token = isSecret('a token of a request', adminToken(adminKey));
    await fetch(`${running.stack.baseUrl}${path}`, { method: 'PUT', headers: { Authorization: `Bearer ${token}` } });
  }
};

interface Found {
  readonly kind: Kind;
  readonly place: string;
}

const searchIn = (place: string, bytes: Buffer): Found[] =>
  [...used].flatMap(([secret, kind]) =>
    formsOf(secret).some((form) => bytes.includes(form)) ? [{ kind, place }] : [],
  );

const searchHome = (): Found[] =>
  readdirSync(home.folder, { recursive: true, encoding: 'utf8' })
    .map((name) => join(home.folder, name))
    .filter((path) => statSync(path).isFile())
    .flatMap((path) => searchIn(relative(home.folder, path), readFileSync(path)));

/** Payloads are compressed; no payload of this run is so large that it is split, too. */
const plain = (bytes: Uint8Array): Buffer =>
  bytes[0] === 0x1f && bytes[1] === 0x8b ? gunzipSync(bytes) : Buffer.from(bytes);

const searchTable = async (): Promise<Found[]> => {
  const { endpoint, region, ...credentials } = running.stack.aws;
  const items = await itemsOf(new DynamoDBClient({ endpoint, region, credentials }), running.stack.table);
  return items.flatMap((item) => {
    const { pk, ...attributes } = unmarshall(item);
    const partition = String(pk).replace(/#.*/, '#');
    return Object.entries(attributes).flatMap(([name, value]) =>
      searchIn(`${partition}.${name}`, value instanceof Uint8Array ? plain(value) : Buffer.from(JSON.stringify(value))),
    );
  });
};

const unexplained = (found: readonly Found[]): string[] => [
  ...new Set(
    found
      .filter(({ kind, place }) => !(place in mayStand[kind]))
      .map(({ kind, place }) => `${kind} is in ${place}, where it need not be`),
  ),
];

let found: readonly Found[];
beforeAll(async () => {
  receiver = await receiveWebhooks((response, { path }) => {
    if (path.startsWith('/fails')) response.statusCode = 500;
    if (path.startsWith('/declines')) response.setHeader('webhook-delivery', 'disable');
    response.end('ok');
  });
  running = await runStack(home.folder);
  const { stack } = running;
  for (const key of [...Object.values(stack.staffKeys), stack.integrationKey, stack.otherIntegrationKey])
    isSecret('a key of the local stack', key.split(':')[1] ?? '');
  for (const url of [stack.mailbox, stack.proxy, stack.received])
    isSecret('the secret of a start', new URL(url).pathname.split('/')[1] ?? '');
  isSecret('the secret of a start', stack.aws.sessionToken);
  await run();
  const whileRunning = [...searchHome(), ...(await searchTable())];
  const output = searchIn('the output of npm start', Buffer.from(running.output()));
  await running.end('SIGTERM');
  found = [...whileRunning, ...output, ...searchHome()];
});
afterAll(async () => {
  await running.end('SIGKILL');
  receiver.close();
  home.remove();
});

describe('after a full run', () => {
  it('secrets are where they are needed, and in no other file, attribute, log line or queue', () => {
    expect(unexplained(found)).toEqual([]);
  });

  it('the search has found each kind of secret, which proves that it can', () => {
    const needed = Object.entries(mayStand).flatMap(([kind, places]) => (Object.keys(places).length > 0 ? [kind] : []));
    expect([...new Set(found.map(({ kind }) => kind))].sort()).toEqual(needed.sort());
    expect(new Set(used.values())).toEqual(new Set(Object.keys(mayStand)));
  });

  it('the log, the queues and the mailbox have contents, so that there was something to search', () => {
    const sizeOf = (name: string) => statSync(join(home.folder, name)).size;
    for (const name of ['functions.log', 'data/queues/fauxqs.db', 'data/mails.jsonl'])
      expect(sizeOf(name)).toBeGreaterThan(0);
  });
});

/** Names of fields and parameters that hold a secret. */
const secretField = /^(?:secret|token|password|link|apiKey|api_keys|cookie)$/;

const fieldsIn = (value: unknown, schemas: Readonly<Record<string, unknown>>, seen = new Set<string>()): string[] => {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, inner]) => {
    if (name === '$ref' && typeof inner === 'string') {
      const schema = inner.split('/').at(-1) ?? '';
      if (seen.has(schema)) return [];
      return fieldsIn(schemas[schema], schemas, new Set([...seen, schema]));
    }
    return name.startsWith('x-') || name === 'examples' ? [] : [name, ...fieldsIn(inner, schemas, seen)];
  });
};

describe('the full run', () => {
  const { schemas } = (committed as { components: { schemas: Record<string, unknown> } }).components;
  const handling = endpoints.filter((line) =>
    [
      ...fieldsIn(documentedOperation(line.function as FunctionName), schemas),
      ...line.path.matchAll(/(?<=\{)\w+(?=\})/g),
    ]
      .map(String)
      .some((name) => secretField.test(name)),
  );

  it.each(handling)('calls $method $path, which handles a secret', (line) => {
    const isCalled = called.has(line.function as FunctionName);
    expect(
      isCalled,
      `Call ${line.function} in run() of this file, and say in mayStand where its secrets may stand.`,
    ).toBe(true);
  });

  it('knows the endpoints that handle secrets', () => {
    expect(handling.map((line) => line.function)).toEqual(
      expect.arrayContaining(['webhooks/create', 'invites/accept']),
    );
  });
});
