/** The invitation that tests of mails and pages show. */
import * as v from 'valibot';
import type { InviteId, RoleId, StaffId } from '../../shared/foundation/ids.ts';
import { type Settings, settingsSchema } from '../../shared/foundation/settings.ts';
import type { Invite } from '../../shared/invites/invite.ts';

type Publication = Settings['publication'];

export const settings = v.parse(settingsSchema, {
  stage: 'test',
  publication: { name: 'The Daily Owl', url: 'https://owl.example.org' },
  mail: { from: 'desk@owl.example.org' },
});

/** A publication, with some of its settings changed. */
export const publication = (changes: Partial<Publication> = {}): Publication => ({
  ...settings.publication,
  ...changes,
});

/** An invite, with some of its attributes changed. */
export const invite = (changes: Partial<Invite> = {}): Invite => ({
  id: '019acb5a70d1a1b2c3d4e5f6' as InviteId,
  role_id: '019acb5a70d1a1b2c3d4e5f7' as RoleId,
  role: 'Editor',
  status: 'pending',
  email: 'ada@example.net',
  expires: Date.parse('2026-11-28T09:24:00Z'),
  expires_at: Date.parse('2026-12-28T09:24:00Z') / 1000,
  created_at: '2026-11-21T09:24:00.000Z',
  updated_at: '2026-11-21T09:24:00.000Z',
  invited_by: { kind: 'staff', staff_id: '019acb5a70d1a1b2c3d4e5f8' as StaffId },
  inviter: { name: 'Olive Owner', email: 'olive@owl.example.org' },
  mailing: 1,
  attempts: 0,
  token_hashes: [],
  old_token_hashes: [],
  history: [],
  ...changes,
});
