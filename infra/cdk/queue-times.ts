/** How often the queues repeat messages; without the CDK, so that a simulation has the same numbers. */

/** How long the table or another part of AWS may be unavailable before a message becomes a dead letter. */
const outageSeconds = 6 * 3600;

/**
 * Returns the receives before a message is dead. It fails once per visibility timeout; doubled, as throttles count too.
 * A worker moves a faulty message much earlier (`shared/aws/worker.ts`).
 */
export const maxReceivesAt = (visibility: number): number => Math.ceil((2 * outageSeconds) / visibility);
