/** Who owns an email address: a change succeeds only if the owner is still the one that the change expects. */
import { describe, expect, it } from 'vitest';
import type { Address } from '../../shared/accounts/address.ts';
import type { InviteId, StaffId } from '../../shared/foundation/ids.ts';
import type { Write } from '../../shared/table/transaction.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment);
const { assignToInvite, assignToStaff, keepForInvite, moveToStaff, readAddresses, releaseFromStaff } = await import(
  '../../shared/accounts/address.ts'
);
const { tryWrite } = await import('../../shared/table/conditional.ts');
const { transact } = await import('../../shared/table/transaction.ts');

const email = 'ada@example.com';
const [first, second, third] = ['1', '2', '3'].map((digit) => digit.repeat(24)) as [InviteId, InviteId, InviteId];
const [ada, bob] = ['a', 'b'].map((letter) => letter.repeat(24)) as [StaffId, StaffId];
const isMade = async (write: Write): Promise<boolean> => (await tryWrite(transact([write]))).written;
const holder = async (): Promise<Address | undefined> => (await readAddresses([email]))[0];

/** The states of an address, each reached as the product reaches it. */
const states: Readonly<Record<string, () => Promise<unknown>>> = {
  free: async () => {},
  'of the first invite': () => isMade(assignToInvite(email, first, undefined, 2_000_000_000)),
  'of the second invite': () => isMade(assignToInvite(email, second, undefined, 2_000_000_000)),
  'of Ada, who has accepted the first invite': async () => {
    await isMade(assignToInvite(email, first, undefined, 2_000_000_000));
    await isMade(moveToStaff(email, first, ada));
  },
  'of Ada': () => isMade(assignToStaff(email, ada)),
};

const cases: readonly [string, () => Promise<boolean>, readonly string[]][] = [
  ['its first invite takes an address', () => isMade(assignToInvite(email, third, undefined, 1)), ['free']],
  [
    'a replacing invite takes the address from the first one',
    () => isMade(assignToInvite(email, third, { invite_id: first } as Address, 1)),
    ['of the first invite'],
  ],
  ['the first invite is accepted', () => isMade(moveToStaff(email, first, bob)), ['of the first invite']],
  [
    'a seed gives an address to Bob',
    () => isMade(assignToStaff(email, bob)),
    ['free', 'of the first invite', 'of the second invite'],
  ],
  [
    'the address of Ada is freed',
    () => isMade(releaseFromStaff(email, ada)),
    ['free', 'of Ada, who has accepted the first invite', 'of Ada'],
  ],
];

describe.each(cases)('%s', (_, change, allowed) => {
  it.each(Object.keys(states))('is refused unless the address is in the expected state: %s', async (state) => {
    await states[state]?.();
    const before = await holder();
    const made = await change();
    expect(made).toBe(allowed.includes(state));
    if (!made) expect(await holder()).toEqual(before);
  });
});

it.each(Object.keys(states))(
  'the first invite can extend the expiry only of its own address: it is %s',
  async (state) => {
    await states[state]?.();
    const before = await holder();
    await keepForInvite(email, first, 3_000_000_000);
    const isItsOwn = state === 'of the first invite';
    expect(await holder()).toEqual(isItsOwn ? { ...before, expires_at: 3_000_000_000 } : before);
  },
);
