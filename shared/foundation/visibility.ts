/** How long the queues hide the messages of a batch: the CDK deploys this value, and workers restore it. */

/** Returns a queue's visibility timeout in seconds: six times its function's, so that retries of a batch fit (AWS). */
export const visibilitySeconds = (timeoutSeconds: number): number => 6 * timeoutSeconds;
