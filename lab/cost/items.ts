/** The bytes that the history occupies in a stack's table, as DynamoDB bills them. */
import { type AttributeValue, DynamoDBClient, ScanCommand } from '@aws-sdk/client-dynamodb';
import type { RunningStack } from '../../test/support/parts-running-stack.ts';

/** Bytes that DynamoDB adds to each item for storage (https://docs.aws.amazon.com/amazondynamodb/latest/developerguide/CapacityUnitCalculations.html). */
const overhead = 100;

/** The sort keys of a delivery, a cohort's deliveries, an event's body and a part of a body. */
const history = /^(?:DELIVERY#|SUCCESSES#|EVENT$|PART$)/;

/** Returns the bytes of all deliveries and events. */
export const itemBytes = async ({ stack: { aws, table } }: RunningStack): Promise<number> => {
  const { endpoint, region, ...credentials } = aws;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  let bytes = 0;
  let ExclusiveStartKey: Record<string, AttributeValue> | undefined;
  do {
    const page = await client.send(new ScanCommand({ TableName: table, ExclusiveStartKey }));
    for (const item of page.Items ?? []) if (history.test(item.sk?.S ?? '')) bytes += overhead + mapBytes(item);
    ExclusiveStartKey = page.LastEvaluatedKey;
  } while (ExclusiveStartKey !== undefined);
  client.destroy();
  return bytes;
};

const mapBytes = (map: Readonly<Record<string, AttributeValue>>): number =>
  Object.entries(map).reduce((sum, [name, value]) => sum + Buffer.byteLength(name) + valueBytes(value), 0);

/** Sizes as in "DynamoDB item sizes and formats", on AWS's page above. */
const valueBytes = ({ S, N, B, L, M }: AttributeValue): number => {
  if (S !== undefined) return Buffer.byteLength(S);
  if (N !== undefined) return Math.ceil(N.replace(/[-.]/g, '').length / 2) + 1;
  if (B !== undefined) return B.length;
  if (L !== undefined) return 3 + L.reduce((sum, value) => sum + 1 + valueBytes(value), 0);
  if (M !== undefined) return 3 + mapBytes(M) + Object.keys(M).length;
  return 1;
};
