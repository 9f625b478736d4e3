/** Format versions: items and messages have their writer's format; a release reads its own and both adjacent ones. */
import { GetItemCommand, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import * as v from 'valibot';
import { describe, expect, it, vi } from 'vitest';
import { format } from '../../shared/foundation/format.ts';
import { freshStack } from '../support/parts.ts';
import { lambdaContext, queueRecord } from '../support/parts-event.ts';

const stack = await freshStack();
// Imported again, because the clients read the environment of the fresh stack.
vi.resetModules();
const { get, put } = await import('../../shared/table/item.ts');
const { getMany, putMany } = await import('../../shared/table/batch.ts');
const { query } = await import('../../shared/table/query.ts');
const { transact } = await import('../../shared/table/transaction.ts');
const { queueWorker } = await import('../../shared/aws/worker.ts');

const at = (sk: string) => ({ pk: 'ROLES', sk });
/** Writes an item without the code that adds the format. */
const store = (sk: string, attributes: object) =>
  stack.dynamodb.send(new PutItemCommand({ TableName: stack.tableName, Item: marshall({ ...at(sk), ...attributes }) }));
const formatOf = async (sk: string) => {
  const { Item } = await stack.dynamodb.send(new GetItemCommand({ TableName: stack.tableName, Key: marshall(at(sk)) }));
  return Item?.format?.N;
};

const reads = [
  ['by its key', async (sk: string) => [await get(at(sk))]],
  ['in a batch', (sk: string) => getMany([at(sk)])],
  ['in a query', async (sk: string) => (await query('ROLES', { beginsWith: sk })).items],
] as const;

describe('a table item', () => {
  it('gets the format of this release in every kind of write', async () => {
    await put({ ...at('put'), format: 7 });
    await putMany([at('many')]);
    await transact([{ kind: 'put', item: at('together') }]);
    expect(await Promise.all(['put', 'many', 'together'].map(formatOf))).toEqual(Array(3).fill(String(format)));
  });

  it.each(reads)('of this or an adjacent release can be read %s, without the attribute `format`', async (_, read) => {
    for (const [sk, attributes] of [
      ['without', {}],
      ['own', { format }],
      ['next', { format: format + 1 }],
    ] as const) {
      await store(sk, attributes);
      expect(await read(sk)).toEqual([at(sk)]);
    }
  });

  it.each(reads)(
    'that was written two or more releases away cannot be read %s; the error names the key and the format of the item',
    async (_, read) => {
      await store('far', { format: format + 2 });
      await expect(read('far')).rejects.toThrow(
        `The item ROLES far cannot be read. It has the format ${format + 2}; ` +
          `this release reads the formats ${format - 1} to ${format + 1}`,
      );
    },
  );
});

describe('a queue message', () => {
  const worked: unknown[] = [];
  const handler = queueWorker(v.object({ n: v.number() }), (batch) =>
    batch.map(async ({ body }) => {
      worked.push(body.n);
    }),
  );
  const record = (body: object) => queueRecord({ body: JSON.stringify(body) }, stack.queueArn('mail'));

  it('gets the format of this release', async () => {
    const { send } = await import('../../shared/aws/queues.ts');
    await send('mail', [{ body: { n: 1 } }]);
    const name = stack.queueUrl('mail').split('/').at(-1);
    const page = await (await fetch(`${stack.parts.sqs}/_fauxqs/queues/${name}`)).text();
    expect(page).toContain(JSON.stringify(JSON.stringify({ n: 1, format })));
  });

  it('is processed if this or an adjacent release has written it, and otherwise stays in the queue', async () => {
    const Records = [
      record({ n: 1 }),
      record({ n: 2, format }),
      record({ n: 3, format: format + 1 }),
      record({ n: 4, format: format + 2 }),
    ];
    const { batchItemFailures } = await handler({ Records }, lambdaContext('mail/send', 30));
    expect(worked).toEqual([1, 2, 3]);
    expect(batchItemFailures).toEqual([{ itemIdentifier: Records[3]?.messageId }]);
  });
});
