/** Checks in the table whether events of connected Ghost sites arrive, and what was added there since. */
import { type DynamoDBDocumentClient, GetCommand } from '@aws-sdk/lib-dynamodb';
import { importCommand } from '../../../shared/integrations/relay/import-command.ts';
import { dayPrefix, type RelayItem, stateIn, watchName } from '../../../shared/integrations/relay/item.ts';
import { refusals } from '../../../shared/integrations/relay/refusals.ts';
import type { StageConfig } from '../../cdk/stage.ts';
import { visible } from '../../command-line/print.ts';
import { timeText } from '../output/times.ts';
import { type Found, passed, skipped, warning } from './finding.ts';
import { itemsOf } from './items.ts';

/** `baseUrl` of the stage, for the commands; `now` in epoch ms. */
export const checkRelays = async (
  client: DynamoDBDocumentClient,
  TableName: string,
  baseUrl: string,
  now: number,
): Promise<Found[]> => {
  const found: Found[] = [];
  for await (const { id } of itemsOf<{ id: string }>(client, TableName, 'INTEGRATIONS', 'INTEGRATION#')) {
    const items: RelayItem[] = [];
    for (const prefix of [watchName, dayPrefix])
      for await (const item of itemsOf<RelayItem>(client, TableName, `RELAY#${id}`, prefix)) items.push(item);
    // A relay is watched from its first inbound secret on.
    if (!items.some(({ sk }) => sk === watchName)) continue;
    const Key = { pk: `INTEGRATION#${id}`, sk: 'INTEGRATION' };
    // Only its name, because the item contains a secret.
    const names = { ProjectionExpression: '#name', ExpressionAttributeNames: { '#name': 'name' } };
    const { Item } = await client.send(new GetCommand({ TableName, Key, ...names }));
    found.push(...judge(String(Item?.name), items, baseUrl, now));
  }
  return found.length > 0 ? found : [skipped('No Ghost site is connected.')];
};

/** Warns if the findings are about a Ghost site and the stage has alarms, but none about such sites. */
export const checkRelayAlarms = ({ name, features }: StageConfig, found: readonly Found[]): Found[] =>
  features.alarms && !features.relays && found.some(({ result }) => result !== 'skipped')
    ? [warning('No alarm watches the Ghost sites.', `set features.relays: true for ${name}, and deploy`)]
    : [];

const judge = (name: string, items: readonly RelayItem[], baseUrl: string, now: number): Found[] => {
  const site = visible(name);
  const [check, move] = [importCommand(name, baseUrl, '--check'), importCommand(name, baseUrl, '--apply --switch')];
  const { last_event_at, events_per_day, refused, silent_since, compared_at, unmoved } = stateIn(items, now);
  const added = unmoved.map(({ event, count }) => `${count} of ${visible(event)}`).join(', ');
  const compared =
    compared_at === null
      ? `${check} lists webhooks that were added at Ghost since.`
      : `No webhook had been added at Ghost as of ${timeText(compared_at, now)}.`;
  return [
    ...(last_event_at === null
      ? [warning(`${site}: no event has arrived in 28 days.`, check)]
      : [
          passed(
            `${site}: the last event arrived at ${timeText(last_event_at, now)}, ${events_per_day} events a ` +
              `day.${added === '' ? ` ${compared}` : ''}`,
          ),
        ]),
    ...(silent_since === null
      ? []
      : [warning(`${site}: no event since ${timeText(silent_since, now)}, which is unusual for it.`, check)]),
    ...refused.map(({ reason, count, last_at }) =>
      warning(
        `${site}: ${count} ${count === 1 ? 'request' : 'requests'} refused in seven days ${refusals[reason]}; ` +
          `the last at ${timeText(last_at, now)}.`,
        check,
      ),
    ),
    ...(added === ''
      ? []
      : [warning(`${site}: webhooks at Ghost are not moved, as of ${timeText(compared_at, now)}: ${added}.`, move)]),
  ];
};
