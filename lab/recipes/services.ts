/** The services of the recipes on one loopback port: they refuse what breaks their rules, and answer as the service. */
import { type Delivery, receiveWebhooks, type WebhookReceiver } from '../../test/support/parts-receiver.ts';
import { refusalsOf } from '../../test/support/service-rules.ts';

interface Service {
  readonly format: string;
  readonly path: RegExp;
  readonly status: number;
  readonly credential?: readonly [name: string, value: string];
}

const services: readonly Service[] = [
  { format: 'slack', path: /^\/services\//, status: 200 },
  { format: 'discord', path: /^\/api\/webhooks\//, status: 204 },
  { format: 'teams', path: /^\/workflows\//, status: 202 },
  {
    format: 'github',
    path: /^\/repos\/[^/]+\/[^/]+\/dispatches$/,
    status: 204,
    credential: ['authorization', 'Bearer github_pat_XXXX'],
  },
  { format: 'deploy-hook', path: /^\/build_hooks\//, status: 200 },
  { format: 'meilisearch', path: /^\/indexes\//, status: 202, credential: ['authorization', 'Bearer XXXX'] },
  { format: 'algolia', path: /^\/1\/indexes\//, status: 201, credential: ['x-algolia-api-key', 'XXXX'] },
];

interface SearchDocument {
  readonly id: string;
  readonly title: string;
}

export interface Services extends Pick<WebhookReceiver, 'origin' | 'close'> {
  /** Resolves with the next request to a path, and what it was answered with. */
  next(path: string): Promise<{ readonly request: Delivery; readonly answer: string }>;
  /** The titles in the search index, by the id of their document. */
  titles(): Readonly<Record<string, string>>;
}

export const startServices = async (): Promise<Services> => {
  const index = new Map<string, string>();
  const seen = new Map<string, number>();
  const answers = new Map<Delivery, string>();
  const receiver = await receiveWebhooks((response, request) => {
    const { status, text } = answerTo(request);
    if (status < 300) follow(request, index);
    answers.set(request, `${status}${text === '' ? '' : ` ${text}`}`);
    response.writeHead(status);
    response.end(status === 204 ? undefined : text);
  });
  return {
    origin: receiver.origin,
    close: receiver.close,
    async next(path) {
      const count = (seen.get(path) ?? 0) + 1;
      seen.set(path, count);
      const request = (await receiver.received(path, count))[count - 1];
      if (request === undefined) throw new Error(`Nothing arrived at ${path}.`);
      return { request, answer: answers.get(request) ?? '' };
    },
    titles: () => Object.fromEntries(index),
  };
};

const answerTo = ({ path, headers, body }: Delivery): { readonly status: number; readonly text: string } => {
  const service = services.find((one) => one.path.test(path));
  if (service === undefined) return { status: 404, text: 'no such service' };
  const { format, status, credential } = service;
  if (credential !== undefined && headers[credential[0]] !== credential[1])
    return { status: 401, text: 'unauthorized' };
  const refusals = refusalsOf(format, body === '' ? undefined : JSON.parse(body));
  return refusals.length === 0
    ? { status, text: format === 'slack' ? 'ok' : '' }
    : { status: 400, text: refusals.join(' ') };
};

const follow = ({ path, body }: Delivery, index: Map<string, string>): void => {
  if (path.endsWith('/documents'))
    for (const { id, title } of JSON.parse(body) as SearchDocument[]) index.set(id, title);
  if (path.endsWith('/delete-batch')) for (const id of JSON.parse(body) as string[]) index.delete(id);
};
