/** Ten endpoints of the attack suite; `attack-all.test.ts`, one of the long tests, attacks all of them. */
import type { FunctionName } from '../../shared/contract.ts';
import { testEndpoints } from '../attack/endpoint-tests.ts';
import { endpoints } from '../attack/matrix.ts';

/** At least one for everything that a path can name, and for every right that a caller can need. */
const chosen: readonly FunctionName[] = [
  'webhooks/update',
  'deliveries/redeliver',
  'invites/create',
  'invites/delete',
  'invites/accept',
  'events/publish',
  'integrations/update',
  'sessions/end',
  'users/end-session',
  'inbound/ghost',
];
await testEndpoints(endpoints.filter(({ function: name }) => chosen.some((one) => one === name)));
