/** Checks that a Ghost site's body is of the event in its path, which no signature covers; since 6.50 it names it. */
import { isJsonObject } from '../foundation/exact-json.ts';

/** Returns the event that a body names; undefined for a body of an older Ghost. */
export const namedEvent = (json: unknown): unknown => (isJsonObject(json) ? json.event : undefined);

/**
 * Returns whether a body without a name may be of this event. A change emits several with one body (Ghost's
 * models/post.js): a deletion also `unpublished` and `tag.detached`, a publication also `edited`.
 */
export const canBe = (event: string, json: unknown): boolean => {
  const [resource = '', ...change] = event.split('.');
  const parts = isJsonObject(json) ? json[resource] : undefined;
  // Missing parts are reported as errors of the payload.
  if (!isJsonObject(parts)) return true;
  const { current, previous } = parts;
  if (change.at(-1) === 'deleted') return isEmpty(current);
  if (isEmpty(current)) {
    const wasOut = isJsonObject(previous) && typeof previous.status === 'string' && isOut(previous.status);
    return change.join('.') === 'tag.detached' || (change[0] === 'unpublished' && wasOut);
  }
  if (change.at(-1) === 'added' && !isEmpty(previous)) return false;
  const fits = statuses[change.join('.')];
  const status = statusIn(current);
  return fits === undefined || status === undefined || fits(status, statusIn(previous));
};

const statusIn = (part: unknown): string | undefined =>
  isJsonObject(part) && typeof part.status === 'string' ? part.status : undefined;

const isEmpty = (part: unknown): boolean => !isJsonObject(part) || Object.keys(part).length === 0;

const isOut = (status: string): boolean => status === 'published' || status === 'sent';
const isScheduled = (status: string): boolean => status === 'scheduled';

/** The possible statuses of a post or page after a change and before it; `before`: undefined if unchanged or new. */
const statuses: Readonly<Record<string, (status: string, before: string | undefined) => boolean>> = {
  published: isOut,
  'published.edited': (status, before) => isOut(status) && before === undefined,
  unpublished: (status, before) => !isOut(status) && before !== undefined && isOut(before),
  scheduled: isScheduled,
  rescheduled: (status, before) => isScheduled(status) && before === undefined,
  unscheduled: (status, before) => !isScheduled(status) && before !== undefined && isScheduled(before),
};
