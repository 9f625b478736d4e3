/** In the place of `shared/aws/queues.ts`: takes every message. */
export const longestDelaySeconds = 900;
export const send = async (): Promise<void> => {};
