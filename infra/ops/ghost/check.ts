/** Reports whether the events of a site arrive, and what to do if they do not. */
import { importCommand } from '../../../shared/integrations/relay/import-command.ts';
import { timeText } from '../output/times.ts';
import { causeAtGhost, refusedHere } from './causes.ts';
import { type Facts, type Import, readFacts, relayName } from './facts.ts';
import { integrationsToMove, movable, planCopies } from './plan.ts';
import { askStage, printStays } from './stays.ts';
import { shown, textOf } from './steps.ts';

/** Prints the state of the relay, and records at the stage which webhooks could move. Returns whether everything is in order. */
export const checkRelay = async (work: Import): Promise<boolean> => {
  const { print, stage, file, included } = work;
  const facts = await readFacts(work);
  if (facts.receiver === undefined) {
    print(`${file.record.from} is not connected to this stage: --apply connects it.`);
    return false;
  }
  const relay = (await stage.readRelays()).find(({ integration_id }) => integration_id === facts.receiver?.id);
  print(`last event     ${timeText(relay?.last_event_at ?? null)}`);
  print(`events a day   ${relay?.events_per_day ?? 0}`);
  const faults = [
    ...(relay === undefined
      ? ['The receiving integration has no inbound secret: --apply makes one.']
      : refusedHere(relay)),
    ...(relay?.last_event_at === null && !file.record.proven
      ? ['No event has arrived through the relay yet: --apply tests it and says why.']
      : []),
    ...silence(relay?.silent_since ?? null),
    ...atGhost(facts, work),
  ];
  for (const fault of faults) print(`✗ ${fault}`);
  const refusals = await askStage(work, facts);
  const added = movable(facts, included, refusals);
  for (const webhook of added) print(`! at Ghost, not moved: ${shown(webhook)}`);
  if (added.length > 0) print(`  → ${importCommand(file.record.from, stage.baseUrl, '--apply --switch')}`);
  printStays(work, facts, refusals);
  if (relay !== undefined) await stage.recordUnmoved(relay.integration_id, added);
  if (faults.length === 0) print('✓ No request was refused, and every event that is needed has its relay.');
  return faults.length === 0;
};

const silence = (since: string | null): string[] =>
  since === null ? [] : [`No event since ${timeText(since)}, which is unusual for this site.`];

/** What is wrong with the relay's webhooks at Ghost. */
const atGhost = (facts: Facts, { file, included }: Import): string[] => {
  const failed = facts.relays.flatMap((one) => {
    const cause = causeAtGhost(one);
    return cause === undefined ? [] : [`${one.event}: the last delivery failed. ${cause}`];
  });
  // Webhooks that are not copied yet are listed separately.
  const all = new Map(
    integrationsToMove(facts, included).flatMap(({ webhooks }) => webhooks.map(({ id }) => [id, ''])),
  );
  const missing = planCopies(facts, file.record, included, all).filter(({ kind }) => kind !== 'drop relay');
  const fixes =
    missing.length === 0
      ? []
      : [`--apply repairs this: ${missing.map((step) => textOf(step).replace(/ +/g, ' ')).join('; ')}.`];
  const lost = facts.relay === undefined ? [`The integration ${relayName} was deleted at Ghost.`] : [];
  return [...lost, ...failed, ...fixes];
};
