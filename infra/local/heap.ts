/** Bounds the heaps of a running stack: how far they grow, and what its start has left in them. */
import { setFlagsFromString } from 'node:v8';
import { collectWhenQuiet } from '../emulator/lambda/collect.ts';

/** What a start leaves is collected after this time without a request. */
const startMs = 1000;

/**
 * Bounds the heaps from now on. Before the stack is ready, this would cost a tenth of the CPU time of its start.
 * @returns a function to be called after each request
 */
export const boundHeaps = (): (() => void) => {
  // V8 reads it at each collection, in all threads. By default, it lets a heap grow to several times of what is live.
  setFlagsFromString('--heap-growing-percent=50');
  return collectWhenQuiet(startMs);
};
