/** How often the queues repeat messages; without the CDK, so that a simulation has the same numbers. */

/** How long the table or another part of AWS may be unavailable before a message becomes a dead letter. */
const outageSeconds = 6 * 3600;

/**
 * Returns after how many receives a message is a dead letter: one per visibility timeout, doubled for throttles.
 * A worker moves a faulty message much earlier (`shared/aws/worker.ts`).
 */
export const maxReceivesAt = (visibility: number): number => Math.ceil((2 * outageSeconds) / visibility);
