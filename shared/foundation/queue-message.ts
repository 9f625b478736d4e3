/** What SQS takes of a message and of a batch: its text, and how much of it in one request. */

/** SQS limits of one SendMessageBatch: ten messages and 1 MiB in all; a margin is left for attributes. */
const batchMessages = 10;
const batchBytes = 1024 * 1024 - 16 * 1024;

/**
 * JSON, with whatever is not plainly allowed in a message escaped: SQS takes neither U+FFFE nor U+FFFF anywhere
 * (SendMessage), and fauxqs no pair of surrogates.
 */
export const messageText = (body: unknown): string =>
  JSON.stringify(body).replaceAll(/[\ud800-\udfff\ufffe\uffff]/g, (unit) => `\\u${unit.charCodeAt(0).toString(16)}`);

/** Messages in as few batches as SQS allows, in their order; one that is too long for SQS has a batch of its own. */
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
