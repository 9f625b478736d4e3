/** The API's objects as the commands read them: types and checks come from the resources. */
import * as v from 'valibot';
import { roleResource, userResource } from '../../../shared/accounts/resource.ts';
import { staffTokenResource } from '../../../shared/accounts/staff-token.ts';
import type { auditResource } from '../../../shared/audit/resource.ts';
import type { trialResource } from '../../../shared/deliveries/log/resource.ts';
import { deliveryWithLogResource, listedDeliveryResource } from '../../../shared/deliveries/logged.ts';
import { recoveryResource, replayResource } from '../../../shared/deliveries/replays/resource.ts';
import { waitReasons } from '../../../shared/deliveries/resource.ts';
import { eventResource } from '../../../shared/events/schema.ts';
import type { Resource } from '../../../shared/foundation/resource.ts';
import { type apiKeyResource, integrationResource } from '../../../shared/integrations/integration.ts';
import { inviteResource } from '../../../shared/invites/resource.ts';
import { statsResource } from '../../../shared/stats/resource.ts';
import { optionsResource } from '../../../shared/webhooks/options-resource.ts';
import type { ListedWebhook } from '../../../shared/webhooks/webhook.ts';

export type ApiKey = Resource<typeof apiKeyResource>;
export type Webhook = ListedWebhook;
export type Integration = Resource<typeof integrationResource>;
export type Delivery = Resource<typeof listedDeliveryResource>;
export type DeliveryWithLog = Resource<typeof deliveryWithLogResource>;
export type Replay = Resource<typeof replayResource>;
export type Recovery = Resource<typeof recoveryResource>;
export type Invite = Resource<typeof inviteResource>;
export type User = Resource<typeof userResource>;
export type Stats = Resource<typeof statsResource>;
export type AuditEntry = Resource<typeof auditResource>;
type StaffToken = Resource<typeof staffTokenResource>;

export type Options = Resource<typeof optionsResource>;
export type Trial = Resource<typeof trialResource>;

export { waitReasons };

/** A newer stage may have further fields and states: they pass through to `--json`. */
const isNew = ({ type, expected, input }: v.BaseIssue<unknown>): boolean =>
  expected === 'never' || (type === 'picklist' && typeof input === 'string');

const check = (schema: v.GenericSchema, answer: unknown): void => {
  const [first, ...others] = (v.safeParse(schema, answer).issues ?? []).filter((issue) => !isNew(issue));
  if (first !== undefined) throw new v.ValiError([first, ...others]);
};

/** Returns a check of a body that returns its items as they were sent: fields in their order, and none added. */
const listOf = <Item extends v.GenericSchema>(key: string, item: Item) => {
  const body = v.looseObject({ [key]: v.array(item) });
  return (answer: unknown): Resource<Item>[] => {
    check(body, answer);
    return Object(answer)[key];
  };
};

/** Readers of a body by its root key. Each throws ValiError if the API answers with something else. */
export const read = {
  integrations: listOf('integrations', integrationResource),
  deliveries: listOf('deliveries', listedDeliveryResource),
  deliveriesWithLog: listOf('deliveries', deliveryWithLogResource),
  replays: listOf('replays', replayResource),
  options: listOf('options', optionsResource),
  recoveries: listOf('recoveries', recoveryResource),
  invites: listOf('invites', inviteResource),
  roles: listOf('roles', roleResource),
  users: listOf('users', userResource),
  stats: listOf('stats', statsResource),
  events: listOf('events', eventResource),
  config: (answer: unknown): { readonly environment: string } => {
    v.assert(v.object({ config: v.object({ environment: v.string() }) }), answer);
    return answer.config;
  },
  staffToken: (answer: unknown): StaffToken => {
    check(v.object({ apiKey: staffTokenResource }), answer);
    return Object(answer).apiKey;
  },
};

/** Returns the only item of a list. @throws Error if the API answers with another number of items */
export const only = <T>(items: readonly T[]): T => {
  const [item] = items;
  if (item === undefined || items.length > 1)
    throw new Error(`The API returned ${items.length} objects instead of one.`);
  return item;
};
