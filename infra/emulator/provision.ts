/** Makes the template's tables and queues in the embedded parts; what is there already keeps its content. */
import type { QueueDeployment, TableDeployment } from './deployment.ts';
import type { Queues } from './parts/fauxqs.ts';

/** Makes a table where it is absent, and switches its time to live on. */
export const provisionTable = async (url: string, table: TableDeployment, region: string): Promise<void> => {
  const call = async (action: string, input: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${action}`,
        'x-amz-date': '20260101T000000Z',
        // Parts look at the form and the region, and check no signature.
        authorization: `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, Signature=none`,
      },
      body: JSON.stringify(input),
    });
    return response.ok ? undefined : await response.text();
  };
  const enableTtl = (AttributeName: string) =>
    call('UpdateTimeToLive', {
      TableName: table.name,
      TimeToLiveSpecification: { AttributeName, Enabled: true },
    });
  const refused = await call('CreateTable', table.definition);
  if (refused?.includes('ResourceInUseException')) return;
  const ttl = refused ?? (table.ttlAttribute === undefined ? undefined : await enableTtl(table.ttlAttribute));
  if (ttl !== undefined) throw new Error(`the table ${table.name} could not be made: ${ttl}`);
};

/** Makes a queue where it is absent, and gives it the template's attributes. */
export const provisionQueue = (queues: Queues, queue: QueueDeployment, url: string, region: string): void => {
  const arn = `arn:aws:sqs:${region}:000000000000:${queue.name}`;
  const existing = queues.getQueueByArn(arn);
  if (existing === undefined) {
    queues.createQueue(queue.name, url, arn, { ...queue.attributes });
    return;
  }
  existing.setAttributes({ ...queue.attributes });
  // Its address was that of an earlier run.
  Object.assign(existing, { url });
};
