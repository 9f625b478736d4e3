/** A place for the attack suite: handlers in this process on a fresh table and fresh queues. */
import type { FunctionName } from '../../shared/contract.ts';
import type { SettingsInput } from '../../shared/foundation/settings.ts';
import { itemsOf } from '../attack/items.ts';
import { type Place, tokenOf } from '../attack/world.ts';
import { freshStack } from './parts.ts';

/** Creates it; call it once a file. @param receiver origin of a server that accepts webhooks */
export const freshPlace = async (receiver: string, settings: Partial<SettingsInput> = {}): Promise<Place> => {
  const stack = await freshStack(settings);
  const keys = await stack.seed();
  return {
    send: ({ line, ...request }) => stack.call(line.function as FunctionName, request),
    staffKeys: keys.staff,
    integrationKeys: { first: keys.integration, second: keys.otherIntegration },
    origin: new URL(stack.baseUrl).origin,
    receiver,
    async tokenFor(email) {
      await stack.drain('mail');
      return tokenOf((await stack.mailsTo(email)).at(-1)?.body.text);
    },
    items: () => itemsOf(stack.dynamodb, stack.tableName),
  };
};
