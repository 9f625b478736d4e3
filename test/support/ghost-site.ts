/** A server that answers as the Admin API of a Ghost 6 site does, and delivers its events as Ghost does: once, without waiting for long. */
import { createHmac, randomBytes } from 'node:crypto';
import { createServer, type IncomingMessage } from 'node:http';
import type { AddressInfo } from 'node:net';

interface Integration {
  readonly id: string;
  readonly type: string;
  readonly name: string;
}

export interface SiteWebhook {
  readonly id: string;
  readonly event: string;
  readonly target_url: string;
  readonly name: string | null;
  readonly secret: string | null;
  readonly api_version: string;
  readonly integration_id: string;
}

export interface FakeGhostSite {
  readonly url: string;
  /** A staff access token. */
  readonly token: string;
  readonly integrations: readonly Integration[];
  readonly webhooks: readonly SiteWebhook[];
  readonly add: (
    integration: string,
    webhooks: readonly Pick<SiteWebhook, 'event' | 'target_url' | 'secret'>[],
    type?: string,
  ) => void;
  /** Delivers an event to the webhooks of its name. */
  readonly fire: (event: string, payload: object) => Promise<void>;
  readonly close: () => void;
}

const newId = () => randomBytes(12).toString('hex');

/** Starts a site without webhooks. */
export const startGhostSite = async (): Promise<FakeGhostSite> => {
  const key = { id: newId(), secret: randomBytes(32).toString('hex') };
  let integrations: Integration[] = [{ id: newId(), type: 'core', name: 'Ghost Scheduler' }];
  let webhooks: SiteWebhook[] = [];

  const createWebhook = (sent: Partial<SiteWebhook>): [number, unknown] => {
    if (!integrations.some(({ id }) => id === sent.integration_id))
      return refusal(422, 'ValidationError', 'Integration not found.');
    if (webhooks.some(({ event, target_url }) => event === sent.event && target_url === sent.target_url))
      return refusal(422, 'ValidationError', 'Target URL has already been used for this event.');
    const webhook = { name: null, secret: null, api_version: 'v6.65', ...sent, id: newId() } as SiteWebhook;
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
          meta: { pagination: { page: 1, limit: 100, pages: 1, total: integrations.length, next: null, prev: null } },
        },
      ];
    if (resource === 'integrations' && method === 'POST') {
      const created = { id: newId(), type: 'custom', name: body.integrations?.[0]?.name ?? '' };
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
    return refusal(404, 'NotFoundError', 'Resource not found error.');
  };

  const server = createServer(async (request, response) => {
    const [status, body] = isSignedBy(key, request)
      ? answer(request.method ?? '', request.url ?? '', JSON.parse((await textOf(request)) || '{}'))
      : refusal(401, 'UnauthorizedError', 'Invalid token: invalid signature');
    response.writeHead(status, { 'Content-Type': 'application/json' });
    response.end(body === undefined ? undefined : JSON.stringify(body));
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  return {
    url: `http://127.0.0.1:${(server.address() as AddressInfo).port}`,
    token: `${key.id}:${key.secret}`,
    get integrations() {
      return integrations;
    },
    get webhooks() {
      return webhooks;
    },
    add: (name, added, type = 'custom') => {
      const integration = { id: newId(), type, name };
      integrations.push(integration);
      for (const webhook of added) createWebhook({ ...webhook, integration_id: integration.id });
    },
    fire: async (event, payload) => {
      // Ghost delivers to one webhook after the other.
      for (const webhook of webhooks.filter((one) => one.event === event))
        await deliver(webhook, { ...payload, event });
    },
    close: () => server.close(),
  };
};

const deliver = async ({ target_url, secret }: SiteWebhook, payload: object): Promise<void> => {
  const body = JSON.stringify(payload);
  const at = Date.now();
  const hash = secret === null ? undefined : createHmac('sha256', secret).update(`${body}${at}`).digest('hex');
  await fetch(target_url, {
    method: 'POST',
    headers: {
      'Content-Type': 'application/json',
      'Content-Version': 'v6.65',
      'User-Agent': 'Ghost/6.65 (https://github.com/TryGhost/Ghost)',
      ...(hash !== undefined && { 'X-Ghost-Signature': `sha256=${hash}, t=${at}` }),
    },
    body,
  });
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
