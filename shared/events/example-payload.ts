/** An example of an event's payload, for previews and pings. */
import { eventExamples } from './examples.ts';
import type { Payload } from './payload.ts';

/** Returns an example payload; with empty parts for a stage's own event, whose content is unknown. */
export const examplePayload = (event: string): Payload => {
  if (Object.hasOwn(eventExamples, event)) return eventExamples[event]?.payload ?? {};
  return { [event.split('.', 1)[0] ?? event]: { current: {}, previous: {} } };
};
