/** A button that copies a text and confirms it. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { useTexts } from '../texts/dictionary.ts';
import { announce } from './announcer.tsx';
import { Icon } from './icon.tsx';
import { Check, Copy as CopyIcon } from './icons.ts';

interface CopyProps {
  readonly text: string;
  readonly label: string;
  readonly onCopied?: () => void;
}

export const Copy = ({ text, label, onCopied }: CopyProps): JSX.Element => {
  const { states } = useTexts();
  const [isCopied, setIsCopied] = useState(false);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => {
        setIsCopied(true);
        announce(states.copied);
        onCopied?.();
      },
      () => announce(states.notCopied),
    );
  };
  return (
    <wa-button size="s" appearance="outlined" onClick={copy}>
      <Icon of={isCopied ? Check : CopyIcon} slot="start" />
      {label}
    </wa-button>
  );
};
