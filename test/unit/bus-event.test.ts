/** Events of the EventBridge bus, which anyone with access to the bus may put there. */
import { describe, expect, it } from 'vitest';
import { parseEventMessage } from '../../shared/events/bus-event.ts';
import { mastheadEvents } from '../../shared/foundation/event-names.ts';
import { settingsText } from '../support/settings-text.ts';

process.env.SETTINGS = settingsText({ stage: 'unit', ownEvents: ['print.ordered'] });

const put = (name: string) =>
  parseEventMessage(
    JSON.stringify({
      id: 'e1',
      account: '111111111111',
      source: 'cms',
      'detail-type': name,
      time: '2026-11-26T10:00:00Z',
      detail: Object.fromEntries(['post', 'print', 'staff'].map((name) => [name, { current: {}, previous: {} }])),
    }),
  );

describe('an event of the bus', () => {
  it.each(['post.published', 'print.ordered'])('is accepted with a name that may be published: %s', (name) => {
    expect(put(name)).toMatchObject({ kind: 'event', event: name, publisher: 'eventbridge:111111111111:cms' });
  });

  it.each([...mastheadEvents, 'post.publishd', 'constructor'])('is refused with any other name: %s', (name) => {
    expect(() => put(name)).toThrow(
      `The event e1 of eventbridge:111111111111:cms is not delivered: \`${name}\` cannot be published`,
    );
  });
});
