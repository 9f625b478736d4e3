/** A new table on the embedded DynamoDB, for tests of the rooms that read and write it. */
import { randomUUID } from 'node:crypto';
import { CreateTableCommand, DeleteTableCommand, DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { afterAll, beforeAll, inject } from 'vitest';
import { region, tableDefinition } from './parts-schema.ts';

/** Returns the environment variables for the table. It exists from the first test of the file to the last. */
export const ownTable = (): Readonly<Record<string, string>> => {
  const TableName = `table-${randomUUID()}`;
  const endpoint = inject('parts').dynamodb;
  const credentials = { accessKeyId: 'test', secretAccessKey: 'test' };
  const dynamodb = new DynamoDBClient({ endpoint, region, credentials });
  beforeAll(() => dynamodb.send(new CreateTableCommand(tableDefinition(TableName))));
  afterAll(() => dynamodb.send(new DeleteTableCommand({ TableName })));
  return {
    AWS_REGION: region,
    AWS_ACCESS_KEY_ID: credentials.accessKeyId,
    AWS_SECRET_ACCESS_KEY: credentials.secretAccessKey,
    AWS_ENDPOINT_URL_DYNAMODB: endpoint,
    TABLE_NAME: TableName,
  };
};
