/** What stays at Ghost, and why. */
import { visible } from '../../command-line/print.ts';
import { type Facts, type Import, isSame } from './facts.ts';
import { integrationsThatStay, type Refusals, standing } from './plan.ts';
import { shown } from './steps.ts';

/** Returns why webhooks cannot move, by id. The stage is asked, and creates nothing. */
export const askStage = async ({ stage, included }: Import, facts: Facts): Promise<Map<string, string>> => {
  const refusals = new Map<string, string>();
  for (const { there, copy, differing } of standing(facts, included)) {
    if (copy !== undefined && differing.length === 0) continue;
    const other = facts.here.find(({ webhooks }) => webhooks.some((one) => one.id !== copy?.id && isSame(one, there)));
    const reason =
      other === undefined
        ? await stage.wouldRefuse(there)
        : `The integration ${visible(other.name)} here has a webhook for this event and target already.`;
    // The copy itself is in the way of its successor.
    if (reason !== undefined && !(copy !== undefined && isSame(copy, there))) refusals.set(there.id, reason);
  }
  return refusals;
};

/** Prints the webhooks that stay, with the reasons. */
export const printStays = ({ print, included }: Import, facts: Facts, refusals: Refusals): void => {
  for (const { name, webhooks } of integrationsThatStay(facts, included))
    print(
      `stays     ${visible(name)}, with ${webhooks.length} ${webhooks.length === 1 ? 'webhook' : 'webhooks'}: it ` +
        `is built in, and creates and deletes its webhooks itself. --include "${visible(name)}" moves them anyway.`,
    );
  for (const webhook of facts.integrations.flatMap(({ webhooks }) => webhooks)) {
    const reason = refusals.get(webhook.id);
    if (reason !== undefined) print(`stays     ${shown(webhook)}\n          ${visible(reason)}`);
  }
};
