/** The customers of a simulated stage: integrations with webhooks, which they create, change and delete through the API, and events that are published. */
import type { APIGatewayProxyResult } from 'aws-lambda';
import { contract, type FunctionName } from '../../../shared/contract.ts';
import type { Stack } from './stack.ts';
import { tokenOf } from './token.ts';

export interface Hook {
  /** Its number is in its target URL, so that its receiver knows it. */
  readonly number: number;
  readonly id: string;
  readonly key: string;
  readonly host: string;
  event: string;
  /** How often its target URL was changed. */
  version: number;
  /** Epoch ms from which it subscribes to its event without a break; infinite where it does not any more. */
  subscribedSince: number;
  /** The secrets that its receiver takes; undefined where it does not verify. */
  secrets: string[] | undefined;
}

export interface PublishedEvent {
  readonly number: number;
  readonly name: string;
  /** Epoch ms of the first try to publish it, and of the answer 202. */
  readonly askedAt: number;
  readonly acceptedAt: number;
}

/** A delivery as the API shows it. */
export interface ShownDelivery {
  readonly id: string;
  readonly status: string;
  readonly event_id: string;
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

/** Milliseconds before a request is made again that was answered with a fault of ours, or not at all: at first, and at most. */
const tryAgainMs = 2000;
const maxTryAgainMs = 300_000;
const maxTries = 100;

const timeOf = (ms: number): string => new Date(ms).toISOString();

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
  }

  /** Adds an integration; returns the id of its key. What this class prepares always goes well. */
  async addIntegration(): Promise<string> {
    this.keys++;
    const id = this.keys.toString(16).padStart(24, '0');
    const integration = { name: `Integration ${this.keys}`, canPublish: true, key: { id, secret: 'f'.repeat(64) } };
    await this.stack.invoke('setup/seed', { integrations: [integration] }, true);
    this.publisher ||= id;
    return id;
  }

  async addWebhook(key: string, event: string, host: string, { isVerified = false } = {}): Promise<Hook> {
    const number = this.hooks.length;
    const secrets = isVerified ? [secretOf(number)] : undefined;
    const webhook = { event, target_url: targetOf(host, number, 0), ...(secrets && { secret: secrets[0] }) };
    const { status, body } = await this.call('webhooks/create', { key, body: { webhooks: [webhook] } }, true);
    const id = String(body.webhooks?.[0]?.id);
    if (status !== 201) throw new Error(`The webhook was not created: ${JSON.stringify(body)}`);
    const hook = { number, id, key, host, event, version: 0, subscribedSince: this.stack.world.now, secrets };
    this.hooks.push(hook);
    return hook;
  }

  /** Publishes an event, with its id again and again until it is accepted. */
  async publish(name: string): Promise<PublishedEvent> {
    const { world } = this.stack;
    const number = this.numbers++;
    const resource = name.split('.')[0] ?? '';
    const payload = { [resource]: { current: { id: `e${number}` }, previous: {} } };
    const askedAt = world.now;
    await this.insist(
      'events/publish',
      { key: this.publisher, body: { events: [{ id: `e${number}`, event: name, payload }] } },
      [202],
    );
    const event = { number, name, askedAt, acceptedAt: world.now };
    this.events.push(event);
    return event;
  }

  /** Moves a webhook to another target URL: it goes on subscribing. */
  async move(hook: Hook): Promise<void> {
    hook.version++;
    await this.change(hook, { target_url: targetOf(hook.host, hook.number, hook.version) });
  }

  /** Lets a webhook subscribe to another event. */
  async subscribe(hook: Hook, event: string): Promise<void> {
    hook.subscribedSince = Number.POSITIVE_INFINITY;
    if (!(await this.change(hook, { event }))) return;
    hook.event = event;
    hook.subscribedSince = this.stack.world.now;
  }

  async remove(hook: Hook): Promise<void> {
    hook.subscribedSince = Number.POSITIVE_INFINITY;
    await this.insist('webhooks/delete', this.of(hook), [204, 404]);
  }

  /** Rotates a secret; its receiver goes on with the old one for an hour, as it may, and then takes the new one alone. */
  async rotate(hook: Hook): Promise<void> {
    const { status, body } = await this.insist('webhooks/rotate-secret', this.of(hook), [200, 404, 429]);
    if (status !== 200) return;
    const secret = String(body.secrets?.[0]?.secret);
    this.stack.world.after(3_600_000, () => {
      hook.secrets = [secret];
    });
  }

  /** Replays what a webhook got, or should have got, from a time (epoch ms) until now; only deliveries of this status, where there is one. */
  async replay(hook: Hook, since: number, status?: string): Promise<void> {
    const range = { since: timeOf(since), until: timeOf(this.stack.world.now), ...(status && { status }) };
    await this.insist('replays/create', { ...this.of(hook), body: { replays: [range] } }, [202, 404]);
  }

  /** Changes a webhook into what it is, which enables it where it was disabled. */
  async enable(hook: Hook): Promise<void> {
    await this.change(hook, { event: hook.event });
  }

  /** Lists all deliveries of a webhook; none where it is gone. */
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

  /** Makes a request to the API, as often as it takes until the answer is one of these. @throws Error where it never is */
  async insist(name: FunctionName, request: Request, statuses: readonly number[]): Promise<Answer> {
    let last: Answer | undefined;
    for (let attempt = 0; attempt < maxTries; attempt++) {
      last = await this.call(name, request);
      if (statuses.includes(last.status)) return last;
      await this.stack.world.sleep(Math.min(maxTryAgainMs, tryAgainMs * 2 ** attempt));
    }
    throw new Error(`${name} was never answered with ${statuses.join(' or ')}: ${JSON.stringify(last)}`);
  }

  /** Makes one request to the API; 502 stands for a function that did not answer. */
  async call(
    name: FunctionName,
    { params, query, body, key = this.publisher }: Request,
    isFair = false,
  ): Promise<Answer> {
    const line = contract.find((candidate) => candidate.function === name);
    if (line?.kind !== 'endpoint') throw new Error(`${name} is no endpoint.`);
    const event = {
      resource: line.path,
      path: line.path.replaceAll(/\{(\w+)\}/g, (_, param: string) => params?.[param] ?? ''),
      httpMethod: line.method,
      headers: { Authorization: `Ghost ${tokenOf(key)}`, 'Content-Type': 'application/json' },
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

  /** Calls back with each webhook that was subscribed to an event's name from before it was published until now. */
  forEachExpected(each: (hook: Hook, event: PublishedEvent) => void): void {
    const hooks = Map.groupBy(this.hooks, ({ event }) => event);
    for (const event of this.events)
      for (const hook of hooks.get(event.name) ?? []) if (hook.subscribedSince <= event.askedAt) each(hook, event);
  }

  private of({ key, id }: Hook) {
    return { key, params: { id } };
  }

  /** Returns false where the webhook is gone, because its receiver answered 410. */
  private async change(hook: Hook, fields: object): Promise<boolean> {
    const body = { webhooks: [{ id: hook.id, ...fields }] };
    const { status } = await this.insist('webhooks/update', { ...this.of(hook), body }, [200, 404]);
    if (status === 404) hook.subscribedSince = Number.POSITIVE_INFINITY;
    return status === 200;
  }
}

const secretOf = (number: number): string =>
  `whsec_${Buffer.from(`secret of webhook ${number}`.padEnd(32)).toString('base64')}`;
