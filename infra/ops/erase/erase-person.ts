/**
 * Erases one person from a table: payloads and deliveries of the events about the person, and invites. Erases the
 * deliveries before the payloads by which they are found, so that you can repeat a stopped run.
 */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import {
  BatchGetCommand,
  DeleteCommand,
  DynamoDBDocumentClient,
  PutCommand,
  paginateQuery,
  paginateScan,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { addressKey } from '../../../shared/accounts/address.ts';
import { operator } from '../../../shared/audit/entry.ts';
import { entryItem } from '../../../shared/audit/store.ts';
import { deliveryOf, isDeliveryItem } from '../../../shared/deliveries/records/row.ts';
import type { EventBody } from '../../../shared/events/event.ts';
import { joined, partKeysOf } from '../../../shared/events/parts.ts';
import { eventBodyKey, eventBodyOf, hashOfEventBody } from '../../../shared/events/store.ts';
import { normalizedEmail } from '../../../shared/foundation/email.ts';
import { isJsonObject } from '../../../shared/foundation/exact-json.ts';
import { withFormat } from '../../../shared/foundation/format.ts';
import { sha256 } from '../../../shared/foundation/hash.ts';
import type { Item, Key } from '../../../shared/table/table-key.ts';
import { tableName } from '../../cdk/names.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { UsageError } from '../../command-line/exit-codes.ts';

export interface Person {
  readonly kind: 'member' | 'staff' | 'invite';
  /** An id or an address; of an invite an address. */
  readonly who: string;
}

interface Erased {
  readonly events: number;
  readonly deliveries: number;
  readonly invites: number;
}

interface Place {
  readonly client: DynamoDBDocumentClient;
  readonly table: string;
  readonly auditDays: number;
}

/** @throws UsageError for somebody who is still a staff member */
export const eraseFromStage = (config: StageConfig, person: Person): Promise<Erased> => {
  const client = DynamoDBDocumentClient.from(
    new DynamoDBClient({ ...(config.region !== null && { region: config.region }) }),
  );
  return erasePerson({ client, table: tableName(config), auditDays: config.settings.audit.keepDays }, person);
};

/** @throws UsageError for somebody who is still a staff member */
export const erasePerson = async (place: Place, person: Person): Promise<Erased> => {
  if (person.kind === 'staff') await checkRemoved(place, person.who);
  const found = person.kind === 'invite' ? [] : await eventsAbout(place, person);
  const deliveries = found.length === 0 ? 0 : await eraseDeliveries(place, new Set(found.map(({ hash }) => hash)));
  for (const event of found) await erasePayload(place, event);
  const invites = person.kind === 'member' ? 0 : await eraseInvites(place, person.who);
  const erased = { events: found.length, deliveries, invites };
  await place.client.send(new PutCommand({ TableName: place.table, Item: entryOf(place, person, erased) }));
  return erased;
};

/** The entry names the person by a digest: the log would keep what was erased. */
const entryOf = ({ auditDays }: Place, { kind, who }: Person, erased: Erased) => {
  const target = { type: 'person', id: sha256(normalizedEmail(who)).slice(0, 24), name: kind } as const;
  const changes = Object.fromEntries(Object.entries(erased).map(([name, count]) => [name, { from: count, to: 0 }]));
  return withFormat(entryItem(auditDays, operator, 'person.erased', target, changes));
};

const checkRemoved = async (place: Place, who: string): Promise<void> => {
  for await (const { id, email } of itemsOf(place, 'STAFF'))
    if (id === who || isAddress(email, who))
      throw new UsageError(
        `${who} is still a staff member. Remove the member first: npm run ops -- staff delete ${id}`,
      );
};

async function* itemsOf({ client, table }: Place, pk: string): AsyncGenerator<Item> {
  const query = {
    TableName: table,
    ConsistentRead: true,
    KeyConditionExpression: 'pk = :pk',
    ExpressionAttributeValues: { ':pk': pk },
  };
  for await (const page of paginateQuery({ client }, query)) yield* (page.Items ?? []) as Item[];
}

async function* allItems({ client, table }: Place): AsyncGenerator<Item> {
  for await (const page of paginateScan({ client }, { TableName: table, ConsistentRead: true }))
    yield* (page.Items ?? []) as Item[];
}

const isAddress = (value: unknown, who: string): boolean =>
  typeof value === 'string' && normalizedEmail(value) === normalizedEmail(who);

interface FoundEvent {
  readonly hash: string;
  readonly body: EventBody;
  readonly payload: string;
}

/** Returns the events about the person. An address also finds events that have only its ids, because it has changed. */
const eventsAbout = async (place: Place, { kind, who }: Person): Promise<readonly FoundEvent[]> => {
  const candidates: (FoundEvent & Named)[] = [];
  for await (const item of allItems(place)) {
    const hash = hashOfEventBody(item);
    if (hash === undefined || typeof item.event !== 'string' || !item.event.startsWith(`${kind}.`)) continue;
    const body = eventBodyOf(item);
    const payload = await payloadOf(place, hash, body);
    if (payload !== undefined) candidates.push({ hash, body, payload, ...namedIn(payload, kind) });
  }
  const direct = candidates.filter(({ ids, emails }) => ids.has(who) || emails.has(normalizedEmail(who)));
  const ids = new Set([who, ...direct.flatMap((one) => (one.emails.has(normalizedEmail(who)) ? [...one.ids] : []))]);
  return candidates.filter((one) => direct.includes(one) || [...one.ids].some((id) => ids.has(id)));
};

/** Returns the JSON of a payload; undefined if it was erased before. */
const payloadOf = async ({ client, table }: Place, hash: string, body: EventBody): Promise<string | undefined> => {
  if (body.parts === undefined) return body.payload;
  const parts: Uint8Array[] = [];
  for (const Key of partKeysOf(hash, body.parts)) {
    const { Responses } = await client.send(new BatchGetCommand({ RequestItems: { [table]: { Keys: [Key] } } }));
    const bytes: unknown = Responses?.[table]?.[0]?.bytes;
    if (!(bytes instanceof Uint8Array)) return undefined;
    parts.push(bytes);
  }
  return joined(parts);
};

interface Named {
  readonly ids: ReadonlySet<string>;
  /** In lower case. */
  readonly emails: ReadonlySet<string>;
}

/** Returns the ids and addresses in the parts of a payload. The body of a Ghost site is text within it. */
const namedIn = (payload: string, kind: string): Named => {
  const json: unknown = JSON.parse(payload);
  const whole: unknown =
    isJsonObject(json) && typeof json.relayed === 'string' ? JSON.parse(json.relayed.replace(/^\ufeff/, '')) : json;
  const resource = isJsonObject(whole) ? whole[kind] : undefined;
  const parts = isJsonObject(resource) ? [resource.current, resource.previous].filter(isJsonObject) : [];
  const texts = (name: string) => parts.flatMap((part) => (typeof part[name] === 'string' ? [part[name]] : []));
  return { ids: new Set(texts('id')), emails: new Set(texts('email').map(normalizedEmail)) };
};

const eraseDeliveries = async (place: Place, hashes: ReadonlySet<string>): Promise<number> => {
  let count = 0;
  for await (const item of allItems(place)) {
    if (!isDeliveryItem(item) || !hashes.has(deliveryOf(item).body_hash)) continue;
    await remove(place, item);
    count += 1;
  }
  return count;
};

/** Leaves what recognises the event when it is published again: its id and a digest. */
const erasePayload = async (place: Place, { hash, body, payload }: FoundEvent): Promise<void> => {
  for (const key of body.parts === undefined ? [] : partKeysOf(hash, body.parts)) await remove(place, key);
  await place.client.send(
    new UpdateCommand({
      TableName: place.table,
      Key: eventBodyKey(hash),
      UpdateExpression: 'SET parts = :parts REMOVE payload, brotli',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeValues: { ':parts': body.parts ?? { hash: sha256(payload), count: 1 } },
    }),
  );
};

/** Erases the invites of an address, and who invited in the others. Returns how many were changed. */
const eraseInvites = async (place: Place, who: string): Promise<number> => {
  const { client, table } = place;
  let count = 0;
  for await (const item of itemsOf(place, 'INVITES')) {
    const { inviter, invited_by, email, pk, sk } = item;
    if (isAddress(email, who)) {
      await remove(place, item);
      count += 1;
    } else if (isJsonObject(inviter) && (isAddress(inviter.email, who) || Object(invited_by).staff_id === who)) {
      await client.send(
        new UpdateCommand({
          TableName: table,
          Key: { pk, sk },
          UpdateExpression: 'SET inviter = :none',
          ConditionExpression: 'attribute_exists(pk)',
          ExpressionAttributeValues: { ':none': null },
        }),
      );
      count += 1;
    }
  }
  if (who.includes('@'))
    await client
      .send(
        new DeleteCommand({
          TableName: table,
          Key: addressKey(who),
          ConditionExpression: 'holder = :invite',
          ExpressionAttributeValues: { ':invite': 'invite' },
        }),
      )
      .catch((error: unknown) => {
        if (!(error instanceof Error) || error.name !== 'ConditionalCheckFailedException') throw error;
      });
  return count;
};

const remove = async ({ client, table }: Place, { pk, sk }: Key): Promise<void> => {
  await client.send(new DeleteCommand({ TableName: table, Key: { pk, sk } }));
};
