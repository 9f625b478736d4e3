/** The names of events that every stage has (docs/compatibility.md, "Events"). */

const postEvents = [
  'added',
  'deleted',
  'edited',
  'published',
  'published.edited',
  'unpublished',
  'scheduled',
  'unscheduled',
  'rescheduled',
  'tag.attached',
  'tag.detached',
];

/** The 29 events of Ghost. */
export const ghostEvents: readonly string[] = [
  'site.changed',
  ...['post', 'page'].flatMap((resource) => postEvents.map((name) => `${resource}.${name}`)),
  ...['tag', 'member'].flatMap((resource) => ['added', 'edited', 'deleted'].map((name) => `${resource}.${name}`)),
];

/** Masthead's own events. None is sent to the webhook that it is about, so they never feed on themselves. */
export const operationalEvents: readonly string[] = [
  'webhook.failing',
  'webhook.disabled',
  'webhook.recovered',
  'delivery.failed',
  'relay.silent',
];

/** Whether an event has names and addresses of staff. */
export const isStaffEvent = (event: string): boolean => event.startsWith('staff.');

/** Events that Masthead publishes: webhooks can subscribe to them, publishers cannot send them. */
export const mastheadEvents: readonly string[] = [
  'staff.added',
  'staff.removed',
  'staff.role.changed',
  ...operationalEvents,
];

export const commonEvents: readonly string[] = [...ghostEvents, ...mastheadEvents];
