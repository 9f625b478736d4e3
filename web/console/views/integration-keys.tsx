/** Lists and rolls the API keys of an integration; a new key is shown once. */
import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import { change } from '../api/client.ts';
import type { Integration } from '../api/resources.ts';
import type { ApiKey } from '../api/staff.ts';
import { lastUse } from '../distance.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Confirm } from '../ui/dialog.tsx';
import { Icon } from '../ui/icon.tsx';
import { KeyRound } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { Time } from '../ui/time.tsx';

export interface NewKey {
  readonly integration: string;
  /** Complete, as programs use it: `{id}:{secret}`. */
  readonly key: string;
}

interface KeysProps {
  readonly integration: Integration;
  readonly onKey: (key: NewKey) => void;
}

export const Keys = ({ integration, onKey }: KeysProps): JSX.Element => {
  const { integrations } = useTexts();
  return (
    <section class="panel" aria-labelledby="keys">
      <h2 id="keys">{integrations.keys}</h2>
      <p class="quiet">{integrations.keysHelp}</p>
      <ul class="cards">
        {integration.api_keys?.map((key) => (
          <KeyCard
            key={key.id}
            integration={integration.id}
            apiKey={key}
            isCurrent={integration.api_keys?.every(({ created_at }) => created_at <= key.created_at) ?? false}
            onKey={onKey}
          />
        ))}
      </ul>
    </section>
  );
};

interface KeyCardProps {
  readonly integration: string;
  readonly apiKey: ApiKey;
  /** Whether no other key has replaced it. */
  readonly isCurrent: boolean;
  readonly onKey: (key: NewKey) => void;
}

const KeyCard = ({
  integration,
  apiKey: { id, created_at, last_seen_at, scopes, valid_until },
  isCurrent,
  onKey,
}: KeyCardProps): JSX.Element => {
  const { integrations } = useTexts();
  const [isAsking, setIsAsking] = useState(false);
  const [hours, setHours] = useState('24');
  const roll = async (): Promise<void> => {
    const path = `/admin/integrations/${integration}/api_key/${id}/refresh/`;
    const { integrations: rolled } = await change<{ integrations: [Integration] }>('POST', path, {
      api_keys: [{ previous_valid_hours: Number(hours) }],
    });
    const created = rolled[0].api_keys?.find(({ secret }) => secret !== null);
    if (created?.secret !== undefined && created.secret !== null) onKey({ integration, key: created.secret });
  };
  return (
    <li class="card">
      <div class="title">
        <code>{id}</code>
        {isCurrent && (
          <wa-button class="at-end" size="s" appearance="outlined" onClick={() => setIsAsking(true)}>
            <Icon of={KeyRound} slot="start" />
            {integrations.roll}
            <span class="unseen">: {id}</span>
          </wa-button>
        )}
      </div>
      <p class="quiet">
        {integrations.created}: <Time at={created_at} /> · {integrations.lastUsed}:{' '}
        <Time at={lastUse(created_at, last_seen_at)} />
        {valid_until !== null && (
          <>
            {' · '}
            {isCurrent ? integrations.ends : integrations.validUntil} <Time at={valid_until} />
          </>
        )}
        {scopes !== null && ` · ${integrations.limitedTo(scopes.join(', '))}`}
      </p>
      {isAsking && (
        <Confirm label={integrations.roll} action={integrations.roll} act={roll} onClose={() => setIsAsking(false)}>
          <p>{integrations.rollHelp}</p>
          <label class="field">
            <span>{integrations.overlap}</span>
            <select value={hours} onChange={(event) => setHours(inputValue(event))}>
              {Object.entries(integrations.overlaps).map(([value, text]) => (
                <option key={value} value={value}>
                  {text}
                </option>
              ))}
            </select>
          </label>
        </Confirm>
      )}
    </li>
  );
};
