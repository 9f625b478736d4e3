/** Returns a value that changes with every keystroke, once it has stopped changing. */
import { useEffect, useState } from 'preact/hooks';

/** In ms: longer than the pause between two keystrokes. */
const pauseMs = 400;

/** Returns the value once it has been unchanged for a while: a text or a number, which can be compared directly. */
export const useSettled = <T extends string | number>(value: T): T => {
  const [settled, setSettled] = useState(value);
  useEffect(() => {
    const timer = setTimeout(() => setSettled(value), pauseMs);
    return () => clearTimeout(timer);
  }, [value]);
  return settled;
};
