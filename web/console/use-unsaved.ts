/** Asks before the reader leaves a view and would lose something: by a link, the history, a reload or closing. */
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
