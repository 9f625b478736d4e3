/**
 * Mails invites: waits for a turn, creates the token, stores its hash, and only then calls SES.
 *
 * The invite's state decides, not the message: a pending invite is mailed by one worker at a time, which holds a claim. If a worker dies after SES
 * has accepted the mail, the claim expires and the mail is sent twice; both links work. Waiting must not count as a failed receive, so an invite that
 * cannot be mailed now gets a new, delayed message.
 */
import type { Mail, MailOutcome } from '../aws/mail.ts';
import { maxDelaySeconds } from '../aws/queues.ts';
import { type Clock, minute, second, timestamp } from '../foundation/clock.ts';
import type { InviteId } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import type { Reserved } from '../limits/rate.ts';
import type { Invite, StateChange } from './invite.ts';
import { invitationMail } from './mail.ts';
import type { MailMessage } from './schema.ts';
import { newToken } from './token.ts';

interface Ports {
  readonly readInvite: (id: InviteId) => Promise<Invite | undefined>;
  /** Returns an invite as of now. */
  readonly currentInvite: (invite: Invite) => Promise<Invite>;
  /** Reserves turns to send within `horizonMs` of `now` (epoch ms). */
  readonly takeTurns: (wanted: number, now: number, horizonMs: number) => Promise<Reserved>;
  readonly claimInvite: (invite: Invite, hashes: readonly string[], now: number, until: number) => Promise<boolean>;
  readonly releaseInvite: (invite: Invite, hashes: readonly string[], due: number) => Promise<boolean>;
  readonly postponeInvite: (invite: Invite, due: number) => Promise<boolean>;
  readonly noteMailed: (invite: Invite, change: StateChange) => Promise<boolean>;
  /** Called with the wait of a mail in milliseconds: from its request until now or, if it was not sent, until the next try. */
  readonly noteWait: (ms: number) => void;
  readonly forgetDue: (invite: Invite) => Promise<boolean>;
  readonly sendMail: (mail: Mail) => Promise<MailOutcome>;
  /** Sends a message to the mail queue with a delay. */
  readonly sendLater: (message: MailMessage, delaySeconds: number) => Promise<void>;
  /** Mails per second that SES allows. */
  readonly perSecond: number;
  readonly wait: (ms: number) => Promise<void>;
  readonly clock: Clock;
  /** From 0 to 1. */
  readonly random: () => number;
  readonly linkFor: (token: string) => string;
  readonly publication: Settings['publication'];
}

/** What happened to a message: its mail was sent or bounced, it waits for another try, or its invite needs no mail any more. */
export type MessageOutcome = 'sent' | 'bounced' | 'waits' | 'not needed';

/** The maximum wait for a turn; the timeout of the function leaves time for SES after it. */
export const maxWaitMs = 12 * second;
/** Turns are reserved this much ahead, because the reservation itself takes time. */
const leadMs = 50;
/**
 * A worker that misses its turn by more than this reserves another one, because after a pause of the machine several would send at once.
 * We use nine tenths of SES's rate, so a shorter delay never exceeds it.
 */
const maxLateMs = 100;
/** Mails per second that one concurrent request can send: enough if SES responds within 200 ms. */
const perSecondOfOne = 5;
/** A claim expires after this time, which is longer than the timeout of the function. */
export const claimMs = minute;
/** The maximum number of working links of a mailing; with more, the oldest dies (docs/compatibility.md, "Invites"). */
const maxTokens = 5;
/** The sweep waits this much longer than the message, so that it finds only lost messages. */
const graceMs = 2 * minute;

/**
 * Works on a batch of the mail queue and returns a promise for each message. Turns are reserved once, for all that need one.
 * @throws errors of the table: the queue shows the message again
 */
export const sendInvites = (ports: Ports, messages: readonly MailMessage[]): Promise<MessageOutcome>[] => {
  const pending = messages.map(async ({ invite_id }) => {
    const invite = await ports.readInvite(invite_id);
    return invite !== undefined && (await needsMail(ports, invite)) ? invite : undefined;
  });
  const until = ports.clock() + maxWaitMs;
  const turnOf = turnsFor(ports, pending, until);
  const limited = limiter(Math.ceil(ports.perSecond / perSecondOfOne));
  return messages.map(async (message, position) => {
    const invite = await pending[position];
    if (invite === undefined) return 'not needed';
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

/**
 * Limits concurrency, in order of arrival. The first call runs alone: connecting to SES is slow, and the calls that queue meanwhile
 * would burst.
 */
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

const takeTurns = (ports: Ports, wanted: number, until: number): Promise<Reserved> => {
  const from = ports.clock() + leadMs;
  return ports.takeTurns(wanted, from, Math.max(0, until - from));
};

/** Reserves another turn after a missed one. */
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

/** Checks the invite again, because its inviter may be gone by now, claims it with the hash of a new token, and calls SES. */
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

/** Records the response of SES. */
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

/** Returns 2 to 4 s, 4 to 8 s, … up to 15 minutes: doubled each time, with jitter, so that messages refused together are spread. */
const backOffSeconds = (waits: number, random: number): number =>
  Math.ceil(Math.min(maxDelaySeconds, 2 ** (Math.min(waits, 9) + 1) * (1 + random)));
