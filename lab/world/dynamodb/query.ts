/** Queries of a partition or of the index of due items, page by page; a page ends at its limit or at 1 MB. */
import { invalid } from './errors.ts';
import { checkUse, type Names, readCondition } from './expressions.ts';
import { readKeyCondition, stretchOf } from './key-conditions.ts';
import type { DueKey, Table } from './table.ts';
import { type Attributes, isSame, itemCopy } from './values.ts';

interface QueryInput extends Names {
  readonly IndexName?: string;
  readonly KeyConditionExpression?: string;
  readonly FilterExpression?: string;
  readonly ConsistentRead?: boolean;
  readonly ScanIndexForward?: boolean;
  readonly Limit?: number;
  readonly Select?: string;
  readonly ExclusiveStartKey?: Attributes;
}

const maxPageBytes = 1024 * 1024;

/** Reads a page. @throws ValidationException */
export const query = (table: Table, input: QueryInput): object => {
  const { Limit = Number.POSITIVE_INFINITY, ExclusiveStartKey: start } = input;
  if (Limit < 1)
    throw invalid('Value at limit failed to satisfy constraint: Member must have value greater than or equal to 1');
  const isIndex = input.IndexName !== undefined;
  if (isIndex && input.IndexName !== 'due') throw invalid('The table does not have the specified index');
  if (isIndex && input.ConsistentRead === true)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const condition = readKeyCondition(input.KeyConditionExpression ?? '');
  const filter = input.FilterExpression === undefined ? undefined : readCondition(input.FilterExpression);
  checkUse(
    input,
    [condition.used, filter?.used].flatMap((used) => used ?? []),
  );
  const after = start && (isIndex ? [start.due_at, start.pk, start.sk].join('\u0000') : String(start.sk));
  const stretch = stretchOf(
    condition,
    input,
    isIndex ? ['due', 'due_at'] : ['pk', 'sk'],
    input.ScanIndexForward === false,
    after,
  );
  const found = isIndex ? withSizes(table.due(stretch)) : table.items(stretch, input.ConsistentRead === true);
  const Items: Attributes[] = [];
  let [read, bytes] = [0, 0];
  for (const one of found) {
    const { item } = one;
    if (start !== undefined && isSame(lastKey(item, isIndex), start)) continue;
    read++;
    bytes += one.bytes;
    if (filter?.test(item, input) ?? true) Items.push(itemCopy(item));
    if (read >= Limit || bytes >= maxPageBytes) return page(input, Items, read, lastKey(item, isIndex));
  }
  return page(input, Items, read);
};

function* withSizes(keys: Iterable<DueKey>): Generator<{ item: Attributes; bytes: number }> {
  for (const key of keys) yield { item: { ...key }, bytes: key.pk.length + key.sk.length + 60 };
}

const lastKey = ({ pk, sk, due, due_at }: Attributes, isIndex: boolean) => ({
  pk,
  sk,
  ...(isIndex && { due, due_at }),
});

const page = ({ Select }: QueryInput, Items: Attributes[], ScannedCount: number, LastEvaluatedKey?: object) => ({
  ...(Select !== 'COUNT' && { Items }),
  Count: Items.length,
  ScannedCount,
  ...(LastEvaluatedKey && { LastEvaluatedKey }),
});
