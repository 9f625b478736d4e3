/** The API's objects as far as the commands read them; all other fields pass through to `--json`. */
import * as v from 'valibot';

const text = v.string();
const time = v.nullable(v.string());

const apiKey = v.looseObject({
  id: text,
  secret: v.nullable(text),
  created_at: text,
  last_seen_at: v.optional(time),
  valid_until: v.optional(time),
});

const webhook = v.looseObject({
  id: text,
  event: text,
  target_url: text,
  name: v.nullable(text),
  secret: v.nullable(text),
  api_version: text,
  integration_id: text,
  status: text,
  last_triggered_at: time,
  last_triggered_status: v.nullable(text),
  last_triggered_error: v.nullable(text),
  created_at: text,
});

const integration = v.looseObject({
  id: text,
  name: text,
  description: v.nullable(text),
  contact_email: v.nullable(text),
  can_publish: v.boolean(),
  created_at: text,
  updated_at: text,
  api_keys: v.optional(v.array(apiKey)),
  webhooks: v.optional(v.array(webhook)),
});

const deliveryEntries = {
  id: text,
  webhook_id: text,
  event: text,
  event_id: text,
  status: text,
  trigger: text,
  attempts: v.number(),
  created_at: text,
  last_attempt_at: time,
  next_attempt_at: time,
  last_status: v.nullable(text),
  last_error: v.nullable(text),
  waiting_for: v.nullable(v.looseObject({ reason: text, until: time })),
};
const delivery = v.looseObject(deliveryEntries);

const attempt = v.looseObject({
  number: v.number(),
  started_at: text,
  duration_ms: v.number(),
  timings: v.record(text, v.nullable(v.number())),
  status: v.nullable(text),
  error: v.nullable(text),
  response: v.nullable(text),
});
const deliveryWithLog = v.looseObject({
  ...deliveryEntries,
  request: v.nullable(v.looseObject({ headers: v.record(text, text), body: text })),
  log: v.array(attempt),
});

const replay = v.looseObject({
  id: text,
  webhook_id: text,
  state: text,
  progress: v.looseObject({ checked: v.number(), replayed: v.number(), percent: v.number() }),
});

const invite = v.looseObject({
  id: text,
  role_id: text,
  status: text,
  email: text,
  expires: v.number(),
  created_at: text,
  updated_at: text,
  link: v.optional(text),
  history: v.optional(v.array(v.looseObject({ status: text, at: text, reason: v.nullable(text) }))),
});

const role = v.looseObject({ id: text, name: text, description: v.nullable(text) });

const user = v.looseObject({
  id: text,
  name: text,
  email: text,
  status: text,
  email_verified: v.boolean(),
  last_seen: time,
  created_at: text,
  roles: v.optional(v.array(role)),
});

const counted = {
  accepted: v.number(),
  delivered: v.number(),
  retrying: v.number(),
  failed: v.number(),
  held: v.number(),
  latency: v.looseObject({ p50_ms: v.nullable(v.number()), p95_ms: v.nullable(v.number()) }),
};
const stats = v.looseObject({
  since: text,
  until: text,
  ...counted,
  buckets: v.array(v.looseObject({ start: text, ...counted })),
  dead_letters: v.optional(v.array(v.looseObject({ queue: text, messages: v.number() }))),
});

const staffToken = v.looseObject({ id: text, secret: text, user_id: text });

export type ApiKey = v.InferOutput<typeof apiKey>;
export type Webhook = v.InferOutput<typeof webhook>;
export type Integration = v.InferOutput<typeof integration>;
export type Delivery = v.InferOutput<typeof delivery>;
export type DeliveryWithLog = v.InferOutput<typeof deliveryWithLog>;
export type Replay = v.InferOutput<typeof replay>;
export type Invite = v.InferOutput<typeof invite>;
export type Role = v.InferOutput<typeof role>;
export type User = v.InferOutput<typeof user>;
export type Stats = v.InferOutput<typeof stats>;
export type StaffToken = v.InferOutput<typeof staffToken>;

/** Returns a check of a body that returns its items as they were sent: fields in their order, and none added. */
const listOf = <Item extends v.GenericSchema>(key: string, item: Item) => {
  const body = v.looseObject({ [key]: v.array(item) });
  return (answer: unknown): v.InferInput<Item>[] => {
    v.assert(body, answer);
    return Object(answer)[key];
  };
};

/** Readers of a body by its root key. Each throws ValiError if the API answers with something else. */
export const read = {
  integrations: listOf('integrations', integration),
  webhooks: listOf('webhooks', webhook),
  secrets: listOf('secrets', v.looseObject({ secret: text, previous_valid_until: v.optional(time) })),
  deliveries: listOf('deliveries', delivery),
  deliveriesWithLog: listOf('deliveries', deliveryWithLog),
  replays: listOf('replays', replay),
  invites: listOf('invites', invite),
  roles: listOf('roles', role),
  users: listOf('users', user),
  stats: listOf('stats', stats),
  events: listOf('events', v.looseObject({ id: text, event: text, created_at: text })),
  config: (answer: unknown): { readonly environment: string } => {
    v.assert(v.object({ config: v.object({ environment: text }) }), answer);
    return answer.config;
  },
  staffToken: (answer: unknown): StaffToken => {
    v.assert(v.object({ apiKey: staffToken }), answer);
    return answer.apiKey;
  },
};

/** Returns the only item of a list. @throws Error if the API answers with another number of them */
export const only = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined || items.length > 1)
    throw new Error(`The API returned ${items.length} objects instead of one.`);
  return item;
};
