/** Bounds the heaps of a running stack: how far they grow, and what its start has left in them. */
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/** In ms. No request is answered during the collection, which takes 50. */
const quietMs = 1000;

/**
 * Bounds the heaps from now on. Before the stack is ready, this would cost a tenth of the CPU time of its start.
 * @returns a function to be called after each request: the garbage of the start is collected once there was none for a second
 */
export const boundHeaps = (): (() => void) => {
  // V8 reads it at each collection, in all threads. By default, it lets a heap grow to several times of what is live.
  setFlagsFromString('--heap-growing-percent=50');
  return onceQuiet(collectAll);
};

/** By itself, V8 does it when the next load needs the memory: not in a minute without work. Only the last resort shrinks the young generation, too. */
const collectAll = (): void => {
  // Exposed on the command line, it made a start 70 ms slower. It is an option of new contexts only.
  setFlagsFromString('--expose-gc');
  const gc: NonNullable<typeof globalThis.gc> = runInNewContext('gc');
  setFlagsFromString('--no-expose-gc');
  gc({ execution: 'sync', type: 'major', flavor: 'last-resort' });
};

/** Acts once, when what it returns was not called for a second. */
export const onceQuiet = (act: () => void): (() => void) => {
  let isDone = false;
  const timer = setTimeout(() => {
    isDone = true;
    act();
  }, quietMs).unref();
  return () => {
    if (!isDone) timer.refresh();
  };
};
