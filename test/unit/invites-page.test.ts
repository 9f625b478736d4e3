/** A page of invites reads a limited number of items, for any number of invites and for any status. */
import { expect, it } from 'vitest';
import { addressKey } from '../../shared/accounts/address.ts';
import { staffKey } from '../../shared/accounts/staff-store.ts';
import { type InviteId, idTime } from '../../shared/foundation/ids.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { invite } from '../support/invitation.ts';
import { settingsText } from '../support/settings-text.ts';
import { stopTime } from '../support/test-time.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { listInvites } = await import('../../shared/invites/manage.ts');
const { inviteKey } = await import('../../shared/invites/store.ts');

// Before the invitations expire.
stopTime(Date.parse(invite().created_at));

const idOf = (number: number) => `${idTime(1_790_000_000_000 + number)}${'0'.repeat(12)}` as InviteId;
const many = 2000;

it('a rare status among 2,000 invites is found over several pages, each with one query', async () => {
  const { invited_by } = invite();
  if (invited_by.kind === 'staff') aws.put(staffKey(invited_by.staff_id), { id: invited_by.staff_id, role: 'Owner' });
  for (let number = 0; number < many; number++) {
    const email = `reader.${number}@example.org`;
    const status = number === 0 ? 'bounced' : 'sent';
    aws.put(inviteKey(idOf(number)), invite({ id: idOf(number), email, status }));
    aws.put(addressKey(email), { email, holder: 'invite', invite_id: idOf(number) });
  }
  const found: InviteId[] = [];
  let next: InviteId | undefined;
  let pages = 0;
  do {
    const [queries, batches] = [aws.requests('QueryCommand').length, aws.requests('BatchGetCommand').length];
    const page = await listInvites({ status: 'bounced', filter: undefined }, 100, next);
    found.push(...page.invites.map(({ id }) => id));
    next = page.next ?? undefined;
    pages += 1;
    expect(aws.requests('QueryCommand').length - queries).toBe(1);
    expect(aws.requests('BatchGetCommand').length - batches).toBeLessThanOrEqual(3);
  } while (next !== undefined);
  expect(found).toEqual([idOf(0)]);
  expect(pages).toBeLessThanOrEqual(many / 200 + 1);
});
