/** What stands for what in the simulated world: packages, or files below the root of the repository, by files of this folder. */
export const replacements: Readonly<Record<string, string>> = {
  '@aws-sdk/client-sqs': 'sqs.ts',
  'shared/table/client.ts': 'dynamodb.ts',
  'shared/deliveries/sender/send.ts': 'receivers.ts',
  'shared/aws/log.ts': 'log.ts',
};
