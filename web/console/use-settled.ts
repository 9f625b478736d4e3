/** Follows a value that changes with every key, once it has stopped changing. */
import { useEffect, useState } from 'preact/hooks';

/** In ms: longer than between two keys of a person who types. */
const pauseMs = 400;

/** Returns the value as it last was for a while. It must be a text or a number, which is compared as a whole. */
export const useSettled = <T extends string | number>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};
