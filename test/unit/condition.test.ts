/** The expressions of conditions and updates, with their placeholders. */
import { describe, expect, it } from 'vitest';
import {
  allOf,
  anyOf,
  below,
  type Change,
  type Condition,
  conditionExpression,
  exists,
  is,
  isNot,
  missing,
  Placeholders,
  updateExpression,
} from '../../shared/table/condition.ts';

/** Returns the expression with its values inserted, and the attribute names of the request. */
const written = (write: (placeholders: Placeholders) => string) => {
  const placeholders = new Placeholders();
  const expression = write(placeholders);
  const { ExpressionAttributeNames = {}, ExpressionAttributeValues = {} } = placeholders.members();
  for (const [placeholder] of Object.entries(ExpressionAttributeNames)) expect(expression).toContain(placeholder);
  return {
    expression: expression.replace(/:v\d+/g, (name) => JSON.stringify(ExpressionAttributeValues[name])),
    names: Object.values(ExpressionAttributeNames),
  };
};
const condition = (value: Condition) => written((placeholders) => conditionExpression(value, placeholders));
const change = (value: Change) => written((placeholders) => updateExpression(value, placeholders));

describe('a condition', () => {
  it.each([
    ['the item exists', exists(), 'attribute_exists(#pk)'],
    ['an attribute exists', exists('status'), 'attribute_exists(#status)'],
    ['the item is missing', missing(), 'attribute_not_exists(#pk)'],
    ['is', is('status', 'open'), '#status = "open"'],
    ['is null', is('name', null), '#name = null'],
    ['is not', isNot('count', 3), '#count <> 3'],
    ['below', below('due_at', '2026'), '#due_at < "2026"'],
    ['all of', allOf(exists(), is('a', 1)), '(attribute_exists(#pk)) AND (#a = 1)'],
    ['any of', anyOf(missing(), is('a', 1)), '(attribute_not_exists(#pk)) OR (#a = 1)'],
    [
      'nested',
      allOf(is('a', 1), anyOf(is('a', 2), is('b', [true, null]))),
      '(#a = 1) AND ((#a = 2) OR (#b = [true,null]))',
    ],
  ])('has the right expression for: %s', (_, value, expression) => {
    expect(condition(value).expression).toBe(expression);
  });

  it('defines one placeholder for an attribute that occurs twice', () => {
    expect(condition(allOf(is('a', 1), isNot('a', 2))).names).toEqual(['a']);
  });

  it('without values omits the map of values, because DynamoDB refuses an empty one', () => {
    const placeholders = new Placeholders();
    conditionExpression(exists(), placeholders);
    expect(placeholders.members()).toEqual({ ExpressionAttributeNames: { '#pk': 'pk' } });
    expect(new Placeholders().members()).toEqual({});
  });
});

describe('an update', () => {
  it.each<[string, Change, string]>([
    ['sets', { set: { status: 'sent', name: null } }, 'SET #status = "sent", #name = null'],
    ['omits undefined attributes', { set: { a: 1, b: undefined } }, 'SET #a = 1'],
    ['removes', { remove: ['a', 'b'] }, 'REMOVE #a, #b'],
    ['adds', { add: { count: -2, sum: 3 } }, 'ADD #count -2, #sum 3'],
    [
      'appends, also to a missing list',
      { append: { log: ['x'] } },
      'SET #log = list_append(if_not_exists(#log, []), ["x"])',
    ],
    [
      'combines all kinds, each in one clause',
      { set: { a: 1 }, append: { b: [2] }, add: { c: 3 }, remove: ['d'] },
      'SET #a = 1, #b = list_append(if_not_exists(#b, []), [2]) ADD #c 3 REMOVE #d',
    ],
  ])('%s', (_, value, expression) => {
    expect(change(value).expression).toBe(expression);
  });

  it('shares its placeholders with the condition of the same write', () => {
    const placeholders = new Placeholders();
    const update = updateExpression({ set: { a: 1 } }, placeholders);
    const held = conditionExpression(is('a', 2), placeholders);
    expect([update, held]).toEqual(['SET #a = :v0', '#a = :v1']);
    expect(placeholders.members()).toEqual({
      ExpressionAttributeNames: { '#a': 'a' },
      ExpressionAttributeValues: { ':v0': 1, ':v1': 2 },
    });
  });
});
