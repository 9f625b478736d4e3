/** The text of SQS messages, and how many fit into one batch. */

/** Limits of SendMessageBatch: ten messages and 1 MiB in total; a margin is left for attributes. */
const batchMessages = 10;
const batchBytes = 1024 * 1024 - 16 * 1024;

/**
 * Returns a body as JSON in which characters that a message may not contain are escaped: SQS refuses U+FFFE and U+FFFF
 * (SendMessage), fauxqs refuses surrogate pairs.
 */
export const messageText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** Splits messages into as few batches as SQS allows, in order; a message that is too long for SQS gets its own batch. */
export const inBatches = <T extends { readonly text: string }>(messages: readonly T[]): T[][] => {
  const batches: T[][] = [];
  let bytes = Number.POSITIVE_INFINITY;
  for (const message of messages) {
    const size = Buffer.byteLength(message.text);
    const last = batches.at(-1);
    if (last === undefined || last.length === batchMessages || bytes + size > batchBytes) {
      batches.push([message]);
      bytes = size;
    } else {
      last.push(message);
      bytes += size;
    }
  }
  return batches;
};
