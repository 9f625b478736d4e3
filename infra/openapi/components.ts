/**
 * The document's named schemas: those that endpoints declare, and those inside them. Fields of `New<Resource>` and
 * `<Resource>Changes` are described like the resource's, unless `additions` differs.
 */
import * as v from 'valibot';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';
import { field, resource, timeSchema } from '../../shared/foundation/resource.ts';
import type { StageRules } from '../../shared/http/endpoint.ts';
import { type Operation, operations } from './operations.ts';
import { payloadResources } from './payloads.ts';

/** The document is the same for all stages, without their own events and allowed ranges. */
const rules: StageRules = { ownEvents: [], targets: { allowHttp: false, allowRanges: [] } };

/** Returns the schema of the items that an operation takes, if it takes any. */
export const itemOf = ({ items }: Operation): v.GenericSchema | undefined =>
  typeof items?.item === 'function' ? items.item(rules, undefined) : items?.item;

const pagination = resource('Pagination', {
  limit: field(v.number(), 'The maximum number of items on a page.'),
  next: field(v.nullable(v.string()), 'The `cursor` of the next page; null on the last page.'),
  searched_to: v.exactOptional(
    field(
      timeSchema,
      'Present if few items match, and the search ended before the page was full: ' +
        'everything since this time was searched. Continue with `next`.',
    ),
  ),
});

const numberedPagination = resource('NumberedPagination', {
  page: field(v.number(), 'The number of the page.'),
  limit: field(v.number(), 'The maximum number of items on a page.'),
  pages: field(v.number(), 'How many pages there are.'),
  total: field(v.number(), 'How many items all pages have.'),
  next: field(v.nullable(v.number()), 'The `page` after this one; null on the last page.'),
  prev: field(v.nullable(v.number()), 'The `page` before this one; null on the first page.'),
});

const failure = v.strictObject({
  index: field(v.nullable(v.number()), 'The position of the item in the request; null for the request itself.'),
  field: field(v.string(), 'The field, or the part of the request.'),
  rule: field(v.string(), 'The violated rule, such as `required` or `max_length`.'),
  limit: field(v.unknown(), 'What the rule requires; null if it has no short form.'),
  received: field(v.string(), 'The type and size of the received value, never the value itself.'),
});

const error = v.strictObject({
  message: field(v.string(), 'What is wrong, for people. The wording may change.'),
  context: field(v.nullable(v.string()), 'Details for people.'),
  type: field(v.string(), 'The type that programs switch on, together with the status.'),
  details: field(v.nullable(v.array(failure)), 'All failures of the request, if it has any that belong to a field.'),
  property: field(v.nullable(v.string()), 'The first field that is wrong.'),
  help: field(v.nullable(v.string()), 'How to correct the request.'),
  code: field(v.nullable(v.string()), 'A further distinction for programs.'),
  id: field(v.string(), 'The id of this error, which is also in the log.'),
  ghostErrorCode: field(v.null(), 'Always null; present for clients of Ghost.'),
});

/** The error envelope (docs/compatibility.md, "Errors"). */
const errorEnvelope = resource('Errors', {
  errors: field(v.pipe(v.array(error), v.length(1)), 'Always one entry.'),
});

/** Returns the name of a schema in the document; undefined for one that stands where it is used. */
export const nameOf = (schema: v.GenericSchema): string | undefined => (schema as { component?: string }).component;

/** Returns the schemas with names in these schemas, the outer ones first. */
const namedIn = (schemas: readonly v.GenericSchema[]): v.GenericSchema[] =>
  schemas.flatMap((schema) => {
    const {
      entries = {},
      item,
      wrapped,
      options = [],
    } = schema as {
      readonly entries?: v.ObjectEntries;
      readonly item?: v.GenericSchema;
      readonly wrapped?: v.GenericSchema;
      readonly options?: readonly v.GenericSchema[];
    };
    const inner = [...Object.values(entries), item, wrapped, ...options].filter((one) => typeof one === 'object');
    return [...(nameOf(schema) === undefined ? [] : [schema]), ...namedIn(inner)];
  });

const declared = [...operations.values()].flatMap((operation) => [
  ...('item' in operation.answer ? [operation.answer.item] : []),
  ...[itemOf(operation)].filter((item) => item !== undefined),
]);

export const components: Readonly<Record<string, v.GenericSchema>> = {
  ...Object.fromEntries(namedIn(declared).map((schema) => [nameOf(schema), schema])),
  ...Object.fromEntries(payloadResources.map(({ name, schema }) => [name, schema])),
  Pagination: pagination,
  NumberedPagination: numberedPagination,
  Errors: errorEnvelope,
};

/** Without the own events of a stage, because the document is the same for all stages. */
const subscribable = { enum: [...ghostEvents, ...mastheadEvents] };
/** A webhook can have several of them, patterns, and the own events of its stage. */
const selection = { pattern: '^[a-z*][a-z0-9.,*-]*$', examples: ['post.published', 'post.*,tag.added'] };

const atom = "[a-zA-Z0-9!#$%&'*+/=?^_`{|}~-]+";
const label = '[a-zA-Z0-9](?:[a-zA-Z0-9-]{0,61}[a-zA-Z0-9])?';
/** An address as `emailAddress` accepts it, or empty; integrations have it in a pipe that cannot be documented. */
const addressOrEmpty = {
  pattern: `^$|^(?=[^@]{1,64}@)${atom}(?:\\.${atom})*@(?:${label}\\.)+(?!\\d+$)${label}$`,
};

type Keywords = Readonly<Record<string, unknown>>;

/** Keywords of JSON Schema that the schemas of requests do not have, by component and field. */
export const additions: Readonly<Record<string, Readonly<Record<string, Keywords>>>> = {
  NewInvite: {
    send_email: { description: 'With `false` no mail is sent, and the response has the `link`. Default: true.' },
  },
  NewWebhook: { event: selection, options: { description: 'As in a PUT of the options, and stored together.' } },
  WebhookChanges: { event: selection, options: { description: 'As in a PUT of the options, and stored together.' } },
  OptionsChanges: {
    headers: {
      description:
        'The headers, at most 10; those of the transport, of signatures and `masthead-*` are refused. ' +
        'Null as a value keeps the stored one.',
      examples: [{ Authorization: 'Bearer 5e8c1f' }],
    },
    format: { description: 'A form with its settings. A secret that is null keeps its value, if the `type` stays.' },
  },
  NewPreview: {
    event: { ...subscribable, description: 'The name of the event.' },
    example: { description: 'True: the preview is of an example of the event. Can be omitted.' },
    event_id: { description: 'The id of an earlier event of this name, which is shown in place of the example.' },
    webhook_id: { description: 'A webhook that has had the event. Default: any that the caller can see.' },
    options: { description: 'The options to try; stored ones are not read.' },
  },
  NewPing: {
    event: {
      ...subscribable,
      description: 'The event of the example. Default: the first event of the webhook.',
      examples: ['post.published'],
    },
    example: { description: 'Whether to send an example of the event in place of `webhook.ping`.' },
    event_id: { description: 'The id of an event that the webhook has had.' },
  },
  NewIntegration: { contact_email: addressOrEmpty },
  IntegrationChanges: { contact_email: addressOrEmpty },
  NewTrial: { filter: { description: 'The filter to try, as in the options of a webhook.' } },
  NewAcceptance: { password: { minLength: 10, writeOnly: true } },
  NewEvent: {
    event: { enum: ghostEvents },
    payload: {
      description:
        'The payload of deliveries: `{"<resource>": {"current": {…}, "previous": ' +
        '{…}}}`, where the resource is the first part of the event name; `{}` for `site.changed`.',
    },
  },
  KeyReplacement: {
    previous_valid_hours: {
      description: 'For how many hours the old key is still valid: 0, the default, to 168.',
      examples: [24],
    },
    scopes: {
      description: 'What the new key is limited to. Omitted: as the old one. Null: all that the integration may do.',
    },
    valid_until: {
      description: 'When the new key ends, in the future. Omitted: as the old one. Null: it does not end.',
      examples: ['2027-11-21T09:00:00Z', '2027-11-21'],
    },
  },
  NewReplay: {
    since: { examples: ['2026-11-20T09:00:00Z', '2026-11-20'] },
    until: { examples: ['2026-11-21T09:00:00Z', '2026-11-21'] },
  },
};

/** Fields that only a staff member must send, which a schema cannot express. */
export const optional: Readonly<Record<string, readonly string[]>> = { NewWebhook: ['integration_id'] };
