/** The shape of items and messages: which attributes they have, and of which types. */
import { ScanCommand } from '@aws-sdk/client-dynamodb';
import { unmarshall } from '@aws-sdk/util-dynamodb';
import type { QueueName } from '../../shared/contract.ts';
import { isId } from '../../shared/foundation/ids.ts';
import type { FreshStack } from '../support/parts.ts';

/** Types by attribute: `WEBHOOK#/WEBHOOK# health.open_until` is a `number`. */
export type Shape = ReadonlyMap<string, ReadonlySet<string>>;

const queues: readonly QueueName[] = ['events', 'deliveries', 'slow-deliveries', 'mail', 'replays', 'deletions'];

/** Adds what a value has at this place, and below it; the names of payloads and roles are not ours, and all ids are one name. */
const add = (shape: Map<string, Set<string>>, place: string, value: unknown): void => {
  const type =
    value === null ? 'null' : value instanceof Uint8Array ? 'bytes' : Array.isArray(value) ? 'list' : typeof value;
  const types = shape.get(place) ?? new Set();
  shape.set(place, types.add(type));
  if (Array.isArray(value)) for (const member of value) add(shape, `${place}[]`, member);
  else if (typeof value === 'object' && value !== null && type !== 'bytes' && !place.endsWith(' payload'))
    for (const [name, member] of Object.entries(value))
      add(shape, `${place}${place.includes(' ') ? '.' : ' '}${isId(name) ? '<id>' : name}`, member);
};

/** Returns the shape of one item. */
export const shapeOfItem = (kind: string, item: object): Shape => {
  const shape = new Map<string, Set<string>>();
  add(shape, kind, item);
  return shape;
};

const kindOf = (key: unknown): string => String(key).replace(/#.*$/s, '#');

/** Collects the shapes of the items in the table and the messages in the queues, each time it reads them. */
export const shapeCollector = ({ dynamodb, tableName, messages }: FreshStack) => {
  const shape = new Map<string, Set<string>>();
  return {
    shape: shape as Shape,
    async look(): Promise<void> {
      const { Items = [] } = await dynamodb.send(new ScanCommand({ TableName: tableName }));
      for (const { pk, sk, format: _, ...item } of Items.map((stored) => unmarshall(stored)))
        add(shape, `${kindOf(pk)}/${kindOf(sk)}`, item);
      for (const queue of queues)
        for (const { body } of await messages(queue)) {
          const { kind = '' } = body;
          add(shape, `queue:${queue}${kind && `:${kind}`}`, body);
        }
    },
  };
};

/**
 * Returns what of a shape has changed so that the release before it may not read it, one line each: attributes that are no longer
 * written, and types that were never written before. New attributes are no difference.
 */
export const lostIn = (before: Shape, after: Shape): readonly string[] =>
  [...before].flatMap(([place, types]) => {
    const found = after.get(place);
    if (found === undefined) return [`${place} is no longer written`];
    const added = [...found].filter((type) => !types.has(type));
    return added.length === 0 ? [] : [`${place} is written as ${added.join(', ')}, and was ${[...types].join(', ')}`];
  });
