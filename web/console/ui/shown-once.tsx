/** Shows a secret that the API never returns again. It exists only in the view's memory, until it is dismissed. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { Copy } from './copy.tsx';
import { Icon } from './icon.tsx';
import { KeyRound } from './icons.ts';

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly copy: string;
  readonly onDismiss: () => void;
  /** What it is for. */
  readonly children?: ComponentChildren;
}

/** Takes the focus, so that assistive technology reads the secret and the keyboard reaches its buttons. */
export const ShownOnce = ({ title, secret, copy, onDismiss, children }: ShownOnceProps): JSX.Element => {
  const { staff } = useTexts();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  useEffect(() => section.current?.focus(), [secret]);
  return (
    <section ref={section} class="panel secret" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>
        <Icon of={KeyRound} /> {title}
      </h2>
      <p>{staff.shownOnce}</p>
      {children}
      <code class="shown-once">{secret}</code>
      <div class="actions">
        <Copy text={secret} label={copy} />
        <wa-button size="s" appearance="plain" onClick={onDismiss}>
          {staff.dismiss}
        </wa-button>
      </div>
    </section>
  );
};
