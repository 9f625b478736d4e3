/** The audit log in sentences: who did what to whom, newest first. Its filters are in the address. */
import type { JSX } from 'preact';
import { type Place, partsOf, withoutNames } from '../../../shared/audit/sentences.ts';
import { type AuditEntry, auditActions, readAudit } from '../api/audit.ts';
import { useDirectory } from '../api/directory.ts';
import { readMembers } from '../api/staff.ts';
import { linkTo, replaceWith, type ViewProps } from '../router.ts';
import { useTexts } from '../texts/dictionary.ts';
import { Choice } from '../ui/choice.tsx';
import { DownloadCsv } from '../ui/download-csv.tsx';
import { Users } from '../ui/icons.ts';
import { LoadMore } from '../ui/load-more.tsx';
import { Moment } from '../ui/moment.tsx';
import { Empty, Loaded } from '../ui/states.tsx';
import { Time } from '../ui/time.tsx';
import { type ReadPage, readPages, usePages } from '../use-pages.ts';
import { useQuery } from '../use-query.ts';
import { readTime } from '../written-time.ts';

/** Of the staff: up to 2,000 can be chosen. */
const maxPages = 20;

export const Audit = ({ place: { query: given } }: ViewProps): JSX.Element => {
  const { audit, deliveries } = useTexts();
  const action = auditActions.find((one) => one === given.action);
  const filter = { action, actor: given.actor, since: readTime(given.since ?? ''), until: readTime(given.until ?? '') };
  const read: ReadPage<AuditEntry> = (cursor, signal) => readAudit({ ...filter, cursor }, signal);
  const query = usePages(`audit ${JSON.stringify(filter)}`, read);
  const { data: members } = useQuery('members', (signal) => readPages(readMembers, maxPages, signal));
  const { data: directory } = useDirectory();
  const people = [...(members?.items ?? []), ...(directory?.integrations ?? [])];
  const set = (name: string, value: string): void => replaceWith(['staff', 'audit'], { ...given, [name]: value });

  /** The page of something that still exists. */
  const linkOf = (type: string, id: string | null, name: string | null): string | undefined => {
    if (type === 'webhook') return directory?.webhooks.has(id ?? '') ? linkTo(['webhooks', id ?? '']) : undefined;
    if (!people.some((one) => one.id === id)) return undefined;
    return type === 'staff' ? linkTo(['staff', 'members'], { q: name ?? '' }) : linkTo(['integrations', id ?? '']);
  };
  const partIn = ({ actor, target }: AuditEntry, place: Place) => {
    const of = { type: 'integration', id: null, name: null, ...target.integration };
    const { type, id, name } = { who: actor, what: target, of }[place];
    const text = type === 'masthead' || type === 'operator' ? audit[type] : (name ?? audit.deleted);
    return { text, link: linkOf(type, id, name) };
  };
  const named = (entry: AuditEntry, place: Place): JSX.Element => {
    const { text, link } = partIn(entry, place);
    return link === undefined ? <strong>{text}</strong> : <a href={link}>{text}</a>;
  };
  const rowOf = (entry: AuditEntry): object => ({
    sentence: partsOf(audit.sentences[entry.action], (place) => partIn(entry, place).text).join(''),
    ...entry,
    changes: JSON.stringify(entry.changes),
  });
  return (
    <>
      <p class="quiet">{audit.help}</p>
      <search class="filters" aria-label={deliveries.filters}>
        <Choice
          label={audit.person}
          any={audit.anyPerson}
          value={given.actor}
          options={people.map(({ id, name }) => [id, name])}
          onChoose={(value) => set('actor', value)}
        />
        <Choice
          label={audit.action}
          any={audit.anyAction}
          value={action}
          options={auditActions.map((one) => [one, withoutNames(audit.sentences[one])])}
          onChoose={(value) => set('action', value)}
        />
        <Moment label={deliveries.since} value={given.since ?? ''} onChoose={(value) => set('since', value)} />
        <Moment label={deliveries.until} value={given.until ?? ''} onChoose={(value) => set('until', value)} />
        <DownloadCsv name="audit" read={read} rowOf={rowOf} />
      </search>
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
                  <li key={entry.id} class="card">
                    <p>{partsOf(audit.sentences[entry.action], (place) => named(entry, place))}</p>
                    <p class="quiet">
                      <Time at={entry.at} />
                    </p>
                    <Details changes={entry.changes} />
                  </li>
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

const Details = ({ changes }: Pick<AuditEntry, 'changes'>): JSX.Element | null => {
  const { audit } = useTexts();
  const fields = Object.entries(changes);
  if (fields.length === 0) return null;
  const shown = (value: string | number | boolean | null): string => (value === null ? audit.nothing : String(value));
  return (
    <details>
      <summary>{audit.details}</summary>
      {fields.map(([field, { from, to }]) => (
        <p key={field}>{audit.changed(field, shown(from), shown(to))}</p>
      ))}
    </details>
  );
};
