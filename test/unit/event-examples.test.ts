/** The examples of events: one for each event, in the form that publishers send. */
import { expect, it } from 'vitest';
import { eventExamples } from '../../shared/events/examples.ts';
import { readPayload } from '../../shared/events/schema.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';

const names = [...ghostEvents, ...mastheadEvents, 'webhook.ping'];

it('examples exist for every event of the catalogue and for the ping, in the same order', () => {
  expect(Object.keys(eventExamples)).toEqual(names);
});

it.each(names)(
  'the example of %s is valid: `previous` is empty for new resources, `current` for deleted ones',
  (name) => {
    const { payload = {}, description = '' } = eventExamples[name] ?? {};
    expect(readPayload(name, payload)).toEqual({ ok: true, payload });
    expect(description).toMatch(/^[A-Z].*\.$/);
    for (const { current, previous } of Object.values(payload)) {
      expect(Object.keys(current).length === 0).toBe(/\.(deleted|removed)$/.test(name));
      if (/\.(added|failing|disabled|recovered|failed|silent|ping)$/.test(name)) expect(previous).toEqual({});
      else expect(previous).not.toEqual({});
    }
  },
);

// The payload of site.changed is empty.
it.each(names.filter((name) => !/\.(added|deleted|removed)$|^site\./.test(name)))(
  'the example of %s has only changed fields in `previous`',
  (name) => {
    for (const { current, previous } of Object.values(eventExamples[name]?.payload ?? {})) {
      const now: Readonly<Record<string, unknown>> = { ...current };
      for (const [field, value] of Object.entries(previous)) expect(now[field], field).not.toEqual(value);
      expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(previous)));
    }
  },
);
