/** The index of what is to happen later: how an item gets into it, and what of it is due. */
import { QueryCommand } from '@aws-sdk/lib-dynamodb';
import { tableName } from '../foundation/environment.ts';
import { client } from './client.ts';
import { reachable } from './refusal.ts';
import type { Key } from './table-key.ts';

/** The number of partitions that the index of what is due is spread over. */
export const dueShards = 16;

/** The two attributes that put an item into the index of what is due, at a time in epoch ms; shard from its key. */
export const dueAt = (key: Key, ms: number): { due: string; due_at: string } => {
  let sum = 0;
  for (const character of key.pk + key.sk) sum = (sum * 31 + character.charCodeAt(0)) % 65_521;
  return { due: `DUE#${sum % dueShards}`, due_at: new Date(ms).toISOString() };
};

/** Reads the keys of what is due by `until` (epoch ms) in one shard, oldest first; the index is eventually consistent. */
export const queryDue = async (shard: number, until: number, limit: number): Promise<(Key & { due_at: string })[]> => {
  const { Items } = await reachable(
    client.send(
      new QueryCommand({
        TableName: tableName(),
        IndexName: 'due',
        KeyConditionExpression: 'due = :shard AND due_at <= :until',
        ExpressionAttributeValues: { ':shard': `DUE#${shard}`, ':until': new Date(until).toISOString() },
        Limit: limit,
      }),
    ),
  );
  return (Items ?? []) as (Key & { due_at: string })[];
};
