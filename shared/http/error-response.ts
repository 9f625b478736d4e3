/** The schema of the error envelope (docs/compatibility.md, "Errors"). */
import * as v from 'valibot';
import { field, resource } from '../foundation/resource.ts';

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

export const errorEnvelope = resource('Errors', {
  errors: field(v.pipe(v.array(error), v.length(1)), 'Always one entry.'),
});
