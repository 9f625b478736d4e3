/** What happens to an invite while it waits for its turn to be mailed. */
import { expect, it } from 'vitest';
import type { Invite } from '../../shared/invites/invite.ts';
import { sendInvites } from '../../shared/invites/send.ts';
import { invite, publication } from '../support/invitation.ts';

type Ports = Parameters<typeof sendInvites>[0];

/** Mails one invite and calls `during` while it waits for its turn; returns what happened to it. */
const mail = async (pending: Invite, during: (change: (state: Partial<Invite>) => void) => void) => {
  const done: string[] = [];
  let current = pending;
  const note = (what: string) => async () => {
    done.push(what);
    return true;
  };
  const ports: Ports = {
    readInvite: async () => pending,
    currentInvite: async () => current,
    takeTurns: async (_, now) => ({ turns: [now], state: undefined, waitMs: 0 }),
    claimInvite: note('claimed'),
    releaseInvite: note('released'),
    postponeInvite: note('postponed'),
    noteMailed: note('noted'),
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
    clock: () => 1_800_000_000_000,
    random: () => 0,
    linkFor: (token) => `https://example.org/${token}`,
    publication: publication(),
  };
  const [end] = await Promise.all(sendInvites(ports, [{ invite_id: pending.id, waits: 0 }]));
  return { end, done };
};

it('an invite is mailed if nothing changes before its turn', async () => {
  expect(await mail(invite(), () => {})).toEqual({ end: 'sent', done: ['claimed', 'mailed', 'noted'] });
});

it('an invite is not mailed if its inviter is removed before its turn', async () => {
  const { end, done } = await mail(invite(), (change) => change({ status: 'revoked' }));
  expect({ end, done }).toEqual({ end: 'not needed', done: ['forgotten'] });
});
