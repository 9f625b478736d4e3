/** The secrets with which a running stack signs the deliveries to a receiver on this machine. */
import type { LocalStack } from '../local-stack.ts';

/** Returns the secrets, current and previous, of every webhook whose target begins with an origin. */
export const secretsOfTargets = async (
  { aws, tables: [TableName] }: Pick<LocalStack, 'aws' | 'tables'>,
  origin: string,
): Promise<readonly string[]> => {
  // Not before the page is opened, because importing the SDK takes longer than the rest of a start.
  const { DynamoDBClient, paginateScan } = await import('@aws-sdk/client-dynamodb');
  const { endpoint, region, ...credentials } = aws;
  const client = new DynamoDBClient({ endpoint, region, credentials });
  const found: string[] = [];
  const pages = paginateScan(
    { client },
    {
      TableName,
      FilterExpression: 'begins_with(sk, :webhook) AND begins_with(target_url, :origin)',
      ExpressionAttributeValues: { ':webhook': { S: 'WEBHOOK#' }, ':origin': { S: origin } },
    },
  );
  for await (const { Items = [] } of pages)
    for (const { secret, previous_secrets } of Items) {
      if (secret?.S !== undefined) found.push(secret.S);
      for (const previous of previous_secrets?.L ?? [])
        if (previous.M?.secret?.S !== undefined) found.push(previous.M.secret.S);
    }
  client.destroy();
  return found;
};
