/** The DynamoDB client of this function, created once per environment, when the module is loaded. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { clientSettings, prepared } from '../aws/client-settings.ts';

export const client = DynamoDBDocumentClient.from(prepared(new DynamoDBClient(clientSettings)), {
  marshallOptions: { removeUndefinedValues: true },
});
