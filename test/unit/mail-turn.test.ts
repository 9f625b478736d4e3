/** What happens to an invite while its mail waits for a turn. */
import { expect, it } from 'vitest';
import type { Invite } from '../../shared/invites/invite.ts';
import { sendInvites } from '../../shared/invites/send.ts';
import { invite, publication } from '../support/invitation.ts';

type Ports = Parameters<typeof sendInvites>[0];

/** Lets one invite be mailed; `during` happens while it waits for its turn. Returns what was done with it. */
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

it('is mailed if nothing changes', async () => {
  expect(await mail(invite(), () => {})).toEqual({ end: 'sent', done: ['claimed', 'mailed', 'noted'] });
});

it('is not mailed if its inviter is removed', async () => {
  const { end, done } = await mail(invite(), (change) => change({ status: 'revoked' }));
  expect({ end, done }).toEqual({ end: 'not needed', done: ['forgotten'] });
});
