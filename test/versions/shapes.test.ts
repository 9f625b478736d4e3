/** What this release stores and sends still has every attribute that the previous one reads, under the same name and with the same type. */
import { BatchWriteItemCommand, ScanCommand } from '@aws-sdk/client-dynamodb';
import { describe, expect, it } from 'vitest';
import { format } from '../../shared/foundation/format.ts';
import { openWorld } from './open-worlds.ts';
import type { Release } from './releases.ts';
import { lostIn, type Shape, shapeCollector, shapeOfItem } from './shape.ts';

/** Attributes that no release reads, or that the previous one can do without, with the reason. Empty it with each release. */
const withoutHarm: Readonly<Record<string, string>> = {};

const world = await openWorld('current');

/** Plays all stories with one release alone, on a table without those of another one, and returns the shapes that it wrote. */
const shapeOf = async (release: Release): Promise<Shape> => {
  if (world === undefined) throw new Error('There is no world.');
  const collector = shapeCollector(world.stack);
  const turn = async () => {
    await collector.look();
    world.on(release);
  };
  for (const { play } of world.stories) {
    await play({ first: turn, second: turn });
    await collector.look();
  }
  return collector.shape;
};

const scan = async () => {
  if (world === undefined) return [];
  const { Items = [] } = await world.stack.dynamodb.send(new ScanCommand({ TableName: world.stack.tableName }));
  return Items;
};

/** Removes what the stories left; keys, roles and staff stay as they were seeded. */
const removeStories = async (): Promise<void> => {
  if (world === undefined) return;
  const { dynamodb, tableName } = world.stack;
  const keys = (await scan()).filter(({ pk }) =>
    /^(WEBHOOK|EVENT|EVENT_BODY|REPLAY|LIMIT|INVITES|ADDRESS)\b/.test(pk?.S ?? ''),
  );
  for (let start = 0; start < keys.length; start += 25)
    await dynamodb.send(
      new BatchWriteItemCommand({
        RequestItems: {
          [tableName]: keys.slice(start, start + 25).map(({ pk, sk }) => ({
            DeleteRequest: { Key: { pk: pk ?? { S: '' }, sk: sk ?? { S: '' } } },
          })),
        },
      }),
    );
};

describe.skipIf(world === undefined)('what this release writes', () => {
  let playing: Promise<Shape> | undefined;
  /** Played once: where a story fails, both tests say so. */
  const shapeOfCurrent = (): Promise<Shape> => {
    playing ??= shapeOf('current');
    return playing;
  };

  it('has the format of this release', async () => {
    await shapeOfCurrent();
    // The test itself puts the subscribers of the long fan-out.
    const items = (await scan()).filter(({ pk }) => pk?.S !== 'EVENT#shop.order.paid');
    expect([...new Set(items.map((item) => item.format?.N))]).toEqual([String(format)]);
  });

  it('has every attribute that the previous release reads, with the same type', async () => {
    const current = await shapeOfCurrent();
    await removeStories();
    const lost = lostIn(await shapeOf('previous'), current);
    const harmful = lost.filter((line) => !Object.keys(withoutHarm).some((place) => line.startsWith(place)));
    expect(harmful, 'the previous release reads this: docs/formats.md').toEqual([]);
  });
});

describe('a comparison of shapes', () => {
  const shape = (item: object) => shapeOfItem('WEBHOOK#/WEBHOOK#', item);
  const before = shape({ name: null, health: { openings: 1 }, log: [{ at: '' }] });

  it('finds an attribute that is no longer written, at any depth', () => {
    expect(lostIn(before, shape({ name: null, health: {}, log: [{}] }))).toEqual([
      'WEBHOOK#/WEBHOOK# health.openings is no longer written',
      'WEBHOOK#/WEBHOOK# log[].at is no longer written',
    ]);
  });

  it('finds a type that was not written before', () => {
    expect(lostIn(before, shape({ name: null, health: { openings: '1' }, log: [{ at: '' }] }))).toEqual([
      'WEBHOOK#/WEBHOOK# health.openings is written as string, and was number',
    ]);
  });

  it('takes the members of all webhooks for one', () => {
    const [one, other] = ['0'.repeat(24), 'f'.repeat(24)];
    expect(lostIn(shape({ [one]: { at: 1, status: '' } }), shape({ [other]: { at: 1 } }))).toEqual([
      'WEBHOOK#/WEBHOOK# <id>.status is no longer written',
    ]);
  });

  it('takes bytes as one value', () => {
    const bytes = (length: number) => shape({ body: new Uint8Array(length) });
    expect(lostIn(bytes(2), bytes(1))).toEqual([]);
    expect(lostIn(bytes(1), shape({ body: '' }))).toEqual([
      'WEBHOOK#/WEBHOOK# body is written as string, and was bytes',
    ]);
  });

  it('accepts new attributes', () => {
    expect(
      lostIn(before, shape({ name: null, health: { openings: 1, lane: 'slow' }, log: [{ at: '' }], more: 1 })),
    ).toEqual([]);
  });
});
