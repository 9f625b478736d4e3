/** Checks from the table whether the events of connected Ghost sites arrive (`shared/integrations/relay/`). */
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { type Found, passed, skipped, warning } from './finding.ts';
import { itemsOf } from './items.ts';

const dayMs = 24 * 60 * 60 * 1000;

type Attributes = Readonly<Record<string, unknown>>;

/** `now` in epoch ms. */
export const checkRelays = async (client: DynamoDBDocumentClient, TableName: string, now: number): Promise<Found[]> => {
  const found: Found[] = [];
  for await (const { id } of itemsOf<{ id: string }>(client, TableName, 'INTEGRATIONS', 'INTEGRATION#')) {
    // A relay is watched from its first inbound secret on.
    const [watch] = await read(client, TableName, id, 'WATCH');
    if (watch === undefined) continue;
    const Key = { pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' };
    // Only its name, because the item contains a secret.
    const names = { ProjectionExpression: '#name', ExpressionAttributeNames: { '#name': 'name' } };
    const { Item } = await client.send(new GetCommand({ TableName, Key, ...names }));
    found.push(...judge(String(Item?.name), watch, await read(client, TableName, id, 'DAY#'), now));
  }
  return found.length > 0 ? found : [skipped('No Ghost site is connected.')];
};

const read = async (client: DynamoDBDocumentClient, TableName: string, id: string, prefix: string) => {
  const found: Attributes[] = [];
  for await (const item of itemsOf<Attributes>(client, TableName, `RELAY#${id}`, prefix)) found.push(item);
  return found;
};

const judge = (site: string, { announced }: Attributes, days: readonly Attributes[], now: number): Found[] => {
  const fix = 'npm run ops -- import-ghost --from <site> --key <token> --check';
  const last = days.findLast(({ last_event_at }) => last_event_at !== undefined)?.last_event_at;
  const week = days.filter(({ sk }) => Date.parse(String(sk).slice('DAY#'.length)) > now - 7 * dayMs);
  const counts = week.flatMap((one) => Object.entries(one)).filter(([name]) => /^h\d\d$/.test(name));
  const perDay = Math.round((counts.reduce((total, [, value]) => total + Number(value), 0) / 7) * 10) / 10;
  const refused = week
    .flatMap((one) => Object.entries(one))
    .flatMap(([name, value]) => (name.startsWith('refused_') && typeof value === 'number' ? [{ name, value }] : []));
  const reasons = [...new Set(refused.map(({ name }) => name.slice('refused_'.length)))];
  const count = refused.reduce((total, { value }) => total + value, 0);
  const warnings = [
    ...(last !== undefined && announced === last
      ? [warning(`${site}: no event since ${last}, which is unusual for it.`, fix)]
      : []),
    ...(last === undefined ? [warning(`${site}: no event has arrived in 28 days.`, fix)] : []),
    ...(count === 0 ? [] : [warning(`${site}: ${count} requests refused in seven days (${reasons.join(', ')}).`, fix)]),
  ];
  const arrived = passed(
    `${site}: the last event arrived at ${last}, ${perDay} events a day. ${fix} lists webhooks that were added at Ghost since.`,
  );
  return last === undefined ? warnings : [arrived, ...warnings];
};
