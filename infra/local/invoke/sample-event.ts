/** A function's sample event: a file in `test/events`, or an endpoint's request, from contract and OpenAPI document. */
import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import * as v from 'valibot';
import { type EndpointLine, endpointLines } from '../../../shared/contract.ts';
import { eventOf } from '../../emulator/gateway/event.ts';

const root = join(import.meta.dirname, '../../..');

/** What stands for a parameter of a path: for `id` and `token` by the segment before it, else by its name. */
const placeholders: Readonly<Record<string, string>> = {
  webhooks: '{{webhook}}',
  integrations: '{{integration}}',
  users: '{{user}}',
  invites: '{{invite}}',
  session: '{{session}}',
  recoveries: '{{recovery}}',
  site: '{{moved_site}}',
  relays: '{{connected_site}}',
  invitation: '{{token}}',
  'sign-in': '{{sign_in_token}}',
  delivery_id: '{{delivery}}',
  replay_id: '{{replay}}',
  key_id: '{{key}}',
  session_id: '{{session}}',
  integration_id: '{{integration}}',
  event: 'post.published',
  address: 'owner@masthead.example',
  member_slug: 'olive-owner',
  file: 'licences.txt',
};

interface Sample {
  readonly path?: Readonly<Record<string, string>>;
  readonly query?: string;
  readonly headers?: Readonly<Record<string, string>>;
  readonly body?: object | string;
}

/** What does not follow from the contract and the document: values that a stack must have or make first. */
const samples: Readonly<Record<string, Sample>> = {
  'events/publish': {
    body: { events: [{ event: 'post.published', payload: { post: { current: {}, previous: {} } } }] },
  },
  'inbound/ghost': { headers: { 'X-Ghost-Signature': '{{ghost_signature}}' }, body: '{{ghost_body}}' },
  'integrations/refresh-key': { body: '' },
  'invites/accept': {
    body: { invitation: [{ token: '{{token}}', name: 'Ada', password: 'correct horse battery staple' }] },
  },
  'invites/accept-page': { body: 'name=Ada' },
  'invites/create': { body: { invites: [{ email: 'ada-{{random}}@example.com', role_id: '{{role}}' }] } },
  'invites/status': { query: 'email={{email}}' },
  'moves/update': { path: { site: '{{new_site}}' } },
  'sessions/create': { body: { sessions: [{ token: '{{sign_in_token}}' }] } },
  'sessions/create-on-page': { headers: { 'Sec-Fetch-Site': 'same-origin' } },
  'sessions/end-current': { headers: { Cookie: 'masthead_session={{session_cookie}}', Origin: '{{origin}}' } },
  'sessions/request': { body: { sessions: [{ email: 'owner@masthead.example' }] } },
  'users/change-email': { body: { emails: [{ email: 'ada-{{random}}@example.org' }] } },
  'users/end-session': { path: { id: 'me' } },
  'users/update': { body: { users: [{ name: 'Olive Oyl' }] } },
  'webhooks/create': {
    body: {
      webhooks: [
        { event: 'post.published', target_url: 'http://127.0.0.1:9/{{random}}', integration_id: '{{integration}}' },
      ],
    },
  },
};

const media = v.object({ examples: v.optional(v.record(v.string(), v.object({ value: v.unknown() })), {}) });
const documented = v.object({
  paths: v.record(
    v.string(),
    v.record(v.string(), v.object({ requestBody: v.optional(v.object({ content: v.record(v.string(), media) })) })),
  ),
});

/** Returns the type and the first example of the body that the document has for an endpoint. */
const documentedBody = ({ path, method }: EndpointLine): readonly [type: string, example: unknown] | undefined => {
  const { paths } = v.parse(documented, JSON.parse(readFileSync(join(root, 'docs/openapi.json'), 'utf8')));
  const [[type, { examples }] = ['', { examples: {} }]] = Object.entries(
    paths[path]?.[method.toLowerCase()]?.requestBody?.content ?? {},
  );
  return type === '' ? undefined : [type, Object.values(examples)[0]?.value];
};

const requestOf = (line: EndpointLine): unknown => {
  const { path: given = {}, query, headers = {}, body } = samples[line.function] ?? {};
  const segments = line.path.split('/');
  const parameters = Object.fromEntries(
    segments.flatMap((segment, at) => {
      const [, name] = /^\{(\w+)\}$/.exec(segment) ?? [];
      if (name === undefined) return [];
      const kind = name === 'id' || name === 'token' ? (segments[at - 1] ?? '') : name;
      const value = given[name] ?? placeholders[kind];
      if (value === undefined) throw new Error(`${line.function} has no sample event: add ${kind} to sample-event.ts.`);
      return [[name, value]];
    }),
  );
  const path = line.path.replace(/\{(\w+)\}/g, (_, name: string) => parameters[name] ?? '');
  const [type, example] = documentedBody(line) ?? [];
  const sent = body ?? example ?? '';
  const text = typeof sent === 'string' ? sent : JSON.stringify(sent);
  const isOpen = line.callers.includes('anyone') || headers.Cookie !== undefined;
  return eventOf(
    {
      method: line.method,
      url: `/ghost/api${path}${query === undefined ? '' : `?${query}`}`,
      headers: Object.entries({
        Host: 'localhost',
        'User-Agent': 'sample',
        ...(!isOpen && { Authorization: 'Ghost {{owner_token}}' }),
        ...((type ?? text) && { 'Content-Type': type ?? 'application/json' }),
        ...headers,
      }),
      body: text || null,
      sourceIp: '127.0.0.1',
    },
    { resource: `/ghost/api${line.path.replace(/\/$/, '')}`, pathParameters: parameters },
    'local',
  );
};

/** Returns a function's sample event, with placeholders. @throws Error without a file, unless it is an endpoint */
export const sampleEvent = (functionName: string): string => {
  const file = join(root, 'test/events', `${functionName.replaceAll('/', '-')}.json`);
  if (existsSync(file)) return readFileSync(file, 'utf8');
  const line = endpointLines().find((one) => one.function === functionName);
  if (line === undefined) throw new Error(`${functionName} has no sample event: add ${file}.`);
  return JSON.stringify(requestOf(line));
};
