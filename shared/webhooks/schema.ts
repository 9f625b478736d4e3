/** The fields of a webhook that clients can send (docs/compatibility.md, "Webhooks"). */
import * as v from 'valibot';
import { eventSelection } from '../events/catalogue.ts';
import { currentApiVersion } from '../foundation/api-version.ts';
import { changesOf, creationOf, objectOf, requestItem, rule, text } from '../foundation/fields.ts';
import { type IntegrationId, idPattern } from '../foundation/ids.ts';
import { named, settableEntries } from '../foundation/resource.ts';
import type { Settings } from '../foundation/settings.ts';
import { optionsChanges } from './options.ts';
import { checkTargetUrl } from './target-url.ts';
import { webhookResource } from './webhook.ts';

type Rules = Pick<Settings, 'ownEvents' | 'targets'>;

/** Standard Webhooks: a prefix, and a key of this many bytes in base64. */
const standardPrefix = 'whsec_';
const minKeyBytes = 24;
const maxKeyBytes = 64;

/** Returns whether a text is such a key. Node decodes anything, even `!!!`, which would sign with an empty key. */
const isStandardKey = (base64: string): boolean => {
  const key = Buffer.from(base64, 'base64');
  return key.toString('base64') === base64 && key.length >= minKeyBytes && key.length <= maxKeyBytes;
};

const secretRule = v.pipe(
  webhookResource.entries.secret,
  rule((value) =>
    value === null || !value.startsWith(standardPrefix) || isStandardKey(value.slice(standardPrefix.length))
      ? undefined
      : {
          rule: 'whsec',
          limit: `${minKeyBytes} to ${maxKeyBytes} bytes`,
          message:
            `starts with \`${standardPrefix}\`: base64 of ${minKeyBytes} to ${maxKeyBytes} bytes must follow. ` +
            'Or use a secret without this prefix.',
        },
  ),
);

/** The fields that clients can set, in the resource's order; these three have rules of the stage or of Node. */
export const webhookFields = ({ ownEvents, targets }: Rules) => {
  const fields = settableEntries(webhookResource);
  return {
    ...fields,
    event: eventSelection(ownEvents),
    target_url: v.pipe(
      fields.target_url,
      rule((url) => {
        const check = checkTargetUrl(url, targets);
        return check.ok ? undefined : check;
      }),
    ),
    secret: secretRule,
  };
};

const newFields = (rules: Rules) => {
  const fields = creationOf(webhookFields(rules));
  return {
    ...fields,
    api_version: v.optional(fields.api_version, currentApiVersion),
    options: v.exactOptional(optionsChanges),
  };
};

/** Returns the schema of a POST with an integration's key: whatever it names, the webhook is that integration's. */
export const newWebhookOf = (rules: Rules, integrationId: IntegrationId) =>
  v.pipe(
    objectOf(newFields(rules)),
    v.transform((fields) => ({ ...fields, integration_id: integrationId })),
  );

/** Returns the schema of a POST with the key of a staff member, who names the integration. */
export const newWebhook = (rules: Rules) =>
  requestItem('NewWebhook', {
    ...newFields(rules),
    integration_id: v.pipe(
      text,
      v.regex(idPattern, 'must be the id of an integration: 24 lower-case hex characters.'),
      v.transform((id) => id as IntegrationId),
    ),
  });

/** Returns the schema of a PUT: any of the fields and options; of the secret, the stored one only (`manage.ts`). */
export const webhookChanges = (rules: Rules) =>
  named(
    'WebhookChanges',
    changesOf(objectOf({ ...webhookFields(rules), secret: v.nullable(text), options: optionsChanges })),
  );

export type NewWebhook = v.InferOutput<ReturnType<typeof newWebhook>>;
export type WebhookChanges = v.InferOutput<ReturnType<typeof webhookChanges>>;
