/**
 * Measures what it costs to find the API key of a request that no environment has cached, in read units and milliseconds on the embedded table,
 * and to confirm before a change that the caller was checked within the last second.
 */
import { CreateTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, PutCommand } from '@aws-sdk/lib-dynamodb';
import { command, run } from '../../infra/command-line/command.ts';
import { startDynoxide } from '../../infra/emulator/parts/dynoxide.ts';
import { confirmAuthority, withAuthority } from '../../shared/foundation/authority.ts';
import type { ApiKeyId } from '../../shared/foundation/ids.ts';
import { region, tableDefinition } from '../../test/support/parts-schema.ts';
import { quantile } from './statistics.ts';

const rounds = 2000;
const TableName = 'keys';
const created_at = new Date().toISOString();
const id = (digit: string) => digit.repeat(24);
const key = (kid: string, owner: object) => ({
  pk: `KEY#${kid}`,
  sk: 'KEY',
  id: kid,
  secret: 'ab'.repeat(32),
  owner,
  created_at,
});
const member = {
  pk: 'STAFF',
  sk: `STAFF#${id('c')}`,
  id: id('c'),
  name: 'Ada',
  email: 'ada@example.com',
  role: 'Owner',
};
const items = [
  key(id('a'), { kind: 'integration', integration_id: id('d') }),
  key(id('b'), { kind: 'staff', staff_id: id('c') }),
  { ...member, created_at },
];
/** Returns the microseconds that a change adds to a request, without the cost of the loop. */
const confirming = async (): Promise<number> => {
  const changes = 200_000;
  const took = async (confirm: () => Promise<void>): Promise<number> => {
    const began = performance.now();
    for (let change = 0; change < changes; change++) await confirm();
    return ((performance.now() - began) * 1000) / changes;
  };
  const nothing = async () => {};
  const request = { check: nothing, clock: () => Date.now(), checkedAt: Number.POSITIVE_INFINITY };
  await took(confirmAuthority);
  return (await withAuthority(request, () => took(confirmAuthority))) - (await took(nothing));
};

const measureAll = async (): Promise<void> => {
  const part = await startDynoxide();
  try {
    Object.assign(process.env, {
      AWS_REGION: region,
      AWS_ACCESS_KEY_ID: 'test',
      AWS_SECRET_ACCESS_KEY: 'test',
      AWS_ENDPOINT_URL_DYNAMODB: part.url,
      TABLE_NAME: TableName,
    });
    const client = DynamoDBDocumentClient.from(new DynamoDBClient({ endpoint: part.url }));
    const { readApiKey } = await import('../../shared/accounts/api-key-store.ts');
    const { readStaffMember } = await import('../../shared/accounts/staff-store.ts');
    const { apiKeyFinder } = await import('../../shared/accounts/find-api-key.ts');

    await client.send(new CreateTableCommand(tableDefinition(TableName)));
    for (const Item of items) await client.send(new PutCommand({ TableName, Item }));

    const unitsOf = async ({ pk, sk }: { readonly pk: string; readonly sk: string }): Promise<number> => {
      const read = { TableName, Key: { pk, sk }, ConsistentRead: true, ReturnConsumedCapacity: 'TOTAL' } as const;
      return (await client.send(new GetCommand(read))).ConsumedCapacity?.CapacityUnits ?? 0;
    };

    /** Finds a key repeatedly, each time after its cache entry has expired. */
    const measure = async (kid: string): Promise<string> => {
      let now = 0;
      const find = apiKeyFinder({ readApiKey, readStaffMember, clock: () => now });
      const took: number[] = [];
      for (let round = 0; round < rounds; round++) {
        now += 4000;
        const began = performance.now();
        await find(kid as ApiKeyId);
        took.push(performance.now() - began);
      }
      const at = (share: number): string => quantile(took, share).toFixed(2);
      return `p50 ${at(0.5)} ms, p99 ${at(0.99)} ms`;
    };

    const [ofIntegration, ofStaff, ofMember] = await Promise.all(items.map(unitsOf));
    console.log(`the key of an integration: ${ofIntegration} read unit, ${await measure(id('a'))}`);
    console.log(
      `the key of a staff member: ${Number(ofStaff) + Number(ofMember)} read units, ${await measure(id('b'))}`,
    );
    console.log(`confirming the authority of a change: ${(await confirming()).toFixed(2)} µs`);
  } finally {
    await part.stop();
  }
};

await run(
  command('npm --prefix lab run bench:keys --')
    .description(
      `Measures what it costs to find the API key of a request: read units, milliseconds on the embedded table in ${rounds} rounds, and microseconds to confirm its authority before a change.`,
    )
    .action(measureAll),
);
