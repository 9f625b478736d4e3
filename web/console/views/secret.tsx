/** Shows a new secret once. It exists only in the page's memory, until it is dismissed or another webhook is shown. */
import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { createStore, useStore } from '../store.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Copy } from '../ui/copy.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound } from '../ui/icons.ts';
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
  return (
    <section class="panel secret" aria-labelledby="secret">
      <h2 id="secret">
        <Icon of={KeyRound} /> {webhooks.secretTitle}
      </h2>
      <p>{webhooks.secretHelp}</p>
      <code class="shown-once">{current.secret}</code>
      {current.previousUntil !== null && (
        <p>
          {webhooks.previousUntil} <Time at={current.previousUntil} />
        </p>
      )}
      <div class="actions">
        <Copy text={current.secret} label={webhooks.copySecret} />
        <wa-button size="s" appearance="plain" onClick={() => shown.set(undefined)}>
          {webhooks.gotIt}
        </wa-button>
      </div>
    </section>
  );
};
