/** Names the callers of endpoints for people: in errors and on the documentation page, which browsers show. */
import type { Caller } from '../contract.ts';

export const callerNames: Readonly<Record<Caller, string>> = {
  Owner: 'the Owner',
  Administrator: 'Administrators',
  'Super Editor': 'Super Editors',
  Editor: 'Editors',
  staff: 'any staff member',
  integration: 'integrations',
  anyone: 'anyone, without a key',
};
