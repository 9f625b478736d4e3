/** What clients may send about a webhook (wire contract, "Field rules"). */
import * as v from 'valibot';
import { knownEvents, nearMatches } from '../events/catalogue.ts';
import { currentApiVersion } from '../foundation/api-version.ts';
import { emptyAsNull, maxChars, rule, text } from '../foundation/fields.ts';
import type { IntegrationId } from '../foundation/ids.ts';
import { idPattern } from '../foundation/ids.ts';
import type { Settings } from '../foundation/settings.ts';
import { checkTargetUrl } from './target-url.ts';

type Rules = Pick<Settings, 'ownEvents' | 'targets'>;

const event = ({ ownEvents }: Rules) => {
  const known = knownEvents(ownEvents);
  return v.pipe(
    text,
    maxChars(50),
    rule((name) => {
      if (known.includes(name)) return undefined;
      const near = nearMatches(name, known);
      return {
        rule: 'known_event',
        message: `\`event\` ${JSON.stringify(name)} does not exist; ${
          near.length > 0 ? `did you mean ${near.join(', ')}?` : `take one of: ${known.join(', ')}.`
        }`,
      };
    }),
  );
};

const targetUrl = ({ targets }: Rules) =>
  v.pipe(
    text,
    maxChars(2000),
    rule((url) => {
      const check = checkTargetUrl(url, targets);
      return check.ok ? undefined : check;
    }),
  );

const name = v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull);

const apiVersion = v.pipe(
  text,
  maxChars(50),
  v.regex(/^(?:v\d+(?:\.\d+)?|canary)$/, 'must be of the form v6, v6.0 or canary.'),
);

/** For a POST with an integration's key the integration is the key's own, whatever is sent. */
export const newWebhookOf = (rules: Rules, integrationId: IntegrationId) =>
  v.pipe(
    v.object(newWebhookFields(rules), 'must be an object.'),
    v.transform((fields) => ({ ...fields, integration_id: integrationId })),
  );

/** For a POST with a staff member's key, who has to say whose webhook it is. */
export const newWebhook = (rules: Rules) =>
  v.object(
    {
      ...newWebhookFields(rules),
      integration_id: v.pipe(
        text,
        v.regex(idPattern, 'must be the id of an integration: 24 lower-case hex characters.'),
        v.transform((id) => id as IntegrationId),
      ),
    },
    'must be an object.',
  );

const newWebhookFields = (rules: Rules) => ({
  event: event(rules),
  target_url: targetUrl(rules),
  name: v.optional(name, null),
  secret: v.optional(v.pipe(v.nullable(v.pipe(text, maxChars(191))), emptyAsNull), null),
  api_version: v.optional(apiVersion, currentApiVersion),
});

/** For a PUT: any of the writable fields. */
export const webhookChanges = (rules: Rules) =>
  v.object(
    {
      event: v.optional(event(rules)),
      target_url: v.optional(targetUrl(rules)),
      name: v.optional(name),
      api_version: v.optional(apiVersion),
    },
    'must be an object.',
  );

export type NewWebhook = v.InferOutput<ReturnType<typeof newWebhook>>;
export type WebhookChanges = v.InferOutput<ReturnType<typeof webhookChanges>>;
