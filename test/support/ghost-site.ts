/** Answers as the Admin API of a Ghost 6 site does, and delivers events as Ghost does: once, with a short wait. */
import { createHmac, randomBytes, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Integration {
  readonly id: string;
  readonly type: string;
  readonly name: string;
  readonly description: string | null;
}

export interface SiteWebhook {
  readonly id: string;
  readonly event: string;
  readonly target_url: string;
  readonly name: string | null;
  readonly secret: string | null;
  readonly api_version: string;
  readonly integration_id: string;
  readonly last_triggered_at: string | null;
  readonly last_triggered_status: string | null;
  readonly last_triggered_error: string | null;
}

/** What the site does to deliveries: sends them, fails to (for one host, if named), or changes their signature. */
export type Network = 'open' | { readonly error: string; readonly host?: string } | 'wrong signature' | 'lost';

export interface FakeGhostSite {
  readonly url: string;
  readonly uuid: string;
  readonly token: string;
  /** The key of an integration, which may not read integrations. */
  readonly integrationKey: string;
  /** How deliveries to other places than `receivers` go. */
  network: Network;
  readonly deleteIntegration: (name: string) => void;
  hidden: number;
  readonly newest: Record<'posts' | 'pages', { readonly published_at: string }[]>;
  /** Changes a webhook as people do at Ghost; without changes, deletes it. */
  readonly edit: (target: string, changes?: Partial<SiteWebhook>) => void;
  readonly renameIntegration: (name: string, changes: Partial<Integration>) => void;
  refusedTarget: string | undefined;
  readonly integrations: readonly Integration[];
  readonly webhooks: readonly SiteWebhook[];
  readonly add: (
    integration: string,
    webhooks: readonly (Pick<SiteWebhook, 'event' | 'target_url' | 'secret'> & { readonly api_version?: string })[],
    type?: string,
  ) => void;
  readonly fire: (event: string, payload: object) => Promise<void>;
  readonly close: () => void;
}

const newId = () => randomBytes(12).toString('hex');

/** Starts a site without webhooks. */
export const startGhostSite = async (): Promise<FakeGhostSite> => {
  const key = { id: newId(), secret: randomBytes(32).toString('hex') };
  const other = { id: newId(), secret: randomBytes(32).toString('hex') };
  const uuid = randomUUID();
  let integrations: Integration[] = [{ id: newId(), type: 'core', name: 'Ghost Scheduler', description: null }];
  let webhooks: SiteWebhook[] = [];
  let tags: { readonly id: string; readonly name: string }[] = [];
  let network: Network = 'open';
  let refusedTarget: string | undefined;
  let hidden = 0;
  const newest: Record<'posts' | 'pages', { readonly published_at: string }[]> = { posts: [], pages: [] };
  /** Ghost sends after it has answered. */
  let sending: Promise<void> = Promise.resolve();

  const createWebhook = (sent: Partial<SiteWebhook>): [number, unknown] => {
    if (!integrations.some(({ id }) => id === sent.integration_id))
      return refusal(422, 'ValidationError', 'Integration not found.');
    if (sent.target_url === refusedTarget) return refusal(422, 'ValidationError', 'Validation failed for target_url.');
    const isTaken = ({ event, target_url }: SiteWebhook) =>
      event === sent.event && target_url.toLowerCase() === sent.target_url?.toLowerCase();
    if (webhooks.some(isTaken))
      return refusal(422, 'ValidationError', 'Target URL has already been used for this event.');
    const never = { last_triggered_at: null, last_triggered_status: null, last_triggered_error: null };
    const webhook = { name: null, secret: null, api_version: 'v6.65', ...sent, ...never, id: newId() } as SiteWebhook;
    webhooks = [...webhooks, webhook];
    return [201, { webhooks: [webhook] }];
  };
  const answer = (method: string, path: string, body: Record<string, Record<string, string>[]>): [number, unknown] => {
    const [, resource, id] = /^\/ghost\/api\/admin\/(\w+)\/(?:(\w+)\/)?(?:\?.*)?$/.exec(path) ?? [];
    if (resource === 'integrations' && method === 'GET')
      return [
        200,
        {
          integrations: integrations.map((one) => ({
            ...one,
            webhooks: webhooks.filter((hook) => hook.integration_id === one.id),
          })),
          meta: { pagination: { page: 1, limit: 'all', pages: 1, total: integrations.length + hidden } },
        },
      ];
    if ((resource === 'posts' || resource === 'pages') && method === 'GET')
      return [
        200,
        { [resource]: newest[resource], meta: { pagination: { page: 1, limit: 1, total: newest[resource].length } } },
      ];
    if (resource === 'integrations' && method === 'POST') {
      const { name = '', description = null } = body.integrations?.[0] ?? {};
      const created = { id: newId(), type: 'custom', name, description };
      integrations.push(created);
      return [201, { integrations: [created] }];
    }
    if (resource === 'integrations' && method === 'DELETE') {
      integrations = integrations.filter((one) => one.id !== id);
      webhooks = webhooks.filter((one) => one.integration_id !== id);
      return [204, undefined];
    }
    if (resource === 'webhooks' && method === 'POST') return createWebhook(body.webhooks?.[0] ?? {});
    if (resource === 'webhooks' && method === 'DELETE') {
      if (!webhooks.some((one) => one.id === id)) return refusal(404, 'NotFoundError', 'Resource not found error.');
      webhooks = webhooks.filter((one) => one.id !== id);
      return [204, undefined];
    }
    if (resource === 'webhooks' && method === 'PUT') {
      webhooks = webhooks.map((one) => (one.id === id ? { ...one, ...body.webhooks?.[0] } : one));
      return [200, { webhooks: webhooks.filter((one) => one.id === id) }];
    }
    if (resource === 'tags' && method === 'GET') return [200, { tags }];
    if (resource === 'tags' && method === 'POST') {
      const tag = { id: newId(), name: body.tags?.[0]?.name ?? '' };
      tags = [...tags, tag];
      send('tag.added', { tag: { current: tag, previous: {} } });
      send('site.changed', {});
      return [201, { tags: [tag] }];
    }
    if (resource === 'tags' && method === 'DELETE') {
      const tag = tags.find((one) => one.id === id);
      tags = tags.filter((one) => one.id !== id);
      send('tag.deleted', { tag: { current: {}, previous: tag } });
      send('site.changed', {});
      return [204, undefined];
    }
    return refusal(404, 'NotFoundError', 'Resource not found error.');
  };

  const send = (event: string, payload: object): void => {
    sending = sending.then(() => fire(event, payload));
  };
  const fire = async (event: string, payload: object): Promise<void> => {
    // Ghost delivers to one webhook after the other.
    for (const webhook of webhooks.filter((one) => one.event === event)) {
      const noted = await deliver(webhook, { event, ...payload }, network);
      webhooks = webhooks.map((one) => (one.id === webhook.id ? { ...one, ...noted } : one));
    }
  };

  const server = createServer(async (request, response) => {
    const text = await textOf(request);
    const respond = (): [number, unknown] => {
      if (request.url === '/ghost/api/admin/site/')
        return [200, { site: { url: '', version: '6.65', site_uuid: uuid } }];
      if (isSignedBy(other, request)) return refusal(403, 'NoPermissionError', 'API tokens do not have permission.');
      if (!isSignedBy(key, request)) return refusal(401, 'UnauthorizedError', 'Invalid token: invalid signature');
      return answer(request.method ?? '', request.url ?? '', JSON.parse(text || '{}'));
    };
    const [status, body] = respond();
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    uuid,
    token: `${key.id}:${key.secret}`,
    integrationKey: `${other.id}:${other.secret}`,
    get network() {
      return network;
    },
    set network(changed) {
      network = changed;
    },
    get hidden() {
      return hidden;
    },
    set hidden(count) {
      hidden = count;
    },
    newest,
    edit: (target, changes) => {
      webhooks = webhooks.flatMap((one) =>
        one.target_url !== target ? [one] : changes === undefined ? [] : [{ ...one, ...changes }],
      );
    },
    renameIntegration: (name, changes) => {
      integrations = integrations.map((one) => (one.name === name ? { ...one, ...changes } : one));
    },
    get refusedTarget() {
      return refusedTarget;
    },
    set refusedTarget(target) {
      refusedTarget = target;
    },
    deleteIntegration: (name) => {
      const gone = integrations.find((one) => one.name === name)?.id;
      integrations = integrations.filter(({ id }) => id !== gone);
      webhooks = webhooks.filter((one) => one.integration_id !== gone);
    },
    get integrations() {
      return integrations;
    },
    get webhooks() {
      return webhooks;
    },
    add: (name, added, type = 'custom') => {
      const integration = { id: newId(), type, name, description: null };
      integrations.push(integration);
      for (const webhook of added) createWebhook({ ...webhook, integration_id: integration.id });
    },
    fire,
    close: () => server.close(),
  };
};

/** Stands for the `fetch` of Ghost's own process, because a test may replace this process's. */
const ownFetch = globalThis.fetch;

/** Delivers as Ghost does, and returns what it notes in the webhook. */
const deliver = async (
  { target_url, secret, last_triggered_status }: SiteWebhook,
  payload: object,
  network: Network,
) => {
  const body = JSON.stringify(payload);
  const at = Date.now();
  const noted = (status: string | null, error: string | null) => ({
    last_triggered_at: new Date(at).toISOString(),
    last_triggered_status: status,
    last_triggered_error: error,
  });
  const isRelay = target_url.includes('/inbound/ghost/');
  if (isRelay && network === 'lost') return {};
  // Without an answer, Ghost keeps the status of an earlier one.
  if (isRelay && typeof network === 'object' && [undefined, new URL(target_url).hostname].includes(network.host))
    return noted(last_triggered_status, `Request failed: ${network.error}`);
  const signer = isRelay && network === 'wrong signature' ? 'another' : secret;
  const hash = signer === null ? undefined : createHmac('sha256', signer).update(`${body}${at}`).digest('hex');
  const { status } = await ownFetch(target_url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Version': 'v6.65',
      'User-Agent': 'Ghost/6.65 (https://github.com/TryGhost/Ghost)',
      ...(hash !== undefined && { 'X-Ghost-Signature': `sha256=${hash}, t=${at}` }),
    },
    body,
  });
  return noted(String(status), status < 300 ? null : 'Request failed: ERR_NON_2XX_3XX_RESPONSE');
};

const refusal = (status: number, type: string, context: string): [number, unknown] => [
  status,
  {
    errors: [
      { message: `${type}.`, context, type, details: null, property: null, help: null, code: null, id: newId() },
    ],
  },
];

const isSignedBy = (key: { id: string; secret: string }, request: IncomingMessage): boolean => {
  const [header = '', claims = '', signature] = (request.headers.authorization ?? '').replace(/^Ghost /, '').split('.');
  const { kid } = JSON.parse(Buffer.from(header, 'base64url').toString() || '{}');
  const expected = createHmac('sha256', Buffer.from(key.secret, 'hex'))
    .update(`${header}.${claims}`)
    .digest('base64url');
  return kid === key.id && signature === expected;
};

const textOf = async (request: IncomingMessage): Promise<string> => {
  let text = '';
  for await (const chunk of request) text += String(chunk);
  return text;
};
