/**
 * Checks that the body of a Ghost site's delivery belongs to the event in its path, which no signature covers. Since 6.50, Ghost names the event in
 * the body.
 */
import { isJsonObject } from '../foundation/exact-json.ts';

/** Returns the event that a body names; undefined for a body of an older Ghost. */
export const namedEvent = (json: unknown): unknown => (isJsonObject(json) ? json.event : undefined);

/**
 * Returns whether a body that names no event may belong to this one. One change emits several events with the same body (TryGhost/Ghost,
 * models/post.js): a deletion also `unpublished` of what was published, and `tag.detached`; a publication also `edited`.
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

/** What the status of a post or page can be after a change, and before it; `before` is undefined if the status has not changed, or the post is new. */
const statuses: Readonly<Record<string, (status: string, before: string | undefined) => boolean>> = {
  published: isOut,
  'published.edited': (status, before) => isOut(status) && before === undefined,
  unpublished: (status, before) => !isOut(status) && before !== undefined && isOut(before),
  scheduled: isScheduled,
  rescheduled: (status, before) => isScheduled(status) && before === undefined,
  unscheduled: (status, before) => !isScheduled(status) && before !== undefined && isScheduled(before),
};
