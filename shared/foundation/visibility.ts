/** How long the queues hide the messages of a batch: the CDK deploys this value, and workers restore it. */

/**
 * Returns the visibility timeout of a queue whose function has this timeout, in seconds.
 * AWS: at least six times the function's timeout, so that no message becomes visible while its batch is retried.
 */
export const visibilitySeconds = (timeoutSeconds: number): number => 6 * timeoutSeconds;
