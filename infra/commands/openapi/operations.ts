/**
 * What there is to say of every endpoint of the contract, beside what its line says.
 *
 * A new endpoint is described in three steps:
 * 1. Beside its noun's presenter, a valibot schema of what clients see: `shared/<noun>/response.ts`. Every field has a
 *    `v.description`. What clients send has a schema already: the one that the function parses with.
 * 2. Both get a name in `components.ts`.
 * 3. In `operations/<resource>.ts`, an entry under the name of the function says what it does, what it takes and answers,
 *    which errors it has besides those that follow from its line (`errors.ts`), and shows at least one example. A test sends
 *    the examples as one story, in the order in which they stand here, deletions at the end in the opposite order; ids, times
 *    and secrets in them stand for any others.
 *
 * Then `npm run openapi` writes `docs/openapi.json`. The functions serve that file, so none of this is in their bundles.
 */
import type { Operation } from './operation.ts';
import { acceptance } from './operations/acceptance.ts';
import { deliveries } from './operations/deliveries.ts';
import { documentation } from './operations/documentation.ts';
import { events } from './operations/events.ts';
import { integrations } from './operations/integrations.ts';
import { invites } from './operations/invites.ts';
import { roles } from './operations/roles.ts';
import { webhooks } from './operations/webhooks.ts';

/** By the name of the function. */
export const operations: Readonly<Record<string, Operation>> = {
  ...integrations,
  ...webhooks,
  ...roles,
  ...invites,
  ...acceptance,
  ...events,
  ...deliveries,
  ...documentation,
};
