/**
 * A simulated world for the mailer with its own clock: a mail queue with visibility and redrive, two environments that
 * may be killed at any call, the sweep, and an SES that counts. Minutes pass in milliseconds.
 */

import type { IntegrationId, InviteId, RoleId } from '../../shared/foundation/ids.ts';
import type { Invite } from '../../shared/invites/invite.ts';
import type { MailMessage } from '../../shared/invites/schema.ts';
import { type Ports, sendInvites } from '../../shared/invites/send.ts';
import { tokenHash } from '../../shared/invites/token.ts';
import { reserveTurns, type Turns } from '../../shared/limits/rate.ts';

export interface WorldPlan {
  readonly invites: number;
  readonly perSecond: number;
  /** Returns a number from 0 to 1 for each random decision. */
  readonly random: () => number;
  /** Probability that an invocation is killed at a call, before or after its effect. */
  readonly kill?: number;
  /** Probability that SES throttles a mail. */
  readonly throttle?: number;
  /** Probability of a stall of 600 ms before a step. */
  readonly pause?: number;
  /** Probability that the queue delivers a message twice, the second time at most 200 ms later. */
  readonly duplicate?: number;
}

export interface World {
  readonly mails: readonly { readonly invite: InviteId; readonly token: string; readonly at: number }[];
  readonly invites: ReadonlyMap<InviteId, Invite>;
  /** How often a worker was killed after SES accepted an invite's mail and before its record. */
  readonly diedBetween: ReadonlyMap<InviteId, number>;
  readonly deadLetters: number;
  readonly kills: number;
  readonly tooMany: number;
  /** When all work was done, in ms from the start. */
  readonly endedAt: number;
}

const second = 1000;
const minute = 60 * second;
const visibility = 3 * minute;
const timeout = 30 * second;
const mostReceives = 10;

interface Message {
  readonly body: MailMessage;
  visibleAt: number;
  receives: number;
}

/** Runs the world until no invite is pending. @throws Error after two days */
export const runWorld = async (plan: WorldPlan): Promise<World> => {
  const chance = (probability = 0): boolean => plan.random() < probability;
  let now = Date.parse('2026-11-21T09:00:00Z');
  const began = now;
  let activity = 0;
  let kills = 0;
  let tooMany = 0;
  let deadLetters = 0;
  let turns: Turns | undefined;
  const mails: { invite: InviteId; token: string; at: number }[] = [];
  const invites = new Map<InviteId, Invite>();
  const due = new Map<InviteId, number>();
  const diedBetween = new Map<InviteId, number>();
  let queue: Message[] = [];
  const timers: { at: number; wake: () => void }[] = [];

  /** SQS may show a message again soon after, while a worker still processes it. */
  const enqueue = (body: MailMessage, visibleAt: number) => {
    queue.push({ body, visibleAt, receives: 0 });
    if (chance(plan.duplicate)) queue.push({ body, visibleAt: visibleAt + plan.random() * 0.2 * second, receives: 0 });
  };

  for (let number = 0; number < plan.invites; number++) {
    const id = number.toString(16).padStart(24, '0') as InviteId;
    const at = new Date(now).toISOString();
    invites.set(id, {
      id,
      role_id: id as string as RoleId,
      role: 'Author',
      status: 'pending',
      email: `reader-${number}@example.org`,
      expires: now + 7 * 24 * 60 * minute,
      expires_at: (now + 37 * 24 * 60 * minute) / second,
      created_at: at,
      updated_at: at,
      inviter: null,
      invited_by: { kind: 'integration', integration_id: id as string as IntegrationId },
      mailing: 1,
      attempts: 0,
      token_hashes: [],
      old_token_hashes: [],
      history: [{ status: 'pending', at }],
    });
    due.set(id, now + 2 * minute);
    enqueue({ invite_id: id, waits: 0 }, now);
  }

  const stored = (id: InviteId): Invite => {
    const invite = invites.get(id);
    if (invite === undefined) throw new Error(`the invite ${id} does not exist`);
    return invite;
  };
  const change = (id: InviteId, changes: Partial<Invite>, nextDue?: number | 'none'): boolean => {
    invites.set(id, { ...stored(id), ...changes });
    if (nextDue === 'none') due.delete(id);
    else if (nextDue !== undefined) due.set(id, nextDue);
    return true;
  };
  const pendingAs = (read: Invite): boolean =>
    stored(read.id).status === 'pending' && stored(read.id).mailing === read.mailing;

  /** One invocation: its calls, at each of which it may be killed. */
  const environment = () => {
    const lastCall = chance(plan.kill) ? Math.floor(plan.random() * 60) : undefined;
    const isAfter = chance(0.5);
    let calls = 0;
    let dead = false;
    const between = new Set<InviteId>();
    const never = new Promise<never>(() => {});
    const die = () => {
      dead = true;
      kills++;
      for (const id of between) diedBetween.set(id, (diedBetween.get(id) ?? 0) + 1);
    };
    const call = async <T>(effect: () => T): Promise<T> => {
      await Promise.resolve();
      activity++;
      if (dead) return never;
      if (calls++ !== lastCall) return effect();
      if (isAfter) effect();
      die();
      return never;
    };
    const ports: Ports = {
      readInvite: (id) => call(() => invites.get(id)),
      currentInvite: (invite) => call(() => invite),
      isStopped: async () => false,
      takeTurns: (wanted, at, horizonMs) =>
        call(() => {
          const given = reserveTurns(turns, wanted, at, horizonMs, { perSecond: plan.perSecond, perDay: null });
          turns = given.state ?? turns;
          return given;
        }),
      claimInvite: (read, token_hashes, at, until) =>
        call(() => {
          const { attempts, claimed_until = 0 } = stored(read.id);
          if (!pendingAs(read) || attempts !== read.attempts || claimed_until >= at) return false;
          return change(read.id, { token_hashes, attempts: attempts + 1, claimed_until: until });
        }),
      releaseInvite: (read, token_hashes, at) =>
        call(() =>
          pendingAs(read) && stored(read.id).attempts === read.attempts + 1
            ? change(read.id, { token_hashes, claimed_until: 0 }, at)
            : false,
        ),
      postponeInvite: (read, at) => call(() => (pendingAs(read) ? change(read.id, {}, at) : false)),
      noteMailed: (read, { status }) =>
        call(() => {
          between.delete(read.id);
          return pendingAs(read) ? change(read.id, { status }, 'none') : false;
        }),
      noteWait: () => {},
      forgetDue: (read) => call(() => due.delete(read.id)),
      sendMail: async ({ text, tags }) => {
        await ports.wait(plan.random() * 20);
        const outcome = await call(() => {
          const lately = mails.filter(({ at }) => at > now - second).length;
          if (lately >= plan.perSecond) {
            tooMany++;
            return { kind: 'throttled' as const, reason: 'rate' };
          }
          if (chance(plan.throttle)) return { kind: 'throttled' as const, reason: 'chance' };
          const invite = tags?.invite as InviteId;
          mails.push({ invite, token: /token=(\S+)/.exec(text)?.[1] ?? '', at: now });
          between.add(invite);
          return { kind: 'accepted' as const, messageId: '1' };
        });
        await ports.wait(20 + plan.random() * 80);
        return outcome;
      },
      sendLater: (body, delaySeconds) =>
        call(() => {
          enqueue(body, now + delaySeconds * second);
        }),
      perSecond: plan.perSecond,
      wait: (ms) =>
        new Promise((wake) => {
          activity++;
          timers.push({ at: now + ms, wake });
        }),
      clock: () => now,
      random: plan.random,
      linkFor: (token) => `https://example.org/?token=${token}`,
      publication: {
        name: 'Test',
        url: 'https://example.org',
        description: '',
        timezone: 'Etc/UTC',
        accentColor: '#000000',
        language: 'en',
      },
    };
    return { ports, isDead: () => dead };
  };

  const slots: { until: number }[] = [];
  const invoke = (batch: readonly Message[]) => {
    const { ports, isDead } = environment();
    const slot = { until: now + timeout };
    slots.push(slot);
    const ends = sendInvites(
      batch.map(({ body }) => body),
      ports,
    );
    // The invocation is not awaited: a killed one never ends.
    void Promise.allSettled(ends).then((settled) => {
      activity++;
      if (isDead()) return;
      const done = batch.filter((_, position) => settled[position]?.status === 'fulfilled');
      queue = queue.filter((message) => !done.includes(message));
      slots.splice(slots.indexOf(slot), 1);
    });
  };

  const receive = () => {
    while (slots.length < 2) {
      const batch = queue.filter(({ visibleAt }) => visibleAt <= now).slice(0, 10);
      if (batch.length === 0) return;
      for (const message of batch) {
        message.visibleAt = now + visibility;
        message.receives++;
      }
      const dead = batch.filter(({ receives }) => receives > mostReceives);
      deadLetters += dead.length;
      queue = queue.filter((message) => !dead.includes(message));
      invoke(batch.filter((message) => !dead.includes(message)));
    }
  };

  const quiet = async () => {
    for (let before = -1; before !== activity; ) {
      before = activity;
      await new Promise((resolve) => setImmediate(resolve));
    }
  };

  let nextSweep = now + minute;
  const isPending = () => [...invites.values()].some(({ status }) => status === 'pending');
  while (isPending()) {
    if (now - began > 48 * 60 * minute) throw new Error('invites are pending after two days');
    receive();
    await quiet();
    const busy = slots.map(({ until }) => until);
    const next = Math.min(
      nextSweep,
      ...timers.map(({ at }) => at),
      ...busy,
      ...(slots.length < 2 ? queue.map(({ visibleAt }) => visibleAt) : []),
    );
    now = Math.max(now, next) + (chance(plan.pause) ? 600 : 0);
    for (const timer of timers.filter(({ at }) => at <= now)) {
      timers.splice(timers.indexOf(timer), 1);
      timer.wake();
    }
    for (const slot of slots.filter(({ until }) => until <= now)) slots.splice(slots.indexOf(slot), 1);
    if (now >= nextSweep) {
      nextSweep += minute;
      for (const [id, at] of due)
        if (at <= now) {
          queue.push({ body: { invite_id: id, waits: 0 }, visibleAt: now, receives: 0 });
          due.set(id, now + 6 * minute);
        }
    }
    await quiet();
  }
  return { mails, invites, diedBetween, deadLetters, kills, tooMany, endedAt: now - began };
};

/** Returns whether a mailed link still works. */
export const linkWorks = (world: World, { invite, token }: World['mails'][number]): boolean =>
  world.invites.get(invite)?.token_hashes.includes(tokenHash(token)) ?? false;
