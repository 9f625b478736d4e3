/** What the API document cannot say: other names of commands, and what to do next. New endpoints need no line here. */
import { replayOfHeld } from './columns.ts';
import type { Values } from './fields.ts';

type Item = Readonly<Record<string, unknown>>;

export interface Words {
  readonly query?: Readonly<Record<string, string>>;
  queryFor?(values: Values, typed: Item): Readonly<Record<string, string>>;
  readonly flags?: Readonly<Record<string, string>>;
  readonly without?: readonly string[];
  readonly examples?: Readonly<Record<string, string>>;
  readonly empty?: string;
  after?(item: Item): string;
}

/** A name that is null: written by hand, part of such a command, or only for a browser's session. */
const words: Readonly<Record<string, Words & { readonly name?: string | null }>> = {
  'audit/list': {
    name: 'audit',
    examples: {
      'Who made tokens': 'npm run ops -- audit --action staff.token.renewed',
      'Everything since yesterday': 'npm run ops -- audit --since 24h --limit 1000',
    },
  },
  'deliveries/list': { name: null },
  'deliveries/list-all': { name: null },
  'deliveries/read': { name: null },
  'deliveries/redeliver': { name: null },
  'events/publish': { name: null },
  'integrations/create': { without: ['api_keys'] },
  'integrations/list': { empty: ' Create one with: npm run ops -- integrations create <name>' },
  'integrations/read': { query: { include: 'webhooks,api_keys' } },
  'integrations/refresh-key': { name: null },
  'integrations/replace-inbound-secret': { name: 'integrations inbound-secret' },
  'invites/create': { name: null },
  'invites/delete': { name: 'invites revoke' },
  'invites/list': { empty: ' Invite with: npm run ops -- invites create --help' },
  'invites/read': { query: { include: 'history' } },
  'moves/delete': { name: null },
  'moves/read': { name: null },
  'moves/read-secrets': { name: null },
  'moves/update': { name: null },
  'overview/read': { name: null },
  'recoveries/create': { name: null },
  'relays/update': { name: null },
  'replays/create': { name: null },
  'replays/read': { name: null },
  'sessions/end-current': { name: null },
  'stats/read': { name: null },
  'users/delete': { name: 'staff remove' },
  'users/hand-over': { name: null },
  'users/list': { query: { include: 'roles' } },
  'users/read': { query: { include: 'roles' } },
  'users/read-by-email': { name: null },
  'users/read-by-slug': { name: null },
  'users/renew-token': { name: null },
  'users/update': {
    query: { include: 'roles' },
    without: ['email'],
    examples: { 'Suspend a staff member': 'npm run ops -- staff update ada@example.com --status inactive' },
  },
  'webhooks/create': {
    queryFor: ({ body }, { unsigned }) => (body.secret === undefined && !unsigned ? { secret: 'generate' } : {}),
    flags: {
      unsigned:
        'Without a secret: the receiver cannot tell who sent a delivery. Default: a new secret, which is printed once.',
    },
    examples: {
      'Create a webhook':
        'npm run ops -- webhooks create --integration Bookshop --event post.published --target ' +
        'https://hooks.bookshop.example/masthead',
      'With a secret of your own':
        'openssl rand -hex 32 | tee secret.txt | npm run ops -- webhooks create --integration Bookshop --event ' +
        'post.published --target https://hooks.bookshop.example/masthead --secret-file -',
    },
  },
  'webhooks/enable': {
    after: ({ id, created_at }) =>
      'The webhook is enabled. Send what was held with: ' +
      `${replayOfHeld({ id: String(id), created_at: String(created_at) })}`,
  },
  'webhooks/ping': { after: ({ delivery_id }) => `Follow it with: npm run ops -- deliveries show ${delivery_id}` },
  'webhooks/read-options': { name: 'webhooks options' },
  'webhooks/update': {
    without: ['secret'],
    examples: {
      'Send messages to Slack':
        'echo \'{"format":{"type":"slack"}}\' | npm run ops -- webhooks update 019acb5130f4a1b2c3d4e5f6 ' +
        '--options-file -',
      'At most 30 requests a minute':
        'echo \'{"throttle":{"requests":30,"per":"minute"}}\' | npm run ops -- webhooks update ' +
        '019acb5130f4a1b2c3d4e5f6 --options-file -',
      'Another target, with its header':
        'echo \'{"headers":{"Authorization":"Bearer 5e8c1f"}}\' | npm run ops -- webhooks update ' +
        '019acb5130f4a1b2c3d4e5f6 --target https://new.bookshop.example/masthead --options-file -',
    },
  },
};

const nouns: Readonly<Record<string, string>> = { users: 'staff' };
const verbs: Readonly<Record<string, string>> = { read: 'show' };

/** Returns the name of a function's command, null if it has none of its own, and its words. */
export const wordsOf = (name: string): Words & { readonly name: string | null } => {
  const [noun = '', verb = ''] = name.split('/');
  return { name: `${nouns[noun] ?? noun} ${verbs[verb] ?? verb}`, ...words[name] };
};

/** The functions that have words, for the test that each of them exists. */
export const functionsWithWords = Object.keys(words);
