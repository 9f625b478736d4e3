/** The examples of the events: one for each, as publishers send it. */
import { expect, it } from 'vitest';
import { eventExamples } from '../../shared/events/examples.ts';
import { readPayload } from '../../shared/events/schema.ts';
import { ghostEvents, mastheadEvents } from '../../shared/foundation/event-names.ts';

const names = [...ghostEvents, ...mastheadEvents, 'webhook.ping'];

it('exist for every event of the catalogue and the ping, in the order of the catalogue', () => {
  expect(Object.keys(eventExamples)).toEqual(names);
});

it.each(names)(
  'of %s is a valid payload: `previous` is empty for new resources, `current` for deleted ones',
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

it.each(names.filter((name) => !/\.(added|deleted|removed)$/.test(name)))(
  'of %s has previous values of changed fields only',
  (name) => {
    for (const { current, previous } of Object.values(eventExamples[name]?.payload ?? {})) {
      const now: Readonly<Record<string, unknown>> = { ...current };
      for (const [field, value] of Object.entries(previous)) expect(now[field], field).not.toEqual(value);
      expect(Object.keys(now)).toEqual(expect.arrayContaining(Object.keys(previous)));
    }
  },
);
