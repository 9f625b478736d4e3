/** What `ops doctor` reports about connected Ghost sites; it reads only the table. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { beforeEach, describe, expect, it } from 'vitest';
import { checkRelays } from '../../infra/ops/doctor/relays.ts';

const now = Date.parse('2026-11-24T12:00:00.000Z');
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const table = mockClient(client);
beforeEach(() => {
  table.reset();
});

/** A stage with one connected site that has data for these days. */
const given = (days: readonly object[], watch: object = {}): void => {
  const items = (pk: string, prefix: string, Items: object[]) =>
    table
      .on(QueryCommand, { ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix } })
      .resolves({ Items: Items as Record<string, unknown>[] });
  items('INTEGRATIONS', 'INTEGRATION#', [{ id: 'a' }]);
  items('RELAY#a', 'WATCH', [watch]);
  items('RELAY#a', 'DAY#', [...days]);
  table.on(GetCommand).resolves({ Item: { name: 'Ghost blog.example' } });
};
const found = async () => (await checkRelays(client, 'table', now)).map(({ result, text }) => `${result}: ${text}`);

describe('the report of `ops doctor` about a connected Ghost site', () => {
  it('names its last event, its events per day, and the requests refused in seven days', async () => {
    given([
      { pk: 'RELAY#a', sk: 'DAY#2026-11-10', h08: 70, last_event_at: '2026-11-10T08:00:00.000Z' },
      { pk: 'RELAY#a', sk: 'DAY#2026-11-23', h10: 20, h11: 10, last_event_at: '2026-11-23T11:59:00.000Z' },
      { pk: 'RELAY#a', sk: 'DAY#2026-11-24', refused_rate: 2, refused_rate_at: '2026-11-24T01:00:00.000Z' },
    ]);
    expect(await found()).toEqual([
      expect.stringMatching(
        /^passed: .*blog\.example: the last event arrived at 2026-11-23T11:59:00\.000Z, 4\.3 events a day/,
      ),
      expect.stringMatching(/^warning: .*blog\.example: 2 requests refused in seven days \(rate\)/),
    ]);
  });

  it('calls its silence unusual if that was already announced', async () => {
    const last_event_at = '2026-11-20T11:59:00.000Z';
    given([{ pk: 'RELAY#a', sk: 'DAY#2026-11-20', h11: 1, last_event_at }], { announced: last_event_at });
    expect(await found()).toContainEqual(expect.stringContaining(`no event since ${last_event_at}, which is unusual`));
  });

  it('is only a warning if no event has arrived in 28 days', async () => {
    given([]);
    expect(await found()).toEqual([expect.stringContaining('no event has arrived in 28 days')]);
  });
});
