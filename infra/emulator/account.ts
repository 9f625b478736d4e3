/** The AWS account and region of the emulator. */
export const accountId = '000000000000';
export const region = 'eu-central-1';

/** Returns an ARN of this account and region: `arn('sqs', 'masthead-local-mail')`. */
export const arn = (service: string, resource: string): string =>
  `arn:aws:${service}:${region}:${accountId}:${resource}`;
