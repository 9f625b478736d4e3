/** Pages of the audit log: bounded work, every entry once and in order, and entries spread over all partitions. */
import * as v from 'valibot';
import { expect, it } from 'vitest';
import { type AuditSource, listAudit } from '../../shared/audit/list.ts';
import { type AuditId, type InviteId, idTime } from '../../shared/foundation/ids.ts';
import { settingsSchema } from '../../shared/foundation/settings.ts';
import { endsOf } from '../../shared/invites/invite.ts';
import { ConditionFailed } from '../../shared/table/conditional.ts';
import { awsInMemory } from '../support/aws-in-memory.ts';
import { settingsText } from '../support/settings-text.ts';

const aws = awsInMemory();
Object.assign(process.env, aws.environment, { SETTINGS: settingsText() });
const { audited } = await import('../../shared/audit/store.ts');
const { transact } = await import('../../shared/table/transaction.ts');

const now = 1_790_000_000_000;
const everything = { actor: undefined, action: undefined, target: undefined, since: 0, until: now + 1_000_000 };
const actor = { type: 'operator', id: null, name: null } as const;
const entryAt = (number: number) => ({
  id: `${idTime(now + number)}${'0'.repeat(12)}` as AuditId,
  actor,
  action: 'staff.added' as const,
  target: { type: 'staff' as const, id: String(number), name: null },
  changes: {},
});
type Entry = ReturnType<typeof entryAt>;

/** A source with these entries that counts how many are read. */
const sourceOf = (entries: readonly Entry[], onRead: (count: number) => void = () => {}): AuditSource => {
  const newestFirst = entries.toSorted((a, b) => (a.id < b.id ? 1 : -1));
  return async ({ from, to, limit }) => {
    const inRange = newestFirst.filter(({ id }) => id >= from && id <= to);
    const read = inRange.slice(0, limit);
    onRead(read.length);
    return { entries: read, isComplete: inRange.length <= limit };
  };
};

it('a list shows every entry once, newest first, and reads at most 1,000 entries per page', async () => {
  const numbers = Array.from({ length: 3000 }, (_, number) => number);
  let read = 0;
  const sources = Array.from({ length: 9 }, (_, source) =>
    sourceOf(
      numbers
        .filter((number) => (number % 100 === source ? source > 0 : source === 0 && number % 100 > 8))
        .map(entryAt),
      (count) => {
        read += count;
      },
    ),
  );
  const found: string[] = [];
  let next: AuditId | undefined;
  do {
    read = 0;
    const page = await listAudit(sources, everything, 100, next);
    expect(read).toBeLessThanOrEqual(1000);
    found.push(...page.entries.map(({ target }) => target.id));
    next = page.next ?? undefined;
  } while (next !== undefined);
  const expected = numbers
    .filter((number) => number % 100 !== 0)
    .map(String)
    .reverse();
  expect(found).toEqual(expected);
});

it('an entry that is older than what other sources were read to waits for its page', async () => {
  const newer = Array.from({ length: 2000 }, (_, number) => entryAt(number + 1));
  const sources = [sourceOf(newer), sourceOf([entryAt(0)])];
  const filter = { ...everything, target: '0' };
  const found: string[][] = [];
  let next: AuditId | undefined;
  do {
    const page = await listAudit(sources, filter, 100, next);
    found.push(page.entries.map(({ target }) => target.id));
    next = page.next ?? undefined;
  } while (next !== undefined);
  expect(found.slice(0, -1).flat()).toEqual([]);
  expect(found.at(-1)).toEqual(['0']);
});

it.each([
  ['3', 'the last page', [0, 0, 1]],
  ['1500', 'the end of the first page', [1, 0, 0]],
])('a list continues after a page in which no entry matches: entry %s is on %s', async (target, _, expected) => {
  const sources = [sourceOf(Array.from({ length: 2500 }, (_, number) => entryAt(number)))];
  const filter = { ...everything, target };
  const pages: number[] = [];
  let next: AuditId | undefined;
  do {
    const page = await listAudit(sources, filter, 100, next);
    pages.push(page.entries.length);
    next = page.next ?? undefined;
  } while (next !== undefined);
  expect(pages).toEqual(expected);
});

it('a deleted invite is stored as long as the audit log, because it is one of its entries', () => {
  const id = entryAt(0).id as string as InviteId;
  const rules = v.parse(settingsSchema, JSON.parse(settingsText({ invites: { keepDays: 30 } })));
  const days = (endsOf(id, now, rules).expires_at - now / 1000) / 86_400;
  expect(Math.round(days)).toBe(90);
});

it('an entry is never replaced by another with the same id', async () => {
  const write = audited(actor, 'staff.added', { type: 'staff', id: '1', name: 'Ada' });
  if (write.kind !== 'put') throw new Error('An entry is a new item.');
  const { pk, sk } = write.item;
  await transact([write]);
  const forged = { ...write, item: { ...write.item, target: { type: 'staff', id: '2', name: 'Eve' } } };
  await expect(transact([forged])).rejects.toBeInstanceOf(ConditionFailed);
  expect(aws.read({ pk, sk })).toMatchObject({ target: { name: 'Ada' } });
});

it('entries are spread evenly over eight partitions', () => {
  const counts = new Map<string, number>();
  for (let number = 0; number < 8000; number++) {
    const write = audited(actor, 'staff.added', { type: 'staff', id: '1', name: null });
    const pk = write.kind === 'put' ? write.item.pk : '';
    counts.set(pk, (counts.get(pk) ?? 0) + 1);
  }
  expect(counts.size).toBe(8);
  expect(Math.max(...counts.values())).toBeLessThan(1300);
});
