/** The schema of the error envelope: one entry with all nine keys (wire contract, "The error envelope"). */
import * as v from 'valibot';

const failure = v.strictObject({
  index: v.pipe(
    v.nullable(v.number()),
    v.description('Position of the item in the request; null for the request itself.'),
  ),
  field: v.pipe(v.string(), v.description('The field, or the part of the request.')),
  rule: v.pipe(v.string(), v.description('The rule that it breaks, such as `required` or `max_length`.')),
  limit: v.pipe(v.unknown(), v.description('What the rule asks for; null where that cannot be said in a word.')),
  received: v.pipe(v.string(), v.description('Type and size of what came, never a value that may be secret.')),
});

const error = v.strictObject({
  message: v.pipe(v.string(), v.description('What is wrong, for people; it may be worded otherwise tomorrow.')),
  context: v.pipe(v.nullable(v.string()), v.description('More about it.')),
  type: v.pipe(v.string(), v.description('What programs should switch on, with the status.')),
  details: v.pipe(
    v.nullable(v.array(failure)),
    v.description('Everything that is wrong with the items of the request, where something is.'),
  ),
  property: v.pipe(v.nullable(v.string()), v.description('The first field that is wrong.')),
  help: v.pipe(v.nullable(v.string()), v.description('The way out.')),
  code: v.pipe(v.nullable(v.string()), v.description('What programs may switch on beside the type.')),
  id: v.pipe(v.string(), v.description('Names this error; it stands in the log, too.')),
  ghostErrorCode: v.pipe(v.null(), v.description('Always null; for clients of Ghost.')),
});

export const errorEnvelope = v.strictObject({
  errors: v.pipe(v.array(error), v.length(1), v.description('One entry, always.')),
});
