/** Creates the template's tables and queues in the embedded parts; existing ones keep their content. */
import { arn, region } from './account.ts';
import type { QueueDeployment, TableDeployment } from './deployment.ts';
import type { Queues } from './parts/fauxqs.ts';

/** Creates a table if it is absent, and enables its time to live. */
export const provisionTable = async (url: string, table: TableDeployment): Promise<void> => {
  const call = async (action: string, input: object) => {
    const response = await fetch(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/x-amz-json-1.0',
        'x-amz-target': `DynamoDB_20120810.${action}`,
        'x-amz-date': '20260101T000000Z',
        // The part reads the region and checks no signature.
        authorization:
          `AWS4-HMAC-SHA256 Credential=local/20260101/${region}/dynamodb/aws4_request, SignedHeaders=host, ` +
          'Signature=none',
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
  if (ttl !== undefined) throw new Error(`the table ${table.name} could not be created: ${ttl}`);
};

/** Creates a queue if it is absent, and sets the template's attributes. */
export const provisionQueue = (queues: Queues, queue: QueueDeployment, url: string): void => {
  const queueArn = arn('sqs', queue.name);
  const existing = queues.getQueueByArn(queueArn);
  if (existing === undefined) {
    queues.createQueue(queue.name, url, queueArn, { ...queue.attributes });
    return;
  }
  existing.setAttributes({ ...queue.attributes });
  // The stored URL has the port of an earlier run.
  Object.assign(existing, { url });
};
