/**
 * Mails invites: waits for a turn, creates the token, stores its hash, and only then calls SES. The invite's state
 * decides, not the message: one worker at a time mails a pending invite, under a claim. If it dies after SES accepted
 * the mail, the claim expires and the mail is sent twice; both links work. What must wait gets a new, delayed message.
 */
import { ownerId } from '../accounts/removed-owners.ts';
import { log } from '../aws/log.ts';
import type { MailOutcome } from '../aws/mail.ts';
import { measureLate } from '../aws/metrics.ts';
import { maxDelaySeconds, send } from '../aws/queues.ts';
import { minute, second, systemClock, timestamp } from '../foundation/clock.ts';
import { settings } from '../foundation/environment.ts';
import { mailer } from '../limits/mailer.ts';
import { type Reserved, rateOfInvites } from '../limits/rate.ts';
import { isStopped, tellStaff } from './bounces.ts';
import { currentInvite } from './current.ts';
import type { Invite, StateChange } from './invite.ts';
import { linkFor } from './link.ts';
import { invitationMail } from './mail.ts';
import { inviteGroup } from './request-mails.ts';
import type { MailMessage } from './schema.ts';
import { claimInvite, forgetDue, noteMailed, postponeInvite, readInvite, releaseInvite } from './store.ts';
import { maxTokens, newToken } from './token.ts';

/** The calls of the mailer. A test kills it at each of them, and sets the time, the turns and the answers of SES. */
const portsOfStage = () => {
  const { publication, mail: rate } = settings();
  return {
    readInvite,
    currentInvite: (invite: Invite) => currentInvite(invite, systemClock()),
    isStopped: async ({ invited_by }: Invite): Promise<boolean> => {
      if (!(await isStopped(invited_by))) return false;
      await tellStaff(invited_by, systemClock());
      return true;
    },
    takeTurns: async (wanted: number, now: number, horizonMs: number): Promise<Reserved> => {
      const reserved = await mailer.takeTurns(wanted, now, horizonMs, rateOfInvites(rate));
      // After the day's quota it may be hours until the next turn.
      if (reserved.turns.length < wanted) measureLate('LateMail', reserved.waitMs);
      return reserved;
    },
    claimInvite,
    releaseInvite,
    postponeInvite,
    noteMailed: (invite: Invite, change: StateChange) => {
      log.info(change.status, { invite_id: invite.id });
      return noteMailed(invite, change);
    },
    noteWait: (ms: number): void => measureLate('LateMail', ms),
    forgetDue,
    sendMail: mailer.sendMail,
    sendLater: (message: MailMessage, delaySeconds: number) =>
      send('mail', [{ body: message, delaySeconds, group: inviteGroup }]),
    perSecond: rate.perSecond,
    wait: mailer.wait,
    clock: mailer.clock,
    random: Math.random,
    linkFor,
    publication,
  };
};
export type Ports = ReturnType<typeof portsOfStage>;

/** What became of a message: its mail was sent, bounced or waits for another try, or its invite needs none. */
export type MessageOutcome = 'sent' | 'bounced' | 'waits' | 'not needed';

/** The maximum wait for a turn; the timeout of the function leaves time for SES after it. */
export const maxWaitMs = 12 * second;
/** Turns are reserved this much ahead, because the reservation itself takes time. */
const leadMs = 50;
/** A worker that misses its turn by more reserves another: after a pause of the machine, several would send at once. */
const maxLateMs = 100;
/** Mails per second that one concurrent request can send: enough if SES responds within 200 ms. */
const perSecondOfOne = 5;
/** A claim expires after this time, which is longer than the timeout of the function. */
export const claimMs = minute;
/** The sweep waits this much longer than the message, so that it finds only lost messages. */
const graceMs = 2 * minute;
/** When the sweep looks again at an invite whose inviter is stopped. */
const heldMs = 10 * minute;

/** Mails a batch; returns a promise per message. Turns are reserved once for all. @throws errors of the table */
export const sendInvites = (
  messages: readonly MailMessage[],
  ports: Ports = portsOfStage(),
): Promise<MessageOutcome>[] => {
  const isHeld = holder(ports);
  const pending = messages.map(async ({ invite_id }) => {
    const invite = await ports.readInvite(invite_id);
    if (invite === undefined || !(await needsMail(ports, invite))) return 'not needed';
    return (await isHeld(invite)) ? 'waits' : invite;
  });
  const until = ports.clock() + maxWaitMs;
  const turnOf = turnsFor(ports, pending, until);
  const limited = limiter(Math.ceil(ports.perSecond / perSecondOfOne));
  return messages.map(async (message, position) => {
    const invite = await pending[position];
    if (invite === undefined || typeof invite === 'string') return invite ?? 'not needed';
    let { turn, waitMs } = await turnOf(position);
    while (turn !== undefined) {
      const own = turn;
      await ports.wait(Math.max(0, own - ports.clock()));
      const result = await limited(async () =>
        ports.clock() - own > maxLateMs ? ('missed turn' as const) : claimAndSend(ports, invite),
      );
      if (result === 'not needed') return result;
      if (result !== 'missed turn') return record(ports, invite, message, result);
      ({ turn, waitMs } = await anotherTurn(ports, until));
    }
    return waitLonger(ports, invite, message, waitMs);
  });
};

/** Limits concurrency, in order. The first call runs alone: connecting to SES is slow, and others would burst. */
const limiter = (count: number) => {
  const waiting: (() => void)[] = [];
  let free = 1;
  let isFirst = true;
  const finish = () => {
    free += isFirst ? count : 1;
    isFirst = false;
    for (const next of waiting.splice(0, free)) {
      free--;
      next();
    }
  };
  return async <T>(work: () => Promise<T | 'missed turn'>): Promise<T | 'missed turn'> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return work().finally(finish);
  };
};

/** Returns a function that holds back invites of stopped inviters: the sweep asks again. Looks once per batch. */
const holder = (ports: Ports) => {
  const stops = new Map<string, Promise<boolean>>();
  return async (invite: Invite): Promise<boolean> => {
    const inviter = ownerId(invite.invited_by);
    const stop = stops.get(inviter) ?? ports.isStopped(invite);
    stops.set(inviter, stop);
    if (!(await stop)) return false;
    await ports.postponeInvite(invite, ports.clock() + heldMs);
    return true;
  };
};

/** Whether an invite is pending and not claimed; a dead one is removed from the due index. */
const needsMail = async (ports: Ports, invite: Invite): Promise<boolean> => {
  if (!(await isPending(ports, invite))) return false;
  return (invite.claimed_until ?? 0) < ports.clock();
};

const isPending = async (ports: Ports, invite: Invite): Promise<boolean> => {
  if ((await ports.currentInvite(invite)).status === 'pending') return true;
  await ports.forgetDue(invite);
  return false;
};

interface OwnTurn {
  /** Epoch ms; undefined if none was free in time. */
  readonly turn: number | undefined;
  /** Milliseconds after which a turn may be free. */
  readonly waitMs: number;
}

const turnsFor = (ports: Ports, pending: readonly Promise<Invite | MessageOutcome>[], until: number) => {
  const all = (async () => {
    const read = await Promise.allSettled(pending);
    const wanting = read.flatMap((end, position) =>
      end.status === 'fulfilled' && typeof end.value !== 'string' ? [position] : [],
    );
    if (wanting.length === 0) return { wanting, turns: [], waitMs: 0 };
    return { wanting, ...(await takeTurns(ports, wanting.length, until)) };
  })();
  return async (position: number): Promise<OwnTurn> => {
    const { wanting, turns, waitMs } = await all;
    return { turn: turns[wanting.indexOf(position)], waitMs };
  };
};

const takeTurns = (ports: Ports, wanted: number, until: number): Promise<Reserved> => {
  const from = ports.clock() + leadMs;
  return ports.takeTurns(wanted, from, Math.max(0, until - from));
};

const anotherTurn = async (ports: Ports, until: number): Promise<OwnTurn> => {
  if (ports.clock() > until) return { turn: undefined, waitMs: 0 };
  const { turns, waitMs } = await takeTurns(ports, 1, until);
  return { turn: turns[0], waitMs };
};

interface SendAttempt {
  readonly outcome: MailOutcome;
  /** The stored hashes, including the hash of this mail's token. */
  readonly hashes: readonly string[];
}

/** Checks the invite again (its inviter may be gone), claims it with the hash of a new token, and calls SES. */
const claimAndSend = async (ports: Ports, invite: Invite): Promise<SendAttempt | 'not needed'> => {
  if (!(await isPending(ports, invite))) return 'not needed';
  const { token, hash } = newToken(invite.id);
  const hashes = [...invite.token_hashes, hash].slice(-maxTokens);
  const now = ports.clock();
  if (!(await ports.claimInvite(invite, hashes, now, now + claimMs))) return 'not needed';
  const outcome = await ports.sendMail({
    ...invitationMail(invite, ports.linkFor(token), ports.publication),
    tags: { invite: invite.id, mailing: String(invite.mailing) },
  });
  return { outcome, hashes };
};

const record = async (
  ports: Ports,
  invite: Invite,
  message: MailMessage,
  { outcome, hashes }: SendAttempt,
): Promise<MessageOutcome> => {
  const now = ports.clock();
  const at = timestamp(now);
  switch (outcome.kind) {
    case 'accepted':
      noteWait(ports, invite, now);
      await ports.noteMailed(invite, { status: 'sent', at });
      return 'sent';
    case 'rejected':
      noteWait(ports, invite, now);
      await ports.noteMailed(invite, { status: 'bounced', at, reason: outcome.reason });
      return 'bounced';
    case 'throttled':
    case 'refused':
    case 'unknown': {
      const delay = backOffSeconds(message.waits, ports.random());
      noteWait(ports, invite, now + delay * second);
      // SES may have accepted the mail, so its token is kept.
      const kept = outcome.kind === 'unknown' ? hashes : invite.token_hashes;
      await ports.releaseInvite(invite, kept, ports.clock() + delay * second + graceMs);
      await ports.sendLater({ ...message, waits: message.waits + 1 }, delay);
      return 'waits';
    }
  }
};

/** Notes how long an invite will have waited for its mail at `until` (epoch ms). A resend begins a wait of its own. */
const noteWait = (ports: Ports, invite: Invite, until: number): void => {
  const requested = invite.history.findLast(({ status }) => status === 'pending');
  if (requested !== undefined) ports.noteWait(until - Date.parse(requested.at));
};

/** Delays the message until a turn may be free. The sweep handles waits that are longer than SQS can delay. */
const waitLonger = async (
  ports: Ports,
  invite: Invite,
  message: MailMessage,
  waitMs: number,
): Promise<MessageOutcome> => {
  if (waitMs > maxDelaySeconds * second) {
    noteWait(ports, invite, ports.clock() + waitMs);
    await ports.postponeInvite(invite, ports.clock() + waitMs);
    return 'waits';
  }
  const delay = Math.max(waitMs / second, backOffSeconds(message.waits, ports.random()));
  noteWait(ports, invite, ports.clock() + delay * second);
  await ports.postponeInvite(invite, ports.clock() + delay * second + graceMs);
  await ports.sendLater({ ...message, waits: message.waits + 1 }, Math.ceil(delay));
  return 'waits';
};

/** Returns 2 to 4 s, 4 to 8 s, … up to 15 minutes: doubled each time, with jitter to spread refused messages. */
const backOffSeconds = (waits: number, random: number): number =>
  Math.ceil(Math.min(maxDelaySeconds, 2 ** (Math.min(waits, 9) + 1) * (1 + random)));
