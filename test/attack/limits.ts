/** The attack on every limit of the settings: requests until one is refused. */
import type { EndpointLine, FunctionName } from '../../shared/contract.ts';
import type { Settings } from '../../shared/foundation/settings.ts';
import { endpointLine } from '../support/openapi.ts';
import { type AttackAnswer, type AttackRequest, requestFor, type Values } from './request.ts';
import type { World } from './world.ts';

export interface LimitResult {
  readonly allowed: number;
  /** Requests by which the limit may be exceeded, if it is not exact. */
  readonly excess?: number;
  readonly refusal?: AttackAnswer;
}

/** Sends requests until one is refused, one more than the limit allows at most. */
type LimitAttack = (world: World, limit: number) => Promise<LimitResult>;

/** Returns the next request: a limit counts for a key or a source, so that each request may name something new. */
type Next = () => Promise<Values>;

const sendUntilRefused = async (
  world: World,
  name: FunctionName,
  limit: number,
  next: Next,
  credentials?: () => AttackRequest['headers'],
  sourceIp?: (sent: number) => string,
): Promise<LimitResult> => {
  const line: EndpointLine = endpointLine(name);
  for (let allowed = 0; allowed <= limit; allowed++) {
    const request = requestFor(line, await next(), credentials?.());
    const answer = await world.place.send({ ...request, ...(sourceIp && { sourceIp: sourceIp(allowed) }) });
    if (answer.status >= 300) return { allowed, refusal: answer };
  }
  return { allowed: limit + 1 };
};

/** Environments that may answer in turn, each of which can exceed a sampled limit (shared/limits/sampled.ts). */
const environments = 4;

/** Publishes an event without subscribers until a request is refused; counts from each minute like the limit. */
const publishUntilRefused: LimitAttack = async (world, limit) => {
  const line: EndpointLine = endpointLine('events/publish');
  const excess = environments * Math.floor(limit / 300);
  const minuteNow = () => Math.floor(Date.now() / 60_000);
  let [allowed, since] = [0, minuteNow()];
  while (allowed <= limit + excess) {
    const sentIn = minuteNow();
    const answer = await world.place.send(requestFor(line, { event: 'post.unscheduled' }, world.ownersCredentials()));
    if (minuteNow() !== since) [allowed, since] = [0, minuteNow()];
    if (answer.status >= 300) return { allowed, refusal: answer, excess };
    // One that was sent in the last minute may have been counted there.
    if (sentIn === since) allowed += 1;
  }
  return { allowed, excess };
};

const known = { name: 'its own', state: 'known', party: 'first' } as const;

/** By the path of the setting. A limit of the settings that is missing here fails `npm run check`. */
const attacks: Readonly<Record<string, LimitAttack>> = {
  'invites.mailsPerAddressInTenMinutes': async (world, limit) => {
    const values = await world.create('nothing', known, []);
    return sendUntilRefused(world, 'invites/create', limit, async () => values, world.ownersCredentials);
  },
  'invites.perCallerAndHour': (world, limit) =>
    sendUntilRefused(
      world,
      'invites/create',
      limit,
      () => world.create('nothing', known, []),
      world.credentialsOf(world.place.staffKeys.Administrator ?? ''),
    ),
  'invites.perIntegrationAndHour': async (world, limit) => {
    const { credentials } = await world.newIntegration();
    return sendUntilRefused(world, 'invites/create', limit, () => world.create('nothing', known, []), credentials);
  },
  'invites.lookupsPerSourceAndMinute': (world, limit) =>
    sendUntilRefused(world, 'invites/status', limit, () => world.create('nothing', known, [])),
  'publishing.requestsPerCallerAndMinute': publishUntilRefused,
  'signIn.mailsPerAddressInTenMinutes': async (world, limit) => {
    const values = await world.create('nothing', known, []);
    const sources = (sent: number) => `192.0.2.${sent}`;
    return sendUntilRefused(world, 'sessions/request', limit, async () => values, undefined, sources);
  },
  'signIn.mailsPerAddressAndDay': async (world, limit) => {
    const values = await world.create('nothing', known, []);
    const sources = (sent: number) => `192.0.2.${100 + sent}`;
    return sendUntilRefused(world, 'sessions/request', limit, async () => values, undefined, sources);
  },
  'signIn.requestsPerSourceAndMinute': (world, limit) => {
    const next = () => world.create('nothing', known, []);
    return sendUntilRefused(world, 'sessions/request', limit, next, undefined, () => '198.51.100.1');
  },
  'deliveries.replaysPerCallerAndHour': async (world, limit) => {
    const { id, credentials } = await world.newIntegration();
    return sendUntilRefused(world, 'replays/create', limit, () => world.newWebhookOf(id), credentials);
  },
  'deliveries.redeliveriesPerCallerAndHour': async (world, limit) => {
    const { id, credentials } = await world.newIntegration();
    const webhook = await world.newWebhookOf(id);
    const values = { ...webhook, delivery_id: await world.newChild('delivery_id', webhook.id) };
    return sendUntilRefused(world, 'deliveries/redeliver', limit, async () => values, credentials);
  },
};

/** Returns the paths and values of the settings that limit what a caller can do. */
export const limitsOf = (settings: Settings): Readonly<Record<string, number>> =>
  Object.fromEntries(
    Object.entries(settings).flatMap(([group, values]) =>
      Object.entries(typeof values === 'object' && values !== null ? values : {}).flatMap(
        ([name, value]: [string, unknown]) =>
          typeof value === 'number' && /per(?:caller|source|address|integration|stage)|^max/i.test(name)
            ? [[`${group}.${name}`, value] as const]
            : [],
      ),
    ),
  );

/** Returns the attack on a limit. @throws Error with the place to add it */
export const attackOn = (setting: string): LimitAttack => {
  const found = attacks[setting];
  if (found === undefined)
    throw new Error(
      `The setting ${setting} limits callers, and the attack suite does not cover it. ` +
        'Add an attack to test/attack/limits.ts (CONTRIBUTING.md, "Add a stage setting").',
    );
  return found;
};

/** Failed keys are counted per environment, in memory: sends requests until one is a 429, up to a maximum. */
export const attackFailedKeys = async (world: World, most: number): Promise<LimitResult> => {
  const [impostor] = world.callers.filter(({ kind }) => kind === 'impostor');
  const line = endpointLine('roles/list');
  for (let sent = 0; sent < most; sent++) {
    const answer = await world.place.send(requestFor(line, {}, impostor?.headers?.()));
    if (answer.status !== 401) return { allowed: sent, refusal: answer };
  }
  return { allowed: most };
};
