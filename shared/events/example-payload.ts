/** An example of an event's payload, for previews and pings. */
import { eventExamples } from './examples.ts';
import type { Payload } from './payload.ts';

/** Returns an example; empty parts for an event of the stage's own, whose content is not known. */
export const examplePayload = (event: string): Payload => {
  if (Object.hasOwn(eventExamples, event)) return eventExamples[event]?.payload ?? {};
  return { [event.split('.', 1)[0] ?? event]: { current: {}, previous: {} } };
};
