/** Finds keys of integrations that signed no logged request. Keys of staff are in no list, and not checked. */
import type { DynamoDBDocumentClient } from '@aws-sdk/lib-dynamodb';
import { type Found, passed, warning } from './finding.ts';
import { itemsOf } from './items.ts';

/** A younger key may still be on its way to its user. */
const minAgeMs = 7 * 24 * 60 * 60 * 1000;
const maxListed = 20;

interface Pointer {
  readonly id: string;
  readonly created_at: string;
}

/** `used` are the ids in the logs, which go back `days`. */
export const checkKeys = async (
  client: DynamoDBDocumentClient,
  TableName: string,
  used: ReadonlySet<string>,
  days: number,
  now: number,
): Promise<Found[]> => {
  const period = days === 1 ? 'day' : `${days} days`;
  let count = 0;
  const unused: { readonly id: string; readonly integration: string; readonly created: string }[] = [];
  // As in `shared/integrations/store.ts`; the test on the local stack counts what it finds.
  for await (const { id: integration } of itemsOf<{ id: string }>(client, TableName, 'INTEGRATIONS', 'INTEGRATION#'))
    for await (const { id, created_at } of itemsOf<Pointer>(client, TableName, `INTEGRATION#${integration}`, 'KEY#')) {
      count++;
      if (!used.has(id) && now - Date.parse(created_at) >= minAgeMs)
        unused.push({ id, integration, created: created_at.slice(0, 10) });
    }
  const found = unused
    .slice(0, maxListed)
    .map(({ id, integration, created }) =>
      warning(
        `The key ${id} of ${created} signed no request in the last ${period}.`,
        `DELETE /admin/integrations/${integration}/ if it is not needed`,
      ),
    );
  if (unused.length > maxListed)
    found.push(
      warning(`${unused.length - maxListed} more keys were not used.`, 'GET /admin/integrations/?include=api_keys'),
    );
  return found.length > 0
    ? found
    : [passed(`${count} keys of integrations: each was used in the last ${period}, or is younger than a week.`)];
};
