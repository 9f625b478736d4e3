/** How the API's objects are printed: by their schemas, and by one short table of what reads better in other words. */
import { english, partsOf } from '../../../shared/audit/sentences.ts';
import { csvOf } from '../../../shared/foundation/csv.ts';
import { webhookName } from '../../../shared/webhooks/name.ts';
import { stateOf, type WebhookState } from '../../../shared/webhooks/state.ts';
import { print } from '../../command-line/print.ts';
import { type Kind, nameIn, resolved } from '../api/document.ts';
import type { AuditEntry, Delivery, Integration, Invite, Options, Trial, User, Webhook } from '../api/resources.ts';
import { type Columns, type Output, printItem, printList, say, tableOf } from '../output/print.ts';
import { timeText } from '../output/times.ts';

// Others import it from here: few files of the commands may import from `shared/` (`test/house/imports.test.ts`).
export { webhookName };

export const states: Readonly<Record<WebhookState, string>> = {
  available: 'the last attempt succeeded',
  failing: 'the last attempt did not succeed',
  disabled: 'it gets nothing: its deliveries are held',
  unused: 'no event has been sent to it yet',
};

/** Whether a webhook is in this state, as the column shows it. */
export const isIn = (webhook: Webhook, state: string): boolean => stateOf(webhook) === state;

/** Returns the command that sends what was held: since the creation, as deliveries are held as long as the log. */
export const replayOfHeld = ({ id, created_at }: { readonly id: string; readonly created_at: string }): string =>
  `npm run ops -- replay ${id} --status held --since ${created_at.slice(0, 10)}`;

type Item = Readonly<Record<string, unknown>>;
type Text = string | number | null;

/** A field in other words than its schema's. */
interface Cell<T> {
  readonly heading?: string;
  readonly text?: (item: T) => Text;
  /** What a word of a column means, which an object that is printed alone explains. */
  readonly meanings?: Readonly<Record<string, string>>;
}

interface Printed<T> {
  /** The columns of a list. Default: every field that has one value. */
  readonly columns?: readonly (keyof T & string)[];
  /** Returns what CSV has of an item. Default: the item. */
  rowOf?(item: T): object;
  /** Fields in other words, and those that another field tells. */
  readonly cells?: { readonly [Name in keyof T]?: Cell<T> | 'hidden' };
}

const outcome = (...parts: readonly (string | null | undefined)[]): string | null =>
  parts.filter(Boolean).join(' ') || null;
const actors = { masthead: 'Masthead', operator: 'The operator', staff: null, integration: null } as const;

/** Returns an entry of the audit log as the console shows it. */
export const sentenceOf = ({ actor, action, target }: AuditEntry): string => {
  const names = {
    who: actors[actor.type] ?? actor.name ?? `A deleted ${actor.type}`,
    what: target.name ?? target.id,
    of: target.integration?.name ?? 'a deleted integration',
  };
  return partsOf(english[action], (place) => names[place]).join('');
};

const of = <T>(printed: Printed<T>) => printed as unknown as Printed<Item>;

const webhook = of<Webhook>({
  columns: ['id', 'event', 'target_url', 'name', 'status', 'last_triggered_at', 'last_triggered_status'],
  cells: {
    status: { heading: 'state', text: stateOf, meanings: states },
    last_triggered_status: {
      heading: 'result',
      text: ({ last_triggered_status, last_triggered_error }) => outcome(last_triggered_status, last_triggered_error),
    },
    last_triggered_error: 'hidden',
  },
});

const printed: Readonly<Record<string, Printed<Item>>> = {
  Webhook: webhook,
  ListedWebhook: webhook,
  Options: of<Options>({
    cells: {
      headers: { text: ({ headers }) => Object.keys(headers).join(', ') },
      throttle: { text: ({ throttle }) => (throttle === null ? 'none' : `${throttle.requests} a ${throttle.per}`) },
      left_out: { heading: 'left out by the filter' },
    },
  }),
  Trial: of<Trial>({
    cells: { matched: { heading: 'passed', text: ({ matched, events }) => `${matched} of ${events.length} events` } },
  }),
  Integration: of<Integration>({
    columns: ['id', 'name', 'can_publish', 'can_receive_staff_events', 'contact_email', 'created_at'],
    cells: {
      can_publish: { heading: 'publishes' },
      can_receive_staff_events: { heading: 'staff events' },
      contact_email: { heading: 'contact' },
    },
  }),
  Delivery: of<Delivery>({
    columns: ['id', 'created_at', 'event', 'webhook_id', 'status', 'attempts', 'last_status'],
    cells: { last_status: { heading: 'result', text: (delivery) => resultOf(delivery) } },
  }),
  Invite: of<Invite>({
    columns: ['id', 'email', 'role_id', 'status', 'created_at', 'expires'],
    cells: { expires: { text: ({ expires }) => timeText(expires) } },
  }),
  User: of<User>({
    columns: ['id', 'name', 'email', 'roles', 'status', 'last_seen'],
    cells: {
      email: { text: ({ email, email_verified }) => (email_verified ? email : `${email} (not verified)`) },
      email_verified: 'hidden',
      roles: { heading: 'role', text: ({ roles }) => (roles ?? []).map(({ name }) => name).join(', ') },
    },
  }),
  AuditEntry: of<AuditEntry>({
    columns: ['at', 'action', 'changes'],
    rowOf: (entry) => ({ sentence: sentenceOf(entry), ...entry, changes: JSON.stringify(entry.changes) }),
    cells: {
      at: { heading: 'time' },
      action: { heading: 'what', text: sentenceOf },
      // All fields of what is new or gone say nothing.
      changes: {
        heading: 'changed',
        text: ({ action, changes }) =>
          /\.(created|added|deleted|removed)$/.test(action) ? null : Object.keys(changes).sort().join(', '),
      },
    },
  }),
};

/** Returns the result of the last attempt of a delivery, and what it waits for. */
export const resultOf = ({ last_status, last_error, waiting_for }: Delivery): string =>
  outcome(last_status, last_error === 'status' ? null : last_error, waiting_for && `waits: ${waiting_for.reason}`) ??
  '';

const technical = ['type', 'slug', 'icon_image', 'updated_at'];
const headings: Readonly<Record<string, string>> = { email: 'address', api_version: 'API version' };

/** Fields that only the answer to the request has that made them. */
const onceOnly = /^(secret|link)$/;

const headingOf = (name: string, cell: Cell<Item>): string => {
  if (onceOnly.test(name)) return `${name}, not returned again`;
  return cell.heading ?? headings[name] ?? name.replace(/_(at|id|url)$/, '').replaceAll('_', ' ');
};

const textOf = (value: unknown, format: string | undefined): Text => {
  if (value === null || value === undefined) return null;
  if (format === 'date-time') return timeText(String(value));
  if (typeof value === 'boolean') return value ? 'yes' : 'no';
  if (Array.isArray(value) && value.every((one) => typeof one === 'string')) return value.join(', ');
  return typeof value === 'string' || typeof value === 'number' ? value : JSON.stringify(value);
};

export type Names = Readonly<Record<string, (id: string) => string>>;

const cellOf = (resource: string, name: string): Cell<Item> | 'hidden' => {
  const { cells = {} } = printed[resource] ?? {};
  return cells[name] ?? {};
};

/** Returns the kind of the objects in a field that has a list of them. */
const nestedIn = ({ resource, item }: Kind, name: string): Kind | undefined => {
  const { type, items } = item.properties?.[name] ?? {};
  const cell = cellOf(resource, name);
  if (type !== 'array' || items === undefined || cell === 'hidden' || cell.text !== undefined) return undefined;
  const inner = resolved(items);
  return inner.properties === undefined ? undefined : { resource: nameIn(items), item: inner };
};

const valuesIn = (kind: Kind): string[] =>
  Object.keys(kind.item.properties ?? {}).filter(
    (name) => !technical.includes(name) && nestedIn(kind, name) === undefined,
  );

/** Returns the names of the fields that a list shows. */
export const listed = (kind: Kind): readonly string[] => printed[kind.resource]?.columns ?? valuesIn(kind);

const columnsOf = (kind: Kind, fields: readonly string[], names: Names, isAlone: boolean): Columns<Item> =>
  Object.fromEntries(
    fields.flatMap((name) => {
      const cell = cellOf(kind.resource, name);
      if (cell === 'hidden') return [];
      const { format } = kind.item.properties?.[name] ?? {};
      const { text = (item: Item) => textOf(item[name], format), meanings = {} } = cell;
      const shown = (item: Item): Text => {
        const value = text(item);
        if (typeof value !== 'string') return value;
        return isAlone && meanings[value] !== undefined
          ? `${value} (${meanings[value]})`
          : (names[name]?.(value) ?? value);
      };
      return [[headingOf(name, cell), shown]];
    }),
  );

const isSet = (items: readonly Item[]) => (name: string) =>
  !onceOnly.test(name) || items.some((item) => item[name] != null);

/** Prints a list as a table, or `empty`; with `json` a line of JSON for each item, and with `csv` a line of CSV. */
export const printAll = (options: Output, kind: Kind, items: readonly Item[], names: Names, empty: string): void => {
  const { rowOf = (item: Item): object => item } = printed[kind.resource] ?? {};
  const secrets = valuesIn(kind).filter((name) => onceOnly.test(name));
  const fields = [...new Set([...listed(kind), ...secrets])].filter(isSet(items));
  if (options.csv) print(csvOf(items.map(rowOf)).trimEnd());
  else printList(options, items, columnsOf(kind, fields, names, false), empty);
};

/** Prints an object with a line for each field, and a table for each list of objects; with `json` the object. */
export const printOne = (options: Output, kind: Kind, item: Item, names: Names): void => {
  printItem(options, item, columnsOf(kind, valuesIn(kind).filter(isSet([item])), names, true));
  for (const [name, value] of Object.entries(item)) {
    const nested = nestedIn(kind, name);
    if (nested !== undefined && Array.isArray(value) && value.length > 0) {
      const fields = listed(nested).filter(isSet(value));
      say(options, `\n${tableOf(value, columnsOf(nested, fields, names, false))}`);
    }
  }
};
