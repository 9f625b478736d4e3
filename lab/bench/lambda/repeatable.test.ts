/** Calls that the cold start benchmark repeats, changed so that the embedded table accepts them a second time. */
import { expect, it } from 'vitest';
import { type BareCall, repeatable } from './repeatable.ts';

const call = (action: string, input: object): BareCall => ({ service: 'dynamodb', action, input });

it('a repeated update loses its condition, with the names and values that only the condition uses', () => {
  const update = {
    Key: { pk: { S: 'A' } },
    UpdateExpression: 'SET #n1 = :v1 REMOVE #n10',
    ConditionExpression: 'attribute_exists(#n0) AND #n2 = :v10',
    ExpressionAttributeNames: { '#n0': 'pk', '#n1': 'a', '#n2': 'b', '#n10': 'c' },
    ExpressionAttributeValues: { ':v1': { N: '1' }, ':v10': { N: '2' } },
  };
  expect(repeatable(call('UpdateItem', update)).input).toEqual({
    Key: { pk: { S: 'A' } },
    UpdateExpression: 'SET #n1 = :v1 REMOVE #n10',
    ExpressionAttributeNames: { '#n1': 'a', '#n10': 'c' },
    ExpressionAttributeValues: { ':v1': { N: '1' } },
  });
});

it('a repeated transaction keeps its writes and checks, but loses its client request token', () => {
  const check = { ConditionCheck: { Key: { pk: { S: 'B' } }, ConditionExpression: 'attribute_exists(pk)' } };
  const put = {
    Item: { pk: { S: 'A' } },
    ConditionExpression: 'attribute_not_exists(#n0)',
    ExpressionAttributeNames: { '#n0': 'pk' },
  };
  const input = { TransactItems: [{ Put: put }, check], ClientRequestToken: 'one' };
  expect(repeatable(call('TransactWriteItems', input)).input).toEqual({
    TransactItems: [{ Put: { Item: { pk: { S: 'A' } } } }, check],
  });
});

it('a repeated read is unchanged', () => {
  const query = { KeyConditionExpression: '#n0 = :v0', ExpressionAttributeNames: { '#n0': 'pk' } };
  expect(repeatable(call('Query', query)).input).toEqual(query);
});
