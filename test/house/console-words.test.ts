/** New events and settable fields are in the console, too. (Without those of a webhook, it does not compile.) */
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect, it } from 'vitest';
import { userResource } from '../../shared/accounts/resource.ts';
import { mastheadEvents } from '../../shared/foundation/event-names.ts';
import { settableEntries } from '../../shared/foundation/resource.ts';
import { integrationResource } from '../../shared/integrations/integration.ts';
import { inviteResource } from '../../shared/invites/resource.ts';

const folder = join(import.meta.dirname, '../../web/console/views');
const views = readdirSync(folder).map((file) => readFileSync(join(folder, file), 'utf8'));

const resources = { integrations: integrationResource, invites: inviteResource, 'staff members': userResource };
const fields = Object.entries(resources).flatMap(([resource, schema]) =>
  Object.keys(settableEntries(schema)).map((field) => [field, resource] as const),
);

it.each(fields)('the field %s of %s is in a view', (field) => {
  expect(views.some((text) => new RegExp(`\\b${field}\\b`).test(text))).toBe(true);
});

// Not imported, because the types of a page are not those of Node.
const texts = readFileSync(join(folder, '../texts/events.ts'), 'utf8');

it.each(mastheadEvents)('the event %s is described in both languages', (event) => {
  expect(texts.split(`'${event}': '`)).toHaveLength(3);
});
