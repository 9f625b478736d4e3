/** What happens to an invite while it waits for its turn to be mailed. */
import { describe, expect, it } from 'vitest';
import type { Invite } from '../../shared/invites/invite.ts';
import { type Ports, sendInvites } from '../../shared/invites/send.ts';
import { invite, publication } from '../support/invitation.ts';

const now = 1_800_000_000_000;
const minute = 60_000;

/** Mails an invite and calls `during` while it waits for its turn; returns the result and the wait in minutes. */
const mail = async (
  pending: Invite,
  during: (change: (state: Partial<Invite>) => void) => void = () => {},
  changes: Partial<Ports> = {},
) => {
  const done: string[] = [];
  const waits: number[] = [];
  let current = pending;
  const note = (what: string) => async () => {
    done.push(what);
    return true;
  };
  const ports: Ports = {
    readInvite: async () => pending,
    currentInvite: async () => current,
    isStopped: async () => false,
    takeTurns: async (_, now) => ({ turns: [now], state: undefined, waitMs: 0 }),
    claimInvite: note('claimed'),
    releaseInvite: note('released'),
    postponeInvite: note('postponed'),
    noteMailed: note('noted'),
    noteWait: (ms) => waits.push(ms / minute),
    forgetDue: note('forgotten'),
    sendMail: async () => {
      done.push('mailed');
      return { kind: 'accepted', messageId: '1' };
    },
    sendLater: async () => {
      done.push('sent later');
    },
    perSecond: 1,
    wait: async () =>
      during((state) => {
        current = { ...current, ...state };
      }),
    clock: () => now,
    random: () => 0,
    linkFor: (token) => `https://example.org/${token}`,
    publication: publication(),
    ...changes,
  };
  const [end] = await Promise.all(sendInvites([{ invite_id: pending.id, waits: 0 }], ports));
  return { end, done, waits };
};

it('an invite is mailed if nothing changes before its turn', async () => {
  expect(await mail(invite(), () => {})).toEqual({
    end: 'sent',
    done: ['claimed', 'mailed', 'noted'],
    waits: [],
  });
});

it('an invite is not mailed if its inviter is removed before its turn', async () => {
  const { end, done } = await mail(invite(), (change) => change({ status: 'revoked' }));
  expect({ end, done }).toEqual({ end: 'not needed', done: ['forgotten'] });
});

describe('the wait of an invite', () => {
  const at = (minutesAgo: number) => new Date(now - minutesAgo * minute).toISOString();
  const requested = invite({
    history: [
      { status: 'pending', at: at(5000) },
      { status: 'sent', at: at(4999) },
      { status: 'pending', at: at(90) },
    ],
  });

  it('ends with its mail, and begins with its last request', async () => {
    expect(await mail(requested)).toMatchObject({ end: 'sent', waits: [90] });
  });

  it('includes the time until its next try if SES does not accept the mail', async () => {
    const ports: Partial<Ports> = { sendMail: async () => ({ kind: 'throttled', reason: 'rate' }) };
    expect(await mail(requested, undefined, ports)).toMatchObject({ end: 'waits', waits: [90 + 2 / 60] });
  });

  it('includes the hours until the next day’s quota, which no queue shows', async () => {
    const waitMs = 600 * minute;
    const ports: Partial<Ports> = { takeTurns: async () => ({ turns: [], state: undefined, waitMs }) };
    expect(await mail(requested, undefined, ports)).toMatchObject({
      end: 'waits',
      done: ['postponed'],
      waits: [690],
    });
  });
});
