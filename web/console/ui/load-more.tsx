/** The button below a list that has further pages. */
import type { JSX } from 'preact';
import { useTexts } from '../texts/dictionary.ts';

export const LoadMore = ({ onLoad }: { readonly onLoad: () => void }): JSX.Element => {
  const { frame } = useTexts();
  return (
    <wa-button appearance="outlined" size="s" onClick={onLoad}>
      {frame.loadMore}
    </wa-button>
  );
};
