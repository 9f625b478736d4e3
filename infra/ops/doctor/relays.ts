/** Whether the events of connected Ghost sites arrive, as the table has it. */
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { stateOf } from '../../../shared/integrations/relay/history.ts';
import { type DayItem, dayOf } from '../../../shared/integrations/relay/item.ts';
import { type Found, passed, skipped, warning } from './finding.ts';
import { itemsOf } from './items.ts';

/** `now` in epoch ms. */
export const checkRelays = async (client: DynamoDBDocumentClient, TableName: string, now: number): Promise<Found[]> => {
  const found: Found[] = [];
  // As in `shared/integrations/table-keys.ts`; the test on the local stack reads what it wrote.
  for await (const { id } of itemsOf<{ id: string }>(client, TableName, 'INTEGRATIONS', 'INTEGRATION#')) {
    if (!(await isConnected(client, TableName, id))) continue;
    const Key = { pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' };
    // Its name only: the item has a secret.
    const names = { ProjectionExpression: '#name', ExpressionAttributeNames: { '#name': 'name' } };
    const { Item } = await client.send(new GetCommand({ TableName, Key, ...names }));
    const days = [];
    for await (const item of itemsOf<DayItem>(client, TableName, `RELAY#${id}`, 'DAY#')) days.push(dayOf(item));
    found.push(...judge(String(Item?.name), stateOf(days, now)));
  }
  return found.length > 0 ? found : [skipped('No Ghost site is connected.')];
};

/** A relay is watched from its first inbound secret on. */
const isConnected = async (client: DynamoDBDocumentClient, TableName: string, id: string): Promise<boolean> => {
  for await (const _ of itemsOf(client, TableName, `RELAY#${id}`, 'WATCH')) return true;
  return false;
};

const judge = (
  site: string,
  { last_event_at, events_per_day, refused, silent_since }: ReturnType<typeof stateOf>,
): Found[] => {
  const fix = 'npm run ops -- import-ghost --from <site> --key <token> --check';
  const count = refused.reduce((total, one) => total + one.count, 0);
  const warnings = [
    ...(silent_since === null
      ? []
      : [warning(`${site}: no event since ${silent_since}, which is unusual for it.`, fix)]),
    ...(last_event_at === null ? [warning(`${site}: no event has arrived in 28 days.`, fix)] : []),
    ...(count === 0
      ? []
      : [
          warning(
            `${site}: ${count} requests refused in seven days (${refused.map(({ reason }) => reason).join(', ')}).`,
            fix,
          ),
        ]),
  ];
  return warnings.length > 0
    ? warnings
    : [passed(`${site}: the last event arrived at ${last_event_at}; ${events_per_day} a day.`)];
};
