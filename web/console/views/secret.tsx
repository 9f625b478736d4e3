/** Shows a new secret of a webhook once, until it is dismissed or another webhook is shown. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import { ShownOnce } from '../ui/shown-once.tsx';
import { Time } from '../ui/time.tsx';

interface NewSecret {
  readonly webhook: string;
  readonly secret: string;
  /** How long the previous secret is valid; null if there was none. */
  readonly previousUntil: string | null;
}

const shown = createStore<NewSecret | undefined>(undefined);

export const showOnce = (secret: NewSecret): void => shown.set(secret);

export const SecretOnce = ({ webhook }: { readonly webhook: string }): JSX.Element | null => {
  const { webhooks } = useTexts();
  const current = useStore(shown);
  useEffect(() => () => shown.set(undefined), []);
  if (current?.webhook !== webhook) return null;
  const { secret, previousUntil } = current;
  return (
    <ShownOnce
      title={webhooks.secretTitle}
      secret={secret}
      copy={webhooks.copySecret}
      onDismiss={() => shown.set(undefined)}
    >
      {previousUntil !== null && (
        <p>
          {webhooks.previousUntil} <Time at={previousUntil} />
        </p>
      )}
    </ShownOnce>
  );
};
