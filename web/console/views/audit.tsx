/** The audit log: who did what to whom, newest first. The filter by action is in the address. */
import type { JSX } from 'preact';
import { type AuditEntry, auditActions, readAudit } from '../api/audit.ts';
import { replaceWith } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Users } from '../ui/icons.ts';
import { inputValue } from '../ui/input-value.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { usePages } from '../use-pages.ts';

interface AuditProps {
  /** From the address, so it may be any text. */
  readonly action: string | undefined;
}

export const Audit = ({ action }: AuditProps): JSX.Element => {
  const { audit } = useTexts();
  const wanted = auditActions.find((one) => one === action);
  const query = usePages(`audit ${wanted ?? ''}`, (cursor, signal) => readAudit(wanted, cursor, signal));
  return (
    <>
      <p class="quiet">{audit.help}</p>
      <label class="field">
        <span>{audit.action}</span>
        <select
          value={wanted ?? ''}
          onChange={(event) => replaceWith(['staff', 'audit'], { action: inputValue(event) })}
        >
          <option value="">{audit.anyAction}</option>
          {auditActions.map((one) => (
            <option key={one} value={one}>
              {audit.actions[one]}
            </option>
          ))}
        </select>
      </label>
      <Loaded query={query}>
        {({ items, hasMore }) => (
          <>
            {items.length === 0 && !hasMore && (
              <Empty icon={Users} title={audit.none}>
                {audit.noneHelp}
              </Empty>
            )}
            {items.length > 0 && (
              <ul class="panel cards flat">
                {items.map((entry) => (
                  <Entry key={entry.id} entry={entry} />
                ))}
              </ul>
            )}
            {hasMore && <LoadMore onLoad={query.loadMore} />}
          </>
        )}
      </Loaded>
    </>
  );
};

const Entry = ({ entry: { at, actor, action, target, changes } }: { readonly entry: AuditEntry }): JSX.Element => {
  const { audit } = useTexts();
  const who =
    actor.type === 'masthead' ? 'Masthead' : actor.type === 'operator' ? audit.operator : (actor.name ?? audit.deleted);
  const shown = (value: string | number | boolean | null): string => (value === null ? audit.nothing : String(value));
  return (
    <li class="card">
      <div class="title">
        <strong>{who}</strong>
        <span class="tag">{audit.actions[action]}</span>
        <span>{target.name ?? target.id}</span>
      </div>
      <p class="quiet">
        <Time at={at} />
      </p>
      {Object.entries(changes).map(([field, { from, to }]) => (
        <p key={field}>{audit.changed(field, shown(from), shown(to))}</p>
      ))}
    </li>
  );
};
