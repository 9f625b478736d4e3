/** How long the queues hide the messages of a batch, as the CDK deploys it and as the workers restore it. */

/**
 * Returns the visibility timeout of a queue whose function has this timeout, in seconds.
 * AWS: at least six times the function's timeout, so that no message becomes visible while its batch is retried.
 */
export const visibilitySeconds = (timeoutSeconds: number): number => 6 * timeoutSeconds;
