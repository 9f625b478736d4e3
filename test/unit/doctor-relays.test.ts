/** What `ops doctor` reports about connected Ghost sites; it reads only the table. */
import { DynamoDBClient } from '@aws-sdk/client-dynamodb';
import { DynamoDBDocumentClient, GetCommand, QueryCommand } from '@aws-sdk/lib-dynamodb';
import { mockClient } from 'aws-sdk-client-mock';
import { afterAll, beforeEach, describe, expect, it } from 'vitest';
import { parseStage } from '../../infra/cdk/parse-stage.ts';
import type { Found } from '../../infra/ops/doctor/finding.ts';
import { checkRelayAlarms, checkRelays } from '../../infra/ops/doctor/relays.ts';

const now = Date.parse('2026-11-24T12:00:00.000Z');
const client = DynamoDBDocumentClient.from(new DynamoDBClient({ region: 'eu-central-1' }));
const table = mockClient(client);
afterAll(() => table.restore());
beforeEach(() => {
  table.reset();
});

const given = (days: readonly object[], watch: object = {}): void => {
  const items = (pk: string, prefix: string, Items: object[]) =>
    table
      .on(QueryCommand, { ExpressionAttributeValues: { ':pk': pk, ':prefix': prefix } })
      .resolves({ Items: Items as Record<string, unknown>[] });
  items('INTEGRATIONS', 'INTEGRATION#', [{ id: 'a' }]);
  items('RELAY#a', 'WATCH', [{ pk: 'RELAY#a', sk: 'WATCH', ...watch }]);
  items('RELAY#a', 'DAY#', [...days]);
  table.on(GetCommand).resolves({ Item: { name: 'Ghost blog.example' } });
};
const found = async (baseUrl = 'https://api.example.com/ghost/api') =>
  (await checkRelays(client, 'table', baseUrl, now)).map(({ result, text, fix }) => `${result}: ${text} → ${fix}`);
const command = 'npm run ops -- import-ghost --from https://blog.example --token-file <file>';

describe('the report of `ops doctor` about a connected Ghost site', () => {
  const week = [
    { pk: 'RELAY#a', sk: 'DAY#2026-11-10', h08: 70, last_event_at: '2026-11-10T08:00:00.000Z' },
    { pk: 'RELAY#a', sk: 'DAY#2026-11-23', h10: 20, h11: 10, last_event_at: '2026-11-23T11:59:00.000Z' },
  ];

  it('names its last event, its events per day, and why requests were refused in seven days', async () => {
    given([
      ...week,
      { pk: 'RELAY#a', sk: 'DAY#2026-11-24', refused_rate: 2, refused_rate_at: '2026-11-24T01:00:00.000Z' },
    ]);
    expect(await found()).toEqual([
      expect.stringMatching(
        /^passed: .*blog\.example: the last event arrived at 2026-11-23 11:59:00Z \(yesterday\), 4\.3 events a day/,
      ),
      expect.stringMatching(
        /^warning: .*blog\.example: 2 requests refused in seven days over the limit of requests per minute; the last at 2026-11-24 01:00:00Z/,
      ),
    ]);
  });

  it('warns of an unusual silence, with the command that says why', async () => {
    const days = Array.from({ length: 12 }, (_, index) => {
      const date = `2026-11-${String(index + 7).padStart(2, '0')}`;
      return { pk: 'RELAY#a', sk: `DAY#${date}`, h11: 1, last_event_at: `${date}T11:59:00.000Z` };
    });
    given(days);
    expect(await found()).toContainEqual(
      'warning: Ghost blog.example: no event since 2026-11-18 11:59:00Z (6d ago), which is unusual for it. ' +
        `→ ${command} --url https://api.example.com/ghost/api --check`,
    );
  });

  it('is only a warning if no event has arrived in 28 days', async () => {
    given([]);
    expect(await found()).toEqual([expect.stringContaining('no event has arrived in 28 days')]);
  });

  it('names the command that compares the site if it was never compared', async () => {
    given(week);
    expect((await found('http://127.0.0.1:3368/ghost/api')).join()).toContain(
      `${command} --check lists webhooks that were added at Ghost since.`,
    );
  });

  it('counts the webhooks that were last found at Ghost, with the time and the command that moves them', async () => {
    const compared_at = '2026-11-24T09:00:00.000Z';
    given(week, { compared_at, unmoved: [{ event: 'post.published', count: 2 }] });
    expect(await found()).toContainEqual(
      'warning: Ghost blog.example: webhooks at Ghost are not moved, as of 2026-11-24 09:00:00Z (3h ago): ' +
        `2 of post.published. → ${command} --url https://api.example.com/ghost/api --apply --switch`,
    );
    given(week, { compared_at, unmoved: [] });
    expect((await found()).join()).toContain('No webhook had been added at Ghost as of 2026-11-24 09:00:00Z (3h ago).');
  });
});

describe('the alarms about Ghost sites', () => {
  const stage = (features: object) =>
    parseStage('prod', {
      region: null,
      publication: { name: 'A', url: 'https://a.press' },
      mail: { from: 'a@a.press' },
      features,
    });
  const connected: Found[] = [{ result: 'passed', text: 'Notes: the last event arrived' }];

  it('are missed where a site is connected, and nowhere else', () => {
    const fixes = (features: object, found: readonly Found[]) =>
      checkRelayAlarms(stage(features), found).map(({ fix }) => fix);
    expect(fixes({ alarms: true }, connected)).toEqual(['set features.relays: true for prod, and deploy']);
    expect(fixes({ alarms: true, relays: true }, connected)).toEqual([]);
    expect(fixes({}, connected)).toEqual([]);
    expect(fixes({ alarms: true }, [{ result: 'skipped', text: 'No Ghost site is connected.' }])).toEqual([]);
  });
});
