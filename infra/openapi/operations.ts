/**
 * The OpenAPI texts of every endpoint, by the name of its function.
 *
 * A new endpoint takes three steps:
 * 1. The resource has a schema next to its model (`shared/webhooks/webhook.ts` is an example), with a description of every
 *    field. The request has a schema already: the one that the function parses with.
 * 2. Both schemas get a name in `components.ts`.
 * 3. `operations/<resource>.ts` gets an entry with a summary, the body, the response, the errors that do not follow from the
 *    line in the contract (`errors.ts`), and at least one example. A test sends all examples in the order of this file,
 *    deletions last and in reverse; ids, times and secrets are placeholders.
 *
 * Then `npm run openapi` writes `docs/openapi.json`. The functions serve that file; these texts are not in their bundles.
 */
import type { Operation, OperationTexts } from './operation.ts';
import { acceptance } from './operations/acceptance.ts';
import { audit } from './operations/audit.ts';
import { consolePage } from './operations/console.ts';
import { deliveries } from './operations/deliveries.ts';
import { documentation } from './operations/documentation.ts';
import { events } from './operations/events.ts';
import { integrations } from './operations/integrations.ts';
import { invites } from './operations/invites.ts';
import { roles } from './operations/roles.ts';
import { sessions } from './operations/sessions.ts';
import { site } from './operations/site.ts';
import { stats } from './operations/stats.ts';
import { users } from './operations/users.ts';
import { webhooks } from './operations/webhooks.ts';

const groups: Readonly<Record<string, Readonly<Record<string, OperationTexts>>>> = {
  Integrations: integrations,
  Webhooks: webhooks,
  Roles: roles,
  Invites: invites,
  Acceptance: acceptance,
  Staff: users,
  Sessions: sessions,
  Audit: audit,
  Events: events,
  Deliveries: deliveries,
  Statistics: stats,
  Site: site,
  Documentation: documentation,
  Console: consolePage,
};

export const operations: Readonly<Record<string, Operation>> = Object.fromEntries(
  Object.entries(groups).flatMap(([resource, group]) =>
    Object.entries(group).map(([name, texts]) => [name, { ...texts, resource }]),
  ),
);
