/** Items of the table whose other half is missing (docs/architecture.md, "The table"): no kill may leave any. */
import { namesIn, subscribedLists } from '../../shared/foundation/event-selection.ts';
import type { WebhookId } from '../../shared/foundation/ids.ts';
import { webhookKey, webhookOfKey } from '../../shared/webhooks/table-keys.ts';

type Item = Readonly<Record<string, unknown>>;

/** Returns sentences, one for each orphan. @param now epoch ms, by the clock of the stack */
export const orphansIn = (items: readonly Item[], now: number): string[] => {
  const keys = new Set(items.map(({ pk, sk }) => `${pk} ${sk}`));
  const exists = (pk: string, sk: string) => keys.has(`${pk} ${sk}`);
  const after = (text: unknown) => String(text).split('#').slice(1).join('#');
  const found = items.flatMap((item): string[] => {
    const pk = String(item.pk);
    const sk = String(item.sk);
    const isMissing = (what: string, otherPk: string, otherSk: string) =>
      exists(otherPk, otherSk) ? [] : [`${pk} ${sk} has no ${what}`];
    const isWithoutWebhook = () => {
      const key = webhookKey(after(sk) as WebhookId);
      return isMissing('webhook', key.pk, key.sk);
    };
    if (webhookOfKey({ pk, sk }) !== undefined)
      return [
        ...subscribedLists(String(item.event)).flatMap((list) =>
          isMissing('subscriber', `EVENT#${list}`, `SUBSCRIBER#${item.id}`),
        ),
        ...isMissing('pointer in its integration', `INTEGRATION#${item.integration_id}`, `WEBHOOK#${item.id}`),
      ];
    // One that has left the list stays for a while, whatever becomes of its webhook.
    if (sk.startsWith('SUBSCRIBER#')) return item.left === undefined ? isWithoutWebhook() : [];
    if (pk.startsWith('INTEGRATION#') && sk.startsWith('WEBHOOK#')) return isWithoutWebhook();
    if (pk.startsWith('INTEGRATION#') && sk.startsWith('KEY#')) return isMissing('key', sk, 'KEY');
    if (pk.startsWith('INTEGRATION#') && sk !== 'INTEGRATION') return [];
    // The other item of this partition counts them.
    if (pk === 'INTEGRATIONS' && sk.startsWith('INTEGRATION#')) return isMissing('integration', sk, 'INTEGRATION');
    if (pk.startsWith('ADDRESS#') && item.holder === 'invite')
      return isMissing('invite', 'INVITES', `INVITE#${item.invite_id}`);
    if (pk.startsWith('ADDRESS#')) return isMissing('staff member', 'STAFF', `STAFF#${item.staff_id}`);
    return [];
  });
  const webhooks = items.filter(({ pk, sk }) => webhookOfKey({ pk: String(pk), sk: String(sk) }) !== undefined);
  const names = webhooks.reduce((sum, { event }) => sum + namesIn(String(event)).length, 0);
  const guards = items.filter(({ sk }) => String(sk).startsWith('TARGET#')).length;
  const overdue = items.filter(({ due_at }) => typeof due_at === 'string' && Date.parse(due_at) < now - 10 * 60_000);
  return [
    ...found,
    ...(guards === names ? [] : [`webhooks with ${names} names of events have ${guards} guards`]),
    ...overdue.map(({ pk, sk, due_at }) => `${pk} ${sk} was due at ${due_at}`),
  ];
};
