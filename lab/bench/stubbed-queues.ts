/** Replaces `shared/aws/queues.ts`: accepts every message. */
export const maxDelaySeconds = 900;
export const send = async (): Promise<void> => {};
export const sendToDeadLetters = async (): Promise<void> => {};
