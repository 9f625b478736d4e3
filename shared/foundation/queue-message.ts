/** The text of SQS messages, and how many fit into one batch. */

/** Limits of SendMessageBatch: ten messages and 1 MiB in total; a margin is left for attributes. */
const batchMessages = 10;
const batchBytes = 1024 * 1024 - 16 * 1024;

/** Returns a body as JSON, with escapes for what SQS (U+FFFE, U+FFFF) and fauxqs (surrogate pairs) refuse. */
export const messageText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** Splits messages into as few batches as SQS allows, in order; one that is too long gets its own batch. */
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
