/** A simulated stage's customers: integrations whose webhooks they change through the API, and published events. */
import { createHash } from 'node:crypto';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { contract, type FunctionName } from '../../shared/contract.ts';
import { covers } from '../../shared/foundation/event-selection.ts';
import type { Throttle } from '../../shared/webhooks/options-resource.ts';
import type { Stack } from './stack.ts';
import { secretOfKeys, tokenOf } from './token.ts';

export interface Hook {
  /** The number, which is in the target URL and identifies the webhook to its receiver. */
  readonly number: number;
  readonly id: string;
  readonly key: string;
  readonly host: string;
  /** Names and patterns, as in the API. */
  event: string;
  /** The event at its creation, for which its options are made: with another one, nothing is published for it. */
  readonly firstEvent: string;
  version: number;
  /** Epoch ms since which it has subscribed without a break; infinite if it no longer does. */
  subscribedSince: number;
  /** The secrets that its receiver accepts; undefined if it does not verify. */
  secrets: string[] | undefined;
  /** Whether it has options, which change with its target URL: all three name the same version. */
  readonly hasOptions: boolean;
  /** The throttle among its options, which stays as it is. */
  readonly throttle: Throttle | undefined;
  /** After how many seconds without another event the last one of a burst is delivered; undefined if each is. */
  readonly debounceSeconds: number | undefined;
}

interface Kind extends Pick<Hook, 'hasOptions' | 'throttle' | 'debounceSeconds'> {
  readonly isVerified: boolean;
}

export interface PublishedEvent {
  readonly number: number;
  readonly name: string;
  /** Epoch ms of the first request to publish it, and of the 202. */
  readonly askedAt: number;
  readonly acceptedAt: number;
}

export interface ShownDelivery {
  readonly id: string;
  readonly status: string;
  readonly event_id: string;
  readonly superseded_by: string | null;
}

interface Answer {
  readonly status: number;
  readonly body: Readonly<Record<string, Record<string, unknown>[]>>;
}

interface Request {
  readonly params?: Readonly<Record<string, string>>;
  readonly query?: Readonly<Record<string, string>>;
  readonly body?: object;
  readonly key?: string;
}

/** Milliseconds before a request is repeated after a 5xx or no response: first and maximum wait. */
const tryAgainMs = 2000;
const maxTryAgainMs = 300_000;
const maxTries = 100;

let largeText: string | undefined;
/** Returns a text whose payload is stored in two parts: hexadecimal digits compress by half. */
const large = (): string => {
  largeText ??= Array.from({ length: 14_000 }, (_, index) =>
    createHash('sha256').update(String(index)).digest('hex'),
  ).join('');
  return largeText;
};

const timeOf = (ms: number): string => new Date(ms).toISOString();

/** Returns options that leave the id of the event in the body, fit every event and let all pass. */
const optionsOf = (event: string, version: number): object => ({
  headers: { 'X-Version': String(version) },
  format: {
    type: 'template',
    template: { id: `{{${event.split('.')[0]}.current.id ?? ""}}`, version: String(version) },
  },
  filter: { event: [{ exists: true }] },
});

const targetOf = (host: string, number: number, version: number): string => `https://${host}/hook/${number}/${version}`;

export class Customers {
  readonly hooks: Hook[] = [];
  readonly events: PublishedEvent[] = [];
  private readonly stack: Stack;
  private keys = 0;
  private numbers = 0;
  private publisher = '';

  constructor(stack: Stack) {
    this.stack = stack;
    stack.ledger.secretsOf = (hook) => this.hooks[hook]?.secrets;
    stack.ledger.throttleOf = (hook) => this.hooks[hook]?.throttle;
  }

  /** Adds an integration; returns the id of its key. Preparations of this class never fail. */
  async addIntegration(): Promise<string> {
    this.keys++;
    const id = this.keys.toString(16).padStart(24, '0');
    const integration = { name: `Integration ${this.keys}`, canPublish: true, key: { id, secret: secretOfKeys } };
    await this.stack.invoke('setup/seed', { integrations: [integration] }, true);
    this.publisher ||= id;
    return id;
  }

  async addWebhook(
    key: string,
    event: string,
    host: string,
    { isVerified = false, hasOptions = false, throttle, debounceSeconds }: Partial<Kind> = {},
  ): Promise<Hook> {
    const number = this.hooks.length;
    const secrets = isVerified ? [secretOf(number)] : undefined;
    const webhook = {
      event,
      target_url: targetOf(host, number, 0),
      ...(secrets && { secret: secrets[0] }),
      options: {
        ...(hasOptions && optionsOf(event, 0)),
        ...(throttle && { throttle }),
        ...(debounceSeconds && { debounce: { seconds: debounceSeconds, max_seconds: 4 * debounceSeconds } }),
      },
    };
    const { status, body } = await this.call('webhooks/create', { key, body: { webhooks: [webhook] } }, true);
    const id = String(body.webhooks?.[0]?.id);
    if (status !== 201) throw new Error(`The webhook was not created: ${JSON.stringify(body)}`);
    const subscribedSince = this.stack.world.now;
    const hook = {
      number,
      id,
      key,
      host,
      event,
      firstEvent: event,
      version: 0,
      subscribedSince,
      secrets,
      hasOptions,
      throttle,
      debounceSeconds,
    };
    this.hooks.push(hook);
    return hook;
  }

  /** Publishes an event until it is accepted, with the key `by`. A large one is stored in two parts. */
  async publish(name: string, { isLarge = false, by = this.publisher } = {}): Promise<PublishedEvent> {
    const { world } = this.stack;
    const number = this.numbers++;
    const resource = name.split('.')[0] ?? '';
    const current = { id: `e${number}`, ...(isLarge && { html: large() }) };
    const payload = { [resource]: { current, previous: {} } };
    const askedAt = world.now;
    await this.insist(
      'events/publish',
      { key: by, body: { events: [{ id: `e${number}`, event: name, payload }] } },
      [202],
    );
    const event = { number, name, askedAt, acceptedAt: world.now };
    this.events.push(event);
    return event;
  }

  /** Changes the target URL of a webhook, with its options if it has some; it keeps its subscription. */
  async move(hook: Hook): Promise<void> {
    hook.version++;
    const { host, number, version, firstEvent, hasOptions } = hook;
    await this.change(hook, {
      target_url: targetOf(host, number, version),
      ...(hasOptions && { options: optionsOf(firstEvent, version) }),
    });
  }

  async subscribe(hook: Hook, event: string): Promise<void> {
    hook.subscribedSince = Number.POSITIVE_INFINITY;
    if (!(await this.change(hook, { event }))) return;
    hook.event = event;
    hook.subscribedSince = this.stack.world.now;
  }

  /** Subscribes a webhook to all events of its resource for a time; meanwhile and afterwards it gets its own. */
  async widen(hook: Hook, forMs: number): Promise<void> {
    const { event } = hook;
    await this.change(hook, { event: `${event.split('.')[0]}.*` });
    await this.stack.world.sleep(forMs);
    await this.change(hook, { event });
  }

  async remove(hook: Hook): Promise<void> {
    hook.subscribedSince = Number.POSITIVE_INFINITY;
    await this.insist('webhooks/delete', this.of(hook), [204, 404]);
  }

  /** Rotates a secret; its receiver uses the old one for another hour, and then only the new one. */
  async rotate(hook: Hook): Promise<void> {
    const { status, body } = await this.insist('webhooks/rotate-secret', this.of(hook), [200, 404, 429]);
    if (status !== 200) return;
    const secret = String(body.secrets?.[0]?.secret);
    this.stack.world.after(3_600_000, () => {
      hook.secrets = [secret];
    });
  }

  /** Replays a webhook's deliveries from a time (epoch ms) until now, optionally only those with a status. */
  async replay(hook: Hook, since: number, status?: string): Promise<void> {
    const range = { since: timeOf(since), until: timeOf(this.stack.world.now), ...(status && { status }) };
    await this.insist('replays/create', { ...this.of(hook), body: { replays: [range] } }, [202, 404]);
  }

  /** Updates a webhook without changes, which enables a disabled one. */
  async enable(hook: Hook): Promise<void> {
    await this.change(hook, { event: hook.event });
  }

  async deliveriesOf(hook: Hook): Promise<readonly ShownDelivery[]> {
    const all: ShownDelivery[] = [];
    let query: Record<string, string> = {};
    for (;;) {
      const { body } = await this.insist('deliveries/list', { ...this.of(hook), query }, [200, 404]);
      all.push(...((body.deliveries ?? []) as unknown as ShownDelivery[]));
      const { next = null } = (body.meta as { pagination?: { next?: string | null } } | undefined)?.pagination ?? {};
      if (next === null) return all;
      query = { cursor: next };
    }
  }

  /** Repeats a request to the API until it returns one of these statuses. @throws Error if it never does */
  async insist(name: FunctionName, request: Request, statuses: readonly number[]): Promise<Answer> {
    let last: Answer | undefined;
    for (let attempt = 0; attempt < maxTries; attempt++) {
      last = await this.call(name, request);
      if (statuses.includes(last.status)) return last;
      await this.stack.world.sleep(Math.min(maxTryAgainMs, tryAgainMs * 2 ** attempt));
    }
    throw new Error(`${name} was never answered with ${statuses.join(' or ')}: ${JSON.stringify(last)}`);
  }

  /** Makes one request to the API; 502 means that the function did not answer. */
  async call(
    name: FunctionName,
    { params, query, body, key = this.publisher }: Request,
    isFair = false,
  ): Promise<Answer> {
    const line = contract.find((candidate) => candidate.function === name);
    if (line?.kind !== 'endpoint') throw new Error(`${name} is not an endpoint.`);
    const event = {
      resource: line.path,
      path: line.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params?.[param] ?? ''),
      httpMethod: line.method,
      headers: { Authorization: `Ghost ${tokenOf(key, this.stack.world.now)}`, 'Content-Type': 'application/json' },
      queryStringParameters: query ?? null,
      pathParameters: params ?? null,
      body: body === undefined ? null : JSON.stringify(body),
      isBase64Encoded: false,
      requestContext: { requestId: 'simulated', identity: { sourceIp: '192.0.2.1' } },
    };
    const outcome = await this.stack.invoke(name, event, isFair);
    if (outcome.kind !== 'returned') return { status: 502, body: {} };
    const { statusCode, body: text } = outcome.result as APIGatewayProxyResult;
    return { status: statusCode, body: text === '' ? {} : JSON.parse(text) };
  }

  /** Calls back with each webhook that has subscribed to an event since before its publication. */
  forEachExpected(each: (hook: Hook, event: PublishedEvent) => void): void {
    const bySelection = Map.groupBy(this.hooks, ({ event }) => event);
    for (const event of this.events)
      for (const [selection, hooks] of bySelection)
        if (covers(selection, event.name))
          for (const hook of hooks) if (hook.subscribedSince <= event.askedAt) each(hook, event);
  }

  private of({ key, id }: Hook) {
    return { key, params: { id } };
  }

  /** Returns false if the webhook was deleted. */
  private async change(hook: Hook, fields: object): Promise<boolean> {
    const body = { webhooks: [{ id: hook.id, ...fields }] };
    const { status } = await this.insist('webhooks/update', { ...this.of(hook), body }, [200, 404]);
    if (status === 404) hook.subscribedSince = Number.POSITIVE_INFINITY;
    return status === 200;
  }
}

const secretOf = (number: number): string =>
  `whsec_${Buffer.from(`secret of webhook ${number}`.padEnd(32)).toString('base64')}`;
