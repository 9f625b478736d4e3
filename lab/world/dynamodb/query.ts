/** Queries of a partition or of an index, page by page; a page ends at its limit or at 1 MB. */
import { type TableIndex, tableIndexes } from '../../../shared/contract.ts';
import { invalid } from './errors.ts';
import { checkUse, type Names, readCondition } from './expressions.ts';
import { readKeyCondition, stretchOf } from './key-conditions.ts';
import type { IndexEntry, Table } from './table.ts';
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
  const index = tableIndexes.find((name) => name === input.IndexName);
  const isIndex = index !== undefined;
  if (!isIndex && input.IndexName !== undefined) throw invalid('The table does not have the specified index');
  if (isIndex && input.ConsistentRead === true)
    throw invalid('Consistent reads are not supported on global secondary indexes');
  const condition = readKeyCondition(input.KeyConditionExpression ?? '');
  const filter = input.FilterExpression === undefined ? undefined : readCondition(input.FilterExpression);
  checkUse(
    input,
    [condition.used, filter?.used].flatMap((used) => used ?? []),
  );
  const after = start && (isIndex ? [start[`${index}_at`], start.pk, start.sk].join('\u0000') : String(start.sk));
  const stretch = stretchOf(
    condition,
    input,
    isIndex ? [index, `${index}_at`] : ['pk', 'sk'],
    input.ScanIndexForward === false,
    after,
  );
  const found = isIndex
    ? withSizes(table.entries(index, stretch))
    : table.items(stretch, input.ConsistentRead === true);
  const Items: Attributes[] = [];
  let [read, bytes] = [0, 0];
  for (const one of found) {
    const { item } = one;
    if (start !== undefined && isSame(lastKey(item, index), start)) continue;
    read++;
    bytes += one.bytes;
    if (filter?.test(item, input) ?? true) Items.push(itemCopy(item));
    if (read >= Limit || bytes >= maxPageBytes) return page(input, Items, read, lastKey(item, index));
  }
  return page(input, Items, read);
};

function* withSizes(entries: Iterable<IndexEntry>): Generator<{ item: Attributes; bytes: number }> {
  for (const { index, partition, at, pk, sk } of entries)
    yield { item: { pk, sk, [index]: partition, [`${index}_at`]: at }, bytes: pk.length + sk.length + 60 };
}

const lastKey = (item: Attributes, index: TableIndex | undefined) => ({
  pk: item.pk,
  sk: item.sk,
  ...(index && { [index]: item[index], [`${index}_at`]: item[`${index}_at`] }),
});

const page = ({ Select }: QueryInput, Items: Attributes[], ScannedCount: number, LastEvaluatedKey?: object) => ({
  ...(Select !== 'COUNT' && { Items }),
  Count: Items.length,
  ScannedCount,
  ...(LastEvaluatedKey && { LastEvaluatedKey }),
});
