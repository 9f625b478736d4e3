/** DynamoDB's refusals told apart: what passes by itself is tried again or becomes a 503, anything else is a fault of ours. */
import { ServiceUnavailableError } from '../foundation/errors.ts';

/** Whether an error of the AWS SDK has this name. */
export const isNamed = (error: unknown, name: string): boolean => error instanceof Error && error.name === name;

/** Errors of the AWS SDK that say «not now»: capacity, AWS's own faults, no connection. */
export const unreachable = (error: unknown): unknown => {
  if (!(error instanceof Error)) return error;
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

/** The answer of a call; what says «not now» is a ServiceUnavailableError. */
export const reachable = async <T>(answer: Promise<T>): Promise<T> => {
  try {
    return await answer;
  } catch (error) {
    throw unreachable(error);
  }
};

/** Waits 25 ms, 50 ms, … with full jitter, and gives up after eight tries. @throws ServiceUnavailableError with the cause */
export const backOff = async (attempt: number, cause: unknown): Promise<void> => {
  if (attempt >= 7) throw new ServiceUnavailableError(cause);
  await new Promise((resolve) => setTimeout(resolve, Math.random() * 25 * 2 ** attempt));
};
