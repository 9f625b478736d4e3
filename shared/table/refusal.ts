/** Classifies DynamoDB's refusals: temporary ones are retried or become a 503, all others are internal errors. */
import { MastheadError, ServiceUnavailableError } from '../foundation/errors.ts';

/** Whether an error of the AWS SDK has this name. */
export const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Maps temporary errors of the AWS SDK (capacity, faults of AWS, no connection) to a ServiceUnavailableError. */
export const unreachable = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof MastheadError) return error;
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const passing = [
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
    'TransactionConflictException',
    'TimeoutError',
  ];
  const noAnswer = status === undefined && 'code' in error;
  return passing.includes(error.name) || noAnswer || (status !== undefined && status >= 500)
    ? new ServiceUnavailableError(error)
    : error;
};

/** Awaits a call. @throws ServiceUnavailableError for temporary errors */
export const reachable = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw unreachable(error);
  }
};

/** Waits 25 ms, 50 ms, … with full jitter, and gives up after eight attempts. @throws ServiceUnavailableError with the cause */
export const backOff = async (attempt: number, cause: unknown): Promise<void> => {
  if (attempt >= 7) throw new ServiceUnavailableError(cause);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
};
