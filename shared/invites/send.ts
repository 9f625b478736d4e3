/**
 * Mails invites: waits for its turn, makes the token, keeps its hash, and only then hands the mail to SES.
 *
 * The invite decides what is still to be done, not the message: it is mailed while it is pending, by one worker at a time. A
 * worker that is stopped between SES's answer and its record leaves a claim that ends, and the next one mails again: one mail
 * more, and both links work. What cannot be mailed now goes back to the queue as a new message with a delay, since each
 * receive of the same message would bring it nearer to the dead-letter queue.
 */

import type { Address } from '../accounts/address.ts';
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { maxDelaySeconds } from '../aws/queues.ts';
import { type Clock, minute, second, timestamp } from '../foundation/clock.ts';
import type { InviteId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Given } from '../limits/rate.ts';
import { asOf, type Invite, type StateChange } from './invite.ts';
import { invitationMail } from './mail.ts';
import { newToken } from './token.ts';

export interface MailMessage {
  readonly invite_id: InviteId;
  /** How often it went back to the queue. */
  readonly waits: number;
}

interface Ports {
  readonly readInvite: (id: InviteId) => Promise<Invite | undefined>;
  readonly readAddress: (email: string) => Promise<Address | undefined>;
  /** Turns to send within so many ms from now (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Given>;
  readonly claimInvite: (invite: Invite, hashes: readonly string[], now: number, until: number) => Promise<boolean>;
  readonly releaseInvite: (invite: Invite, hashes: readonly string[], due: number) => Promise<boolean>;
  readonly postponeInvite: (invite: Invite, due: number) => Promise<boolean>;
  readonly noteMailed: (invite: Invite, change: StateChange) => Promise<boolean>;
  readonly forgetDue: (invite: Invite) => Promise<boolean>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  /** Puts messages into the mail queue, to be received after these seconds. */
  readonly sendLater: (message: MailMessage, delaySeconds: number) => Promise<void>;
  /** Mails a second that SES grants. */
  readonly perSecond: number;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly linkFor: (token: string) => string;
  readonly publication: Settings['publication'];
}

/** What became of a message. */
export type MailEnd = 'sent' | 'bounced' | 'waits' | 'nothing to do';

/** A worker waits so long for its turns; the function's timeout leaves room for SES beyond it. */
const longestWaitMs = 12 * second;
/** Turns are asked for so much ahead, since asking takes a moment. */
const leadMs = 50;
/**
 * Who comes later than this to a turn takes another one: after a pause of the machine several would send at once. It is what
 * the unused tenth of SES's rate makes up for: 1.1 s of turns are no more mails than SES grants in one.
 */
const latestMs = 100;
/** A worker hands over one mail at a time for so many a second: enough where SES answers within 200 ms. */
const perSecondOfOne = 5;
/** A worker that has not ended its claim by then is dead: longer than the function's timeout. */
const claimMs = minute;
/** Links of one mailing that work; of more than these the oldest dies (wire contract: at most 5). */
const mostTokens = 5;
/** The sweep looks so much later than a delayed message is due, so that it finds only those that were lost. */
const graceMs = 2 * minute;

/**
 * Works on a batch of the mail queue; gives a promise for each message. Turns are asked for once, for as many as need one.
 * @throws whatever the table throws: the queue shows the message again
 */
export const sendInvites = (ports: Ports, messages: readonly MailMessage[]): Promise<MailEnd>[] => {
  const pending = messages.map(async ({ invite_id }) => {
    const invite = await ports.readInvite(invite_id);
    return invite !== undefined && (await needsMail(ports, invite)) ? invite : undefined;
  });
  const until = ports.clock() + longestWaitMs;
  const given = turnsFor(ports, pending, until);
  const atATime = limiter(Math.ceil(ports.perSecond / perSecondOfOne));
  return messages.map(async (message, position) => {
    const invite = await pending[position];
    if (invite === undefined) return 'nothing to do';
    let { turn, waitMs } = await given(position);
    while (turn !== undefined) {
      const own = turn;
      await ports.wait(Math.max(0, own - ports.clock()));
      const end = await atATime(async () =>
        ports.clock() - own > latestMs ? ('too late' as const) : handOver(ports, invite),
      );
      if (end === 'taken by another') return 'nothing to do';
      if (end !== 'too late') return record(ports, invite, message, end);
      ({ turn, waitMs } = await anotherTurn(ports, until));
    }
    return waitLonger(ports, invite, message, waitMs);
  });
};

/**
 * Lets so many work at a time, in the order in which they come, and the very first alone: a new environment takes its time to
 * reach SES, and what had its turns meanwhile would all go at once.
 */
const limiter = (count: number) => {
  const waiting: (() => void)[] = [];
  let free = 1;
  let isFirst = true;
  const leave = () => {
    free += isFirst ? count : 1;
    isFirst = false;
    for (const next of waiting.splice(0, free)) {
      free--;
      next();
    }
  };
  return async <T>(work: () => Promise<T | 'too late'>): Promise<T | 'too late'> => {
    if (free > 0) free--;
    else await new Promise<void>((resolve) => waiting.push(resolve));
    return work().finally(leave);
  };
};

/** Whether an invite waits for its mail and nobody is at work on it; a dead one is taken off the sweep's list. */
const needsMail = async (ports: Ports, invite: Invite): Promise<boolean> => {
  const now = ports.clock();
  if (asOf(invite, await ports.readAddress(invite.email), now).status !== 'pending') {
    await ports.forgetDue(invite);
    return false;
  }
  return (invite.claimed_until ?? 0) < now;
};

interface OwnTurn {
  /** Epoch ms; undefined where none was free in time. */
  readonly turn: number | undefined;
  /** Milliseconds after which it is worth asking again. */
  readonly waitMs: number;
}

const turnsFor = (ports: Ports, pending: readonly Promise<Invite | undefined>[], until: number) => {
  const all = (async () => {
    const read = await Promise.allSettled(pending);
    const wanting = read.flatMap((end, position) =>
      end.status === 'fulfilled' && end.value !== undefined ? [position] : [],
    );
    if (wanting.length === 0) return { wanting, turns: [], waitMs: 0 };
    return { wanting, ...(await takeTurns(ports, wanting.length, until)) };
  })();
  return async (position: number): Promise<OwnTurn> => {
    const { wanting, turns, waitMs } = await all;
    return { turn: turns[wanting.indexOf(position)], waitMs };
  };
};

const takeTurns = (ports: Ports, wanted: number, until: number): Promise<Given> => {
  const from = ports.clock() + leadMs;
  return ports.takeTurns(wanted, from, Math.max(0, until - from));
};

/** A turn in place of one that was missed. */
const anotherTurn = async (ports: Ports, until: number): Promise<OwnTurn> => {
  if (ports.clock() > until) return { turn: undefined, waitMs: 0 };
  const { turns, waitMs } = await takeTurns(ports, 1, until);
  return { turn: turns[0], waitMs };
};

interface HandedOver {
  readonly outcome: MailOutcome;
  /** Hashes that are kept now, with that of this mail. */
  readonly hashes: readonly string[];
}

/** Claims the invite with the hash of a new token, and hands the mail to SES. */
const handOver = async (ports: Ports, invite: Invite): Promise<HandedOver | 'taken by another'> => {
  const { token, hash } = newToken(invite.id);
  const hashes = [...invite.token_hashes, hash].slice(-mostTokens);
  const now = ports.clock();
  if (!(await ports.claimInvite(invite, hashes, now, now + claimMs))) return 'taken by another';
  const outcome = await ports.sendMail({
    ...invitationMail(invite, ports.linkFor(token), ports.publication),
    tags: { invite: invite.id, mailing: String(invite.mailing) },
  });
  return { outcome, hashes };
};

/** Notes what SES has said. */
const record = async (
  ports: Ports,
  invite: Invite,
  message: MailMessage,
  { outcome, hashes }: HandedOver,
): Promise<MailEnd> => {
  const at = timestamp(ports.clock());
  switch (outcome.kind) {
    case 'taken':
      await ports.noteMailed(invite, { status: 'sent', at });
      return 'sent';
    case 'rejected':
      await ports.noteMailed(invite, { status: 'bounced', at, reason: outcome.reason });
      return 'bounced';
    case 'throttled':
    case 'refused':
    case 'unknown': {
      const delay = backOffSeconds(message.waits, ports.random());
      // A mail that SES surely has not taken leaves no link behind; one that it may have taken does.
      const kept = outcome.kind === 'unknown' ? hashes : invite.token_hashes;
      await ports.releaseInvite(invite, kept, ports.clock() + delay * second + graceMs);
      await ports.sendLater({ ...message, waits: message.waits + 1 }, delay);
      return 'waits';
    }
  }
};

/** No turn is free soon: the message comes again when one may be; for more than SQS can hold it back, the sweep sends it. */
const waitLonger = async (ports: Ports, invite: Invite, message: MailMessage, waitMs: number): Promise<MailEnd> => {
  if (waitMs > maxDelaySeconds * second) {
    await ports.postponeInvite(invite, ports.clock() + waitMs);
    return 'waits';
  }
  const delay = Math.max(waitMs / second, backOffSeconds(message.waits, ports.random()));
  await ports.postponeInvite(invite, ports.clock() + delay * second + graceMs);
  await ports.sendLater({ ...message, waits: message.waits + 1 }, Math.ceil(delay));
  return 'waits';
};

/** 2 to 4 s, 4 to 8 s, … up to 15 minutes: doubling, with jitter, so that those refused together do not come back together. */
const backOffSeconds = (waits: number, random: number): number =>
  Math.ceil(Math.min(maxDelaySeconds, 2 ** (Math.min(waits, 9) + 1) * (1 + random)));
