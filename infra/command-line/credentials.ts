/** Recognises errors of the AWS SDK that only the user's own set-up corrects. */

export const credentialsFix = 'aws sso login, or export AWS_PROFILE=<profile>';

const names = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
]);

const isAboutCredentials = (error: unknown): boolean =>
  error instanceof Error && (names.has(error.name) || isAboutCredentials(error.cause));

/** Returns what the user must set before AWS can be asked; undefined for another error. */
export const fixOf = (error: unknown): string | undefined => {
  if (isAboutCredentials(error)) return `The AWS credentials are missing or not valid: ${credentialsFix}`;
  // The SDK's own words, in an error without a name of its own.
  if (error instanceof Error && error.message === 'Region is missing')
    return 'Name the region of the stage: export AWS_REGION=eu-central-1';
  return undefined;
};
