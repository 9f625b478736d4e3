/** Returns whether the window is as narrow as a phone, where a row has two lines. */
import { useEffect, useState } from 'preact/hooks';

/** As in `console.css`. */
const narrow = matchMedia('(max-width: 48rem)');

export const useIsNarrow = (): boolean => {
  const [isNarrow, setIsNarrow] = useState(narrow.matches);
  useEffect(() => {
    const read = () => setIsNarrow(narrow.matches);
    narrow.addEventListener('change', read);
    return () => narrow.removeEventListener('change', read);
  }, []);
  return isNarrow;
};
