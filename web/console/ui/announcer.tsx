/** Reports results of actions as toasts, which stay for a while or until dismissed. Assistive technology reads them. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Icon } from './icon.tsx';
import { CircleCheck, X } from './icons.ts';

interface Toast {
  readonly id: number;
  readonly text: string;
}

const toasts = createStore<readonly Toast[]>([]);
let last = 0;

/** In ms: long enough to read a sentence twice. */
const shownFor = 8000;

/** More toasts would cover the view. */
const maxShown = 3;

export const announce = (text: string): void => {
  last++;
  toasts.set([...toasts.get(), { id: last, text }].slice(-maxShown));
};

const dismiss = (id: number): void => toasts.set(toasts.get().filter((toast) => toast.id !== id));

export const Announcer = (): JSX.Element => {
  const shown = useStore(toasts);
  return (
    <div class="announcer" role="status">
      {shown.map((toast) => (
        <Shown key={toast.id} toast={toast} />
      ))}
    </div>
  );
};

const Shown = ({ toast: { id, text } }: { readonly toast: Toast }): JSX.Element => {
  const { frame } = useTexts();
  useEffect(() => {
    const timer = setTimeout(() => dismiss(id), shownFor);
    return () => clearTimeout(timer);
  }, [id]);
  return (
    <p>
      <Icon of={CircleCheck} /> <span>{text}</span>
      <button type="button" aria-label={frame.dismiss} onClick={() => dismiss(id)}>
        <Icon of={X} />
      </button>
    </p>
  );
};
