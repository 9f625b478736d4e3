/**
 * A fake of the table for tests of one handler with a mocked SDK. It answers reads from the items that you give it, says yes to every write,
 * and remembers the writes. It evaluates no condition: for what depends on one, use the real parts (`test/support/parts.ts`).
 */
import {
  BatchGetCommand,
  DynamoDBDocumentClient,
  GetCommand,
  PutCommand,
  QueryCommand,
  TransactWriteCommand,
  UpdateCommand,
} from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll } from 'vitest';
import { adminToken } from '../../infra/command-line/admin-token.ts';
import { apiKeyKey } from '../../shared/accounts/api-key-store.ts';
import { staffKey } from '../../shared/accounts/staff-store.ts';
import type { ApiKeyId, IntegrationId, StaffId } from '../../shared/foundation/ids.ts';

type Item = Readonly<Record<string, unknown>> & { readonly pk: string; readonly sk: string };
type Key = Pick<Item, 'pk' | 'sk'>;

const id = (digit: number): string => String(digit).repeat(24);
export const integrationId = id(2) as IntegrationId;
export const staffId = id(3) as StaffId;

const secret = '1'.repeat(64);
const integrationKeyId = id(4) as ApiKeyId;
const staffKeyId = id(5) as ApiKeyId;

/** The header of a request by the integration, and by an Administrator. */
export const asIntegration = (): Record<string, string> => ({
  Authorization: `Ghost ${adminToken(`${integrationKeyId}:${secret}`)}`,
});
export const asAdministrator = (): Record<string, string> => ({
  Authorization: `Ghost ${adminToken(`${staffKeyId}:${secret}`)}`,
});

/** The keys of both callers, and the Administrator. */
const callers: readonly Item[] = [
  {
    ...apiKeyKey(integrationKeyId),
    id: integrationKeyId,
    secret,
    owner: { kind: 'integration', integration_id: integrationId },
  },
  { ...apiKeyKey(staffKeyId), id: staffKeyId, secret, owner: { kind: 'staff', staff_id: staffId } },
  {
    ...staffKey(staffId),
    id: staffId,
    name: 'Ada',
    email: 'ada@example.com',
    role: 'Administrator',
    status: 'active',
  },
];

/** Replaces the table of every handler that the test imports. */
export const fakeTable = (...given: readonly Item[]) => {
  const dynamodb = mockClient(DynamoDBDocumentClient);
  afterAll(() => dynamodb.restore());
  const items = [...callers, ...given];
  const find = ({ pk, sk }: Key) => items.find((item) => item.pk === pk && item.sk === sk);
  dynamodb.on(GetCommand).callsFake(({ Key }) => ({ Item: find(Key) }));
  dynamodb.on(BatchGetCommand).callsFake(({ RequestItems }) => ({
    Responses: Object.fromEntries(
      Object.entries<{ Keys: readonly Key[] }>(RequestItems).map(([table, { Keys }]) => [
        table,
        Keys.flatMap((key) => find(key) ?? []),
      ]),
    ),
  }));
  // Partitions are small enough for one page here.
  dynamodb.on(QueryCommand).callsFake(({ ExpressionAttributeValues }) => {
    const values = Object.values(ExpressionAttributeValues ?? {});
    return { Items: items.filter(({ pk }) => values.includes(pk)), Count: 0 };
  });
  dynamodb.on(PutCommand).resolves({});
  dynamodb.on(UpdateCommand).resolves({});
  dynamodb.on(TransactWriteCommand).resolves({});
  return {
    /** What the writes of all transactions contain, as one text. */
    written: (): string =>
      JSON.stringify(dynamodb.commandCalls(TransactWriteCommand).flatMap(({ args }) => args[0].input.TransactItems)),
    updates: () => dynamodb.commandCalls(UpdateCommand).map(({ args }) => args[0].input),
  };
};
