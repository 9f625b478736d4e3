/** Pieces of the schemas of answers: what the OpenAPI document says of them, and what tests check answers with. */
import * as v from 'valibot';
import { idPattern } from './ids.ts';

/** An id: 24 lower-case hex characters. */
export const responseId = v.pipe(v.string(), v.regex(idPattern));

/** A timestamp: ISO 8601, UTC, with milliseconds. */
export const responseTime = v.pipe(
  v.string(),
  v.regex(/^\d{4}-\d{2}-\d{2}T\d{2}:\d{2}:\d{2}\.\d{3}Z$/),
  v.metadata({ format: 'date-time' }),
);
