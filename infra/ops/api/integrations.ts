/** Reads integrations with their webhooks and keys, and finds one by its id or its name. */
import { isId } from '../../../shared/foundation/ids.ts';
import type { Caller } from '../../command-line/client.ts';
import { pages } from './request.ts';
import { type Integration, only, read, type Webhook } from './resources.ts';

/** Yields all integrations, page by page. */
export const integrationPages = (caller: Caller, include?: 'api_keys' | 'webhooks') =>
  pages(caller, '/admin/integrations/', { include, limit: 'all' }, read.integrations);

/** Returns an integration with its keys and all its webhooks, by its id or its exact name. @throws Error for a name that none or several have, RequestError */
export const findIntegration = async (caller: Caller, idOrName: string): Promise<Integration> => {
  const id = isId(idOrName) ? idOrName : await idOf(caller, idOrName);
  const include = 'webhooks,api_keys';
  const found: Integration[] = [];
  // Each page repeats the integration and has the next 500 of its webhooks.
  for await (const page of pages(caller, `/admin/integrations/${id}/`, { include }, read.integrations))
    found.push(only(page));
  // The first page exists in any case, because an unknown id is an error of the request.
  return { ...only(found.slice(0, 1)), webhooks: found.flatMap(({ webhooks = [] }) => webhooks) };
};

const idOf = async (caller: Caller, name: string): Promise<string> => {
  const found: string[] = [];
  for await (const page of integrationPages(caller))
    found.push(...page.filter((one) => one.name === name).map(({ id }) => id));
  const [id, another] = found;
  if (id === undefined)
    throw new Error(`No integration has the name '${name}'. npm run ops -- integrations list shows them.`);
  if (another !== undefined)
    throw new Error(`${found.length} integrations have the name '${name}'. Use an id: ${found.join(', ')}.`);
  return id;
};

/** A list of integrations shows only the newest webhooks of one that has many. */
const many = 100;

/** Yields the webhooks of each integration: the API shows them inside their integrations only. */
export async function* webhooksByIntegration(
  caller: Caller,
): AsyncGenerator<{ readonly integration: Integration; readonly webhooks: readonly Webhook[] }> {
  for await (const page of integrationPages(caller, 'webhooks'))
    for (const listed of page) {
      const isComplete = listed.webhooks !== undefined && listed.webhooks.length < many;
      const integration = isComplete ? listed : await findIntegration(caller, listed.id);
      yield { integration, webhooks: integration.webhooks ?? [] };
    }
}
