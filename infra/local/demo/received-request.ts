/** A request that the demo's receiver got. */
import * as v from 'valibot';

const requestSchema = v.object({
  /** Epoch ms. */
  at: v.number(),
  path: v.string(),
  /** Names in lower case. */
  headers: v.record(v.string(), v.string()),
  /** The exact text, which the signatures are over. */
  body: v.string(),
});

export type ReceivedRequest = v.InferOutput<typeof requestSchema>;
export const receivedRequests = v.array(requestSchema);
