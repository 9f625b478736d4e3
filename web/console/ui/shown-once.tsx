/** Shows a secret that the API returns once: only the view's memory has it, and it asks before it is lost uncopied. */
import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useId, useRef, useState } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { useUnsaved } from '../use-unsaved.ts';
import { Copy } from './copy.tsx';
import { Icon } from './icon.tsx';
import { KeyRound } from './icons.ts';

interface ShownOnceProps {
  readonly title: string;
  readonly secret: string;
  readonly copy: string;
  readonly onDismiss: () => void;
  readonly children?: ComponentChildren;
}

/** Takes the focus, so that assistive technology reads the secret and the keyboard reaches its buttons. */
export const ShownOnce = ({ title, secret, copy, onDismiss, children }: ShownOnceProps): JSX.Element => {
  const { staff } = useTexts();
  const id = useId();
  const section = useRef<HTMLElement>(null);
  const [copied, setCopied] = useState<string>();
  useUnsaved(copied === secret ? undefined : staff.uncopied);
  useEffect(() => section.current?.focus(), [secret]);
  return (
    <section ref={section} class="panel secret" aria-labelledby={id} tabIndex={-1}>
      <h2 id={id}>
        <Icon of={KeyRound} /> {title}
      </h2>
      <p>{staff.shownOnce}</p>
      <code class="shown-once">{secret}</code>
      {children}
      <div class="actions">
        <Copy text={secret} label={copy} onCopied={() => setCopied(secret)} />
        <wa-button size="s" appearance="plain" onClick={onDismiss}>
          {staff.dismiss}
        </wa-button>
      </div>
    </section>
  );
};
