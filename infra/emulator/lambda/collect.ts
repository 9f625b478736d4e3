/** Collects the garbage of a thread that has nothing to do: V8 itself waits for the next load, and keeps it until then. */
import { getHeapStatistics, setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';

/**
 * In ms. Nothing runs in the thread during the collection, which takes 50, and its young generation grows anew afterwards: with ten seconds, and a
 * collection after the start of each environment, functions took a tenth more CPU time.
 */
const quietMs = 60_000;
/** How many times as large as after the last collection a heap must be. Otherwise each of a few events far apart would cost a collection. */
const minGrowth = 1.5;

/** The heap of a thread. */
interface Heap {
  /** Returns the bytes that it has taken from the system. */
  size(): number;
  collect(): void;
}

const ofThisThread: Heap = {
  size: () => getHeapStatistics().total_heap_size,
  collect() {
    // Exposed on the command line, it made a start 70 ms slower. It is an option of new contexts only, but of those in all threads.
    setFlagsFromString('--expose-gc');
    const gc: typeof globalThis.gc = runInNewContext('globalThis.gc');
    setFlagsFromString('--no-expose-gc');
    // Undefined if another thread has just done the same: a later collection will do. Only the last resort shrinks the young generation, too.
    gc?.({ execution: 'sync', type: 'major', flavor: 'last-resort' });
  },
};

/**
 * Collects the garbage once there was nothing to do for a minute, if the heap has grown by half.
 * @param startMs after how many ms without anything to do what the start has left is collected
 * @returns a function to be called with each request or event
 */
export const collectWhenQuiet = (startMs = quietMs, heap: Heap = ofThisThread): (() => void) => {
  let sizeBefore = 0;
  const collect = () => {
    if (heap.size() < minGrowth * sizeBefore) return;
    heap.collect();
    sizeBefore = heap.size();
  };
  let timer = setTimeout(() => {
    collect();
    timer = setTimeout(collect, quietMs).unref();
  }, startMs).unref();
  return () => void timer.refresh();
};
