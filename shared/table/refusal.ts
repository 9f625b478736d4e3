/** Classifies DynamoDB's refusals: temporary ones (retried, or 503), conflicts (429), and internal errors. */
import { ContentionError, MastheadError, ServiceUnavailableError } from '../foundation/errors.ts';

/** Whether an error of the AWS SDK has this name. */
export const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Maps temporary errors of the SDK (capacity, AWS's faults, no connection) and conflicts to errors of Masthead. */
export const unreachable = (error: unknown): unknown => {
  if (!(error instanceof Error) || error instanceof MastheadError) return error;
  if (isConflict(error)) return new ContentionError(error);
  const status = (error as { $metadata?: { httpStatusCode?: number } }).$metadata?.httpStatusCode;
  const passing = [
    'ProvisionedThroughputExceededException',
    'ThrottlingException',
    'RequestLimitExceeded',
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

/** Waits 25 ms, 50 ms, … with full jitter, for eight tries. @throws ContentionError, ServiceUnavailableError */
export const backOff = async (attempt: number, cause: unknown): Promise<void> => {
  if (attempt >= 7) throw isConflict(cause) ? new ContentionError(cause) : new ServiceUnavailableError(cause);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
};

/** Whether nothing but other writes to the same items stood in the way. */
const isConflict = (error: unknown): boolean => {
  const reasons = (error as { CancellationReasons?: readonly { readonly Code?: string }[] }).CancellationReasons ?? [];
  const isCancelled = reasons.some(({ Code }) => Code === 'TransactionConflict');
  return (
    isNamed(error, 'TransactionConflictException') ||
    (isCancelled && reasons.every(({ Code = 'None' }) => Code === 'None' || Code === 'TransactionConflict'))
  );
};
