/** Chooses how the records of many webhooks are read: the webhooks of a neighbourhood share a partition, and one query reads them. */
import type { WebhookId } from '../foundation/ids.ts';
import type { Key } from '../table/table-key.ts';
import { webhookKey } from './table-keys.ts';

/** Part of a partition, from one sort key to another, both included. */
export interface Range {
  readonly pk: string;
  readonly between: readonly [string, string];
}

/**
 * A query is used from this many webhooks on. It costs one read unit for 4 KB, a batch one for each record of about 450 bytes: a query of two saves a
 * unit, nine times what its CPU costs. It also reads the groups between those of a batch, five at most in all.
 */
const minNeighbours = 2;

/** Returns the keys of single records, and the ranges of neighbours, which may also have other webhooks. @param ids each once */
export const readsOf = (ids: Iterable<WebhookId>): { keys: Key[]; ranges: Range[] } => {
  const partitions = new Map<string, [Key, ...Key[]]>();
  for (const id of ids) {
    const key = webhookKey(id);
    const partition = partitions.get(key.pk);
    if (partition === undefined) partitions.set(key.pk, [key]);
    else partition.push(key);
  }
  const keys: Key[] = [];
  const ranges: Range[] = [];
  for (const [pk, found] of partitions) {
    if (found.length < minNeighbours) keys.push(...found);
    else ranges.push({ pk, between: endsOf(found) });
  }
  return { keys, ranges };
};

const endsOf = ([{ sk }, ...others]: readonly [Key, ...Key[]]): [string, string] => {
  let [first, last] = [sk, sk];
  for (const other of others) {
    if (other.sk < first) first = other.sk;
    if (other.sk > last) last = other.sk;
  }
  return [first, last];
};
