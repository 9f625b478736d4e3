/** What stays at Ghost, and why. */
import { visible } from '../../command-line/print.ts';
import type { Facts, Import } from './facts.ts';
import type { GhostWebhook } from './ghost-site.ts';
import { copyOf, integrationsThatStay, integrationsToMove, type Refusals } from './plan.ts';
import { shown } from './steps.ts';

/** Returns why webhooks cannot move, by id. The stage is asked, and creates nothing. */
export const askStage = async ({ stage, included }: Import, facts: Facts): Promise<Map<string, string>> => {
  const refusals = new Map<string, string>();
  const others = facts.here.filter((one) => ![...facts.copies.values()].includes(one));
  for (const webhook of integrationsToMove(facts, included).flatMap(({ webhooks }) => webhooks)) {
    if (copyOf(facts, webhook) !== undefined) continue;
    const other = others.find(({ webhooks }) => webhooks.some((one) => isTarget(one, webhook)));
    const reason =
      other === undefined
        ? await stage.wouldRefuse(webhook)
        : `The integration ${visible(other.name)} here has a webhook for this event and target already.`;
    if (reason !== undefined) refusals.set(webhook.id, reason);
  }
  return refusals;
};

export const isTarget = (one: Pick<GhostWebhook, 'event' | 'target_url'>, other: GhostWebhook): boolean =>
  one.event === other.event && one.target_url.toLowerCase() === other.target_url.toLowerCase();

/** Prints the webhooks that stay, with the reasons. */
export const printStays = ({ print, included }: Import, facts: Facts, refusals: Refusals): void => {
  for (const { name, webhooks } of integrationsThatStay(facts, included))
    print(
      `stays     ${visible(name)}, with ${webhooks.length} ${webhooks.length === 1 ? 'webhook' : 'webhooks'}: it is built in, and creates and deletes its webhooks itself. --include "${visible(name)}" moves them anyway.`,
    );
  for (const webhook of facts.integrations.flatMap(({ webhooks }) => webhooks)) {
    const reason = refusals.get(webhook.id);
    if (reason !== undefined) print(`stays     ${shown(webhook)}\n          ${visible(reason)}`);
  }
};
