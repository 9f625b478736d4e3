/** Counts the dead letters of all queues, which wait for an operator (docs/operations.md, "Dead letters"). */
import { waitingMessages } from '../aws/queues.ts';
import { queueNames } from '../contract.ts';
import type { DeadLetters } from './resource.ts';

/** Returns the queues that have dead letters, as of up to a minute ago. @throws ServiceUnavailableError */
export const readDeadLetters = async (): Promise<readonly DeadLetters[]> => {
  const counted = queueNames.map(async (queue) => ({ queue, messages: await waitingMessages(`${queue}-dead`) }));
  return (await Promise.all(counted)).filter(({ messages }) => messages > 0);
};
