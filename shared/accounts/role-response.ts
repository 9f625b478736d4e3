/** The schema of what clients see of a role: the five fields of the contract. */
import * as v from 'valibot';
import { responseId, responseTime } from '../foundation/response-fields.ts';

export const roleResponse = v.strictObject({
  id: v.pipe(responseId, v.description('What invites name as `role_id`.')),
  name: v.pipe(v.string(), v.description('Its name, such as `Editor`.')),
  description: v.pipe(v.string(), v.description('Who has it.')),
  created_at: v.pipe(responseTime, v.description('When it was created.')),
  updated_at: v.pipe(responseTime, v.description('When it was last changed.')),
});
