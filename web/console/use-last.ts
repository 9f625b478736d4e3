/** Keeps an answer until the next one is there, so that nothing jumps while it is on its way. */
import { useRef } from 'preact/hooks';

/** Returns the value, or the last one that was defined. */
export const useLast = <T>(value: T | undefined): T | undefined => {
  const last = useRef<T | undefined>(undefined);
  last.current = value ?? last.current;
  return last.current;
};
