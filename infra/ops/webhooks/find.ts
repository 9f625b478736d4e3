/** Finds the id of a webhook by its name, and the names of webhooks by their ids. */
import { isId } from '../../../shared/foundation/ids.ts';
import type { Caller } from '../../command-line/client.ts';
import { UsageError } from '../../command-line/exit-codes.ts';
import { webhooksByIntegration } from '../api/integrations.ts';
import { RequestError } from '../api/request.ts';
import type { Webhook } from '../api/resources.ts';
import { webhookName } from './columns.ts';

/** The help of an argument that `findWebhook` reads. */
export const idOrName = 'The id or the exact name of the webhook; webhooks list shows both.';

/** Webhooks that an error lists, at most. */
const maxListed = 10;
/** Characters of a name that are shown beside an id, at most: a target URL can have 2,000. */
const maxShown = 40;

/** Returns the id of the webhook with this id or name, as the commands show it. @throws UsageError for a name that none or several have, RequestError */
export const findWebhook = async (caller: Caller, given: string): Promise<string> => {
  if (isId(given)) return given;
  const all: Webhook[] = [];
  for await (const { webhooks } of webhooksByIntegration(caller)) all.push(...webhooks);
  const found = all.filter((webhook) => webhookName(webhook) === given);
  const [webhook, another] = found;
  if (webhook === undefined)
    throw new UsageError(`No webhook has the id or the name '${given}'${listOf('. The webhooks are', all)}`);
  if (another !== undefined)
    throw new UsageError(`${found.length} webhooks have the name '${given}'${listOf('. Use the id of one:', found)}`);
  return webhook.id;
};

const listOf = (beginning: string, webhooks: readonly Webhook[]): string => {
  if (webhooks.length === 0) return ', because there are no webhooks yet.';
  const shown = webhooks.slice(0, maxListed).map((one) => `${one.id} (${shortName(one)}, ${one.event})`);
  const more = webhooks.length > maxListed ? ', and others, which npm run ops -- webhooks list shows' : '';
  return `${beginning} ${shown.join(', ')}${more}.`;
};

/** Returns the name of a webhook as it is shown beside the id. */
export const shortName = (webhook: Webhook): string => {
  const name = webhookName(webhook);
  return name.length > maxShown ? `${name.slice(0, maxShown - 1)}…` : name;
};

/** Returns an id with the name of its webhook, unless that was deleted meanwhile. */
export type WithName = (id: string) => string;

/** For output without names. */
export const onlyIds: WithName = (id) => id;

/** Reads the names of all webhooks. The key of an integration can't read them, so that ids stay alone. @throws RequestError */
export const withNames = async (caller: Caller): Promise<WithName> => {
  const names = new Map<string, string>();
  try {
    for await (const { webhooks } of webhooksByIntegration(caller))
      for (const webhook of webhooks) names.set(webhook.id, shortName(webhook));
  } catch (error) {
    if (!(error instanceof RequestError) || error.status !== 403) throw error;
  }
  return (id) => (names.has(id) ? `${id} (${names.get(id)})` : id);
};
