/** Reads data for a view: at once, after every change in this tab, and regularly while the page is visible and used. */
import { useCallback, useEffect, useRef, useState } from 'preact/hooks';
import { changes, deletions, isDeleted } from './api/client.ts';
import { pauseAfter } from './pace.ts';
import { followTouches, untouchedMs } from './touch.ts';

export interface QueryState<T> {
  /** The latest data. It stays while it is read again, and after a failure. */
  readonly data: T | undefined;
  /** The error of the last read; undefined after a success. */
  readonly error: unknown;
  readonly reload: () => void;
}

/**
 * Returns the data of a view.
 * @param key identifies the data; a different key drops the old data. For a resource it begins with its path, and once
 *   this tab deletes the resource, the data is not read again
 * @param everyMs the shortest pause between regular reads, which grows while nothing happens (`pace.ts`)
 * @param atMostMs the longest pause; a minute by default
 */
export const useQuery = <T>(
  key: string,
  load: (signal: AbortSignal) => Promise<T>,
  everyMs?: number,
  atMostMs?: number,
): QueryState<T> => {
  const [state, setState] = useState<{ key: string; data?: T; error?: unknown }>({ key });
  const loading = useRef<() => void>(() => {});
  const latest = useRef(load);
  latest.current = load;
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined;
    let running: AbortController | undefined;
    let last: string | undefined;
    let pauseMs: number | undefined;
    let endedAt = 0;
    const read = async (): Promise<void> => {
      clearTimeout(timer);
      timer = undefined;
      running?.abort();
      const own = new AbortController();
      running = own;
      const began = performance.now();
      let text = last;
      try {
        const data = await latest.current(own.signal);
        text = JSON.stringify(data);
        if (!own.signal.aborted) setState({ key, data });
      } catch (error) {
        if (own.signal.aborted) return;
        setState((before) => ({ ...(before.key === key ? before : { key }), error }));
      }
      if (own.signal.aborted || everyMs === undefined) return;
      endedAt = performance.now();
      const [hasChanged, tookMs] = [text !== last, endedAt - began];
      last = text;
      pauseMs = pauseAfter({ everyMs, atMostMs, pauseMs, hasChanged, untouchedMs: untouchedMs(), tookMs });
      if (!document.hidden) timer = setTimeout(start, pauseMs);
    };
    /** Somebody is back at the page: it is read `everyMs` after the last read, instead of after the longer pause. */
    const hurry = (): void => {
      if (timer === undefined || everyMs === undefined || pauseMs === undefined || pauseMs <= everyMs) return;
      pauseMs = undefined;
      clearTimeout(timer);
      timer = setTimeout(start, Math.max(0, endedAt + everyMs - performance.now()));
    };
    /** This tab deletes what is read. */
    let isOver = false;
    const start = (): void => {
      if (!isOver) read().catch(() => {});
    };
    const stop = (): void => {
      running?.abort();
      clearTimeout(timer);
    };
    const readAgain = (): void => {
      pauseMs = undefined;
      start();
    };
    const followDeletion = (): void => {
      if (isDeleted(key) === isOver) return;
      isOver = !isOver;
      if (isOver) stop();
      else start();
    };
    const wake = (): void => {
      if (document.hidden) clearTimeout(timer);
      else if (everyMs !== undefined) start();
    };
    loading.current = start;
    start();
    const unfollow = changes.follow(readAgain);
    const unfollowDeletions = deletions.follow(followDeletion);
    const unfollowTouches = followTouches(hurry);
    document.addEventListener('visibilitychange', wake);
    addEventListener('online', start);
    return () => {
      stop();
      unfollow();
      unfollowDeletions();
      unfollowTouches();
      document.removeEventListener('visibilitychange', wake);
      removeEventListener('online', start);
    };
  }, [key, everyMs, atMostMs]);
  const reload = useCallback(() => loading.current(), []);
  return state.key === key
    ? { data: state.data, error: state.error, reload }
    : { data: undefined, error: undefined, reload };
};
