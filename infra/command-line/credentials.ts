/** Recognises errors of the AWS SDK that only other credentials correct. */

export const credentialsFix = 'aws sso login, or export AWS_PROFILE=<profile>';

const names = new Set([
  'CredentialsProviderError',
  'TokenProviderError',
  'ExpiredToken',
  'ExpiredTokenException',
  'InvalidClientTokenId',
  'UnrecognizedClientException',
]);

/** Returns whether an error, or one that caused it, is about missing or expired credentials. */
export const isAboutCredentials = (error: unknown): boolean =>
  error instanceof Error && (names.has(error.name) || isAboutCredentials(error.cause));
