/** `GET /admin/recoveries/{id}/`: returns the progress of a recovery. */
import { endpoint } from '../../shared/accounts/endpoint.ts';
import * as example from '../../shared/deliveries/example.ts';
import { findRecovery } from '../../shared/deliveries/replays/recoveries.ts';
import { recoveryResource } from '../../shared/deliveries/replays/resource.ts';
import type { RecoveryId } from '../../shared/foundation/ids.ts';
import { type Documentation, forbidden, notFound } from '../../shared/http/documentation.ts';

export const handler = endpoint({
  line: 'recoveries/read',
  answer: { status: 200, root: 'recoveries', item: recoveryResource },
  handle: async ({ id, caller, reply }) => reply([await findRecovery(id<RecoveryId>(), caller)]),
});

export const documentation = (): Documentation => ({
  tag: 'Deliveries',
  summary: 'Get recovery progress',
  description: 'Stored for 30 days. An integration reads its own recoveries, staff those of everybody.',
  errors: [notFound('no recovery has the id'), forbidden('somebody else requested it')],
  examples: {
    finished: {
      summary: 'A finished recovery',
      path: { id: example.recovery.id },
      answer: [example.recovery],
    },
  },
});
