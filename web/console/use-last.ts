/** Keeps the last answer while the next one is loading, so that nothing jumps. */
import { useRef } from 'preact/hooks';

/** Returns the value, or the last one that was defined. */
export const useLast = <T>(value: T | undefined): T | undefined => {
  const last = useRef<T | undefined>(undefined);
  last.current = value ?? last.current;
  return last.current;
};
