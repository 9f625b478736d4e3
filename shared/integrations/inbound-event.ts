/**
 * Checks that the body of a Ghost site's delivery belongs to the event in its path, which no signature covers. Since 6.50, Ghost names the event in
 * the body.
 */
import { isJsonObject } from '../foundation/exact-json.ts';

/** Returns the event that a body names; undefined for a body of an older Ghost. */
export const namedEvent = (json: unknown): unknown => (isJsonObject(json) ? json.event : undefined);

/**
 * Returns whether a body that names no event may belong to this one. Ghost sends an empty `current` only with a deletion, an empty `previous` with
 * `*.added`, and after a change of status the new status. The deletion of a post also emits `unpublished` if it was published, and `tag.detached` if
 * it had tags, all with the same body (TryGhost/Ghost, models/post.js).
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
  const status = isJsonObject(current) ? current.status : undefined;
  const fits = statuses[change.join('.')];
  return fits === undefined || typeof status !== 'string' || fits(status);
};

const isEmpty = (part: unknown): boolean => !isJsonObject(part) || Object.keys(part).length === 0;

const isOut = (status: string): boolean => status === 'published' || status === 'sent';
const isScheduled = (status: string): boolean => status === 'scheduled';

/** What the status of a post or page can be after a change. */
const statuses: Readonly<Record<string, (status: string) => boolean>> = {
  published: isOut,
  'published.edited': isOut,
  unpublished: (status) => !isOut(status),
  scheduled: isScheduled,
  rescheduled: isScheduled,
  unscheduled: (status) => !isScheduled(status),
};
