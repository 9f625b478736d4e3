/** Replaces `shared/aws/queues.ts`: accepts every message. */
export const longestDelaySeconds = 900;
export const send = async (): Promise<void> => {};
