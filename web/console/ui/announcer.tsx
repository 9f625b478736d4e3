/** Reports the result of an action: shown for a while, and read out by assistive technology. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createStore, useStore } from '../store.ts';

const message = createStore('');

/** In ms: long enough to read a sentence twice. */
const shownFor = 8000;

export const announce = (text: string): void => message.set(text);

export const Announcer = (): JSX.Element => {
  const text = useStore(message);
  useEffect(() => {
    const timer = setTimeout(() => message.set(''), shownFor);
    return () => clearTimeout(timer);
  }, [text]);
  return (
    <div class="announcer" role="status">
      {text !== '' && <p>{text}</p>}
    </div>
  );
};
