/** Reads data for a view: at once, again after every change in this tab, and regularly while the page is visible. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { changes, isDeleted } from './api/client.ts';

export interface QueryState<T> {
  /** The latest data. It stays while it is read again, and after a failure. */
  readonly data: T | undefined;
  /** The error of the last read; undefined after a success. */
  readonly error: unknown;
  readonly reload: () => void;
}

/** An answer that takes long costs much, so the pause before the next request is at least so many times as long. */
const restFactor = 4;

/**
 * Returns the data of a view.
 * @param key identifies the data; a different key drops the old data. For a resource it begins with the resource's path, and the data is not read
 *   again after the resource was deleted in this tab.
 * @param everyMs the pause before it is read again, at least; by default it is read once
 */
export const useQuery = <T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
): QueryState<T> => {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown }>({ key });
  const loading = useRef<() => void>(() => {});
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      running?.abort();
      const own = new AbortController();
      running = own;
      const began = performance.now();
      try {
        const data = await latest.current(own.signal);
        if (!own.signal.aborted) setState({ key, data });
      } catch (error) {
        if (own.signal.aborted) return;
        setState((before) => ({ ...(before.key === key ? before : { key }), error }));
      }
      const restMs = Math.max(everyMs ?? 0, restFactor * (performance.now() - began));
      if (!own.signal.aborted && everyMs !== undefined && !document.hidden) timer = setTimeout(start, restMs);
    };
    const start = (): void => {
      read().catch(() => {});
    };
    const stop = (): void => {
      running?.abort();
      clearTimeout(timer);
    };
    const readAgain = (): void => {
      if (isDeleted(key)) stop();
      else start();
    };
    const wake = (): void => {
      if (!document.hidden && everyMs !== undefined) start();
    };
    loading.current = start;
    start();
    const unfollow = changes.follow(readAgain);
    document.addEventListener('visibilitychange', wake);
    addEventListener('online', start);
    return () => {
      stop();
      unfollow();
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('online', start);
    };
  }, [key, everyMs]);
  const reload = useCallback(() => loading.current(), []);
  return state.key === key
    ? { data: state.data, error: state.error, reload }
    : { data: undefined, error: undefined, reload };
};
