/** The load of a soak: events, invites and a mix of requests, with what was accepted of them. */
import type { SoakedStack } from './running.ts';

/** Each has the same number of webhooks. */
export const eventNames = ['post.published', 'post.edited', 'page.published', 'tag.added', 'member.added'];

export interface Load {
  readonly accepted: ReadonlyMap<string, string>;
  readonly invited: ReadonlySet<string>;
  /** Addresses whose request got no answer, or a 5xx: an invite may exist. */
  readonly uncertain: ReadonlySet<string>;
  /** Answers by request and status; `none` where no answer came. */
  readonly answers: Readonly<Record<string, number>>;
  /** Ends the load when what has begun has an answer. */
  end(): Promise<void>;
}

interface Options {
  readonly random: () => number;
  readonly seed: number;
  readonly webhooks: readonly string[];
  readonly integrationKey: string;
  /** The integration whose Ghost site sends events, and its inbound secret. */
  readonly site: { readonly id: string; readonly secret: string };
  readonly authorRole: string;
  readonly receiver: string;
}

const eventsPerSecond = 4;
const inboundPerSecond = 1;
const invitesPerMinute = 10;
const requestsPerSecond = 2;

/** Starts it. */
export const startLoad = (stack: SoakedStack, options: Options): Load => {
  const { random, seed, webhooks, integrationKey, site, authorRole, receiver } = options;
  const accepted = new Map<string, string>();
  const invited = new Set<string>();
  const uncertain = new Set<string>();
  const answers: Record<string, number> = {};
  const going = new Set<Promise<void>>();
  let ended = false;
  let number = 0;

  const pick = <T>(of: readonly T[]): T | undefined => of[Math.floor(random() * of.length)];
  const call = async (what: string, ...request: Parameters<SoakedStack['call']>) => {
    const answer = await stack.call(...request);
    const counted = `${what}: ${answer?.status ?? 'none'}`;
    answers[counted] = (answers[counted] ?? 0) + 1;
    return answer;
  };
  const isUncertain = (status: number | undefined) => status === undefined || status >= 500;

  const newEvent = () => {
    number += 1;
    const id = `soak-${seed}-${number}`;
    const event = pick(eventNames) ?? '';
    const resource = { current: { title: id, html: 'x'.repeat(500) }, previous: {} };
    return { id, event, payload: { [event.split('.')[0] ?? '']: resource } };
  };
  /** A Ghost site tries once. */
  const relay = async () => {
    const { event, payload } = newEvent();
    const answer = await stack.relay(`/inbound/ghost/${site.id}/${event}/`, site.secret, { event, ...payload });
    const counted = `relay: ${answer?.status ?? 'none'}`;
    answers[counted] = (answers[counted] ?? 0) + 1;
    if (answer?.status === 202) accepted.set(answer.body.events[0].id, event);
  };
  const publish = async () => {
    const { id, event, payload } = newEvent();
    for (let tries = 0; ; tries++) {
      const answer = await call(
        'publish',
        'POST',
        '/admin/events/',
        { events: [{ id, event, payload }] },
        integrationKey,
      );
      if (answer?.status === 202) {
        accepted.set(id, event);
        return;
      }
      if (!isUncertain(answer?.status) && answer?.status !== 429) return;
      // Each further request waits longer: on a busy machine, retries alone would exceed what the stack can answer.
      await new Promise((resolve) => setTimeout(resolve, Math.min(20_000, 300 * 2 ** tries)));
    }
  };
  const invite = async () => {
    number += 1;
    const email = `soak-${number}@example.org`;
    const answer = await call('invite', 'POST', '/admin/invites/', { invites: [{ email, role_id: authorRole }] });
    if (answer?.status === 201) invited.add(email);
    else if (isUncertain(answer?.status)) uncertain.add(email);
  };
  const request = async () => {
    const webhook = `/admin/webhooks/${pick(webhooks)}/`;
    const chance = random();
    if (chance < 0.3) await call('rename a webhook', 'PUT', webhook, { webhooks: [{ name: `Name ${random()}` }] });
    else if (chance < 0.5) await call('list deliveries', 'GET', `${webhook}deliveries/?limit=20`);
    else if (chance < 0.65) await call('list integrations', 'GET', '/admin/integrations/?include=webhooks');
    else if (chance < 0.75) await call('list invites', 'GET', '/admin/invites/');
    else if (chance < 0.8) await call('ping', 'POST', `${webhook}ping/`);
    else if (chance < 0.85) {
      const listed = await call('list deliveries', 'GET', `${webhook}deliveries/?status=delivered&limit=1`);
      const [delivery] = listed?.body?.deliveries ?? [];
      if (delivery) await call('redeliver', 'POST', `${webhook}deliveries/${delivery.id}/redeliver/`);
    } else {
      const target_url = `${receiver}/churn/${Math.floor(random() * 1e9)}`;
      const body = { webhooks: [{ event: 'tag.deleted', target_url }] };
      const made = await call('create a webhook', 'POST', '/admin/webhooks/', body, integrationKey);
      const id = made?.body?.webhooks?.[0]?.id;
      if (id !== undefined) await call('delete a webhook', 'DELETE', `/admin/webhooks/${id}/`);
    }
  };

  const every = (perSecond: number, work: () => Promise<void>) => {
    const next = () => {
      if (ended) return;
      const one = work().catch((error: unknown) => {
        answers[`failed: ${error}`] = (answers[`failed: ${error}`] ?? 0) + 1;
      });
      going.add(one);
      void one.finally(() => going.delete(one));
      // Requests come at random moments, as those of many clients do.
      setTimeout(next, (-Math.log(1 - random()) * 1000) / perSecond);
    };
    next();
  };
  every(eventsPerSecond, publish);
  every(inboundPerSecond, relay);
  every(invitesPerMinute / 60, invite);
  every(requestsPerSecond, request);
  return {
    accepted,
    invited,
    uncertain,
    answers,
    async end() {
      ended = true;
      await Promise.all(going);
    },
  };
};
