/** Asks before the reader leaves a view in which something would be lost: by a link, the history, a reload or a closed window. */
import { useEffect } from 'preact/hooks';
import { guardPlace } from './router.ts';

/** @param question undefined while nothing would be lost */
export const useUnsaved = (question: string | undefined): void => {
  useEffect(() => {
    if (question === undefined) return undefined;
    const unguard = guardPlace(() => confirm(question));
    const ask = (event: BeforeUnloadEvent): void => event.preventDefault();
    addEventListener('beforeunload', ask);
    return () => {
      unguard();
      removeEventListener('beforeunload', ask);
    };
  }, [question]);
};
