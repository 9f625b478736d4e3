/**
 * The remaining steps, derived from both sides. A dry run prints them; an import carries out the first and derives
 * the list anew. So steps can be repeated, and an interrupted run continues, on any machine.
 */
import {
  eventsOf,
  type Facts,
  type Import,
  inboundSecretOf,
  isSigned,
  type MovedIntegration,
  type MovedWebhook,
  type Receiver,
  relayTarget,
  subscribes,
} from './facts.ts';
import type { GhostIntegration, ListedWebhook } from './ghost-site.ts';
import type { StageIntegration, StageWebhook } from './stage.ts';

export type Step =
  | { readonly kind: 'make receiver' | 'make secret' | 'make relay' | 'release receiver' }
  | { readonly kind: 'make copy'; readonly integration: GhostIntegration }
  | { readonly kind: 'copy'; readonly webhook: ListedWebhook; readonly replaces: MovedWebhook | undefined }
  | { readonly kind: 'delete copy'; readonly webhook: StageWebhook; readonly reason: string }
  | { readonly kind: 'forget'; readonly original: MovedWebhook }
  | { readonly kind: 'relay event'; readonly event: string }
  | { readonly kind: 'change relay' | 'drop relay'; readonly webhook: ListedWebhook }
  | { readonly kind: 'remove original'; readonly webhook: ListedWebhook; readonly copy: StageWebhook }
  | { readonly kind: 'restore integration'; readonly integration: MovedIntegration }
  | { readonly kind: 'restore original'; readonly webhook: MovedWebhook; readonly integrationId: string | undefined }
  | { readonly kind: 'delete relay'; readonly integration: GhostIntegration }
  | { readonly kind: 'delete here'; readonly integration: StageIntegration };

export type Refusals = ReadonlyMap<string, string>;

const isNamed = ({ name }: GhostIntegration, names: readonly string[]): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** Returns the integrations whose new webhooks move: custom ones, and built-in ones that were named. */
const movesAll = (integration: GhostIntegration, included: readonly string[]): boolean =>
  integration.type === 'custom' || isNamed(integration, included);

/** Returns the built-in integrations that have webhooks which are not moved. */
export const integrationsThatStay = ({ integrations }: Facts, included: readonly string[]): GhostIntegration[] =>
  integrations.filter((one) => one.webhooks.length > 0 && !movesAll(one, included));

export interface Standing extends Receiver {
  readonly there: ListedWebhook;
}

/** Returns the webhooks at Ghost that should move. */
export const standing = ({ integrations, receivers }: Facts, included: readonly string[]): Standing[] => {
  const moving = new Set(integrations.flatMap((one) => (movesAll(one, included) ? one.webhooks : [])));
  return receivers.filter(
    (one): one is Standing => one.there !== undefined && (moving.has(one.there) || one.original !== undefined),
  );
};

/** Returns the webhooks at Ghost that could move. */
export const movable = (facts: Facts, included: readonly string[], refusals: Refusals): ListedWebhook[] =>
  standing(facts, included).flatMap(({ there }) => (refusals.has(there.id) ? [] : [there]));

/** Returns the steps that copy webhooks and create the relays. From then on, receivers get events from both sides. */
export const planCopies = (facts: Facts, work: Import, refusals: Refusals): Step[] => {
  const wanted = standing(facts, work.included).filter(
    ({ there, copy, differing }) => !refusals.has(there.id) && (copy === undefined || differing.length > 0),
  );
  const homes = facts.integrations.filter(({ id }) => wanted.some(({ there }) => there.integration_id === id));
  const copying = wanted.map(({ there, original }) => ({ kind: 'copy', webhook: there, replaces: original }) as const);
  const outdated = planOutdated(facts, refusals);
  // Sorted, so that the dry run has the order in which an import goes on.
  const events = [...new Set([...eventsHere(facts, outdated), ...wanted.map(({ there }) => there.event)])].sort();
  if (events.length === 0) return [...outdated, ...planOrphans(facts), ...planRelays(facts, [])];
  return [
    ...outdated,
    ...(facts.receiver === undefined ? [{ kind: 'make receiver' } as const] : []),
    ...(inboundSecretOf(facts, work) === undefined ? [{ kind: 'make secret' } as const] : []),
    ...homes.flatMap((integration): Step[] =>
      facts.copies.has(integration.id) ? [] : [{ kind: 'make copy', integration }],
    ),
    ...copying,
    ...(facts.relay === undefined ? [{ kind: 'make relay' } as const] : []),
    ...planRelays(facts, events),
    ...planOrphans(facts),
  ];
};

/** Ghost wins while a webhook stands there, and when it was deleted there before its switch. */
const planOutdated = ({ receivers }: Facts, refusals: Refusals): Step[] =>
  receivers.flatMap(({ there, original, copy, differing }): Step[] => {
    if (there !== undefined && copy !== undefined && original !== undefined) {
      if (refusals.has(there.id)) return [{ kind: 'delete copy', webhook: copy, reason: 'Ghost keeps it' }];
      const reason = differing.includes('id') ? 'it stands at Ghost again' : `at Ghost another ${differing.join(', ')}`;
      return differing.length === 0 ? [] : [{ kind: 'delete copy', webhook: copy, reason }];
    }
    if (original === undefined || (there === undefined && original.removed)) return [];
    if (there === undefined && copy !== undefined)
      return [{ kind: 'delete copy', webhook: copy, reason: 'it was deleted at Ghost' }];
    return there === undefined || refusals.has(there.id) ? [{ kind: 'forget', original }] : [];
  });

/** Returns the events that the copies need, and what somebody added to them. */
const eventsHere = ({ copies, receivers }: Facts, outdated: readonly Step[]): string[] => {
  const leaving = outdated.flatMap((step) => (step.kind === 'delete copy' ? [step.webhook.id] : []));
  const webhooks = [
    ...[...copies.values()].flatMap((one) => one.webhooks),
    ...receivers.flatMap(({ copy }) => copy ?? []),
  ];
  return webhooks.filter(({ id }) => !leaving.includes(id)).flatMap(eventsOf);
};

const isWanted = ({ here, receiver }: Facts, event: string): boolean =>
  here.some((one) => one !== receiver && one.webhooks.some((webhook) => subscribes(webhook, event)));

/** Returns the steps after which each event has one relay, with the right target and secret, and no other has one. */
const planRelays = (facts: Facts, events: readonly string[]): Step[] => {
  const wanted = [...facts.relays.filter(({ event }) => isWanted(facts, event)).map(({ event }) => event), ...events];
  return [...new Set([...events, ...facts.relays.map(({ event }) => event)])].flatMap((event): Step[] => {
    const relays = facts.relays.filter((one) => one.event === event);
    if (!wanted.includes(event)) return relays.map((webhook) => ({ kind: 'drop relay', webhook }));
    const right = relays.find((one) => isRight(one, facts)) ?? relays[0];
    if (right === undefined) return [{ kind: 'relay event', event }];
    return [
      ...(isRight(right, facts) ? [] : [{ kind: 'change relay', webhook: right } as const]),
      ...relays.filter((one) => one !== right).map((webhook) => ({ kind: 'drop relay', webhook }) as const),
    ];
  });
};

/** Whether a relay has the target and the secret that it should have. */
export const isRight = (one: ListedWebhook, { receiver, record }: Facts): boolean =>
  receiver !== undefined && one.target_url === relayTarget(record, receiver, one.event) && isSigned(one, record);

/** Whether an event has a relay as it should be. */
export const isRelayed = (event: string, facts: Facts): boolean =>
  facts.relays.some((one) => one.event === event && isRight(one, facts));

const planOrphans = ({ orphans }: Facts): Step[] => [
  ...orphans.here.map((integration) => ({ kind: 'delete here', integration }) as const),
  ...orphans.there.map((integration) => ({ kind: 'delete relay', integration }) as const),
];

/** Returns the originals that can be removed: their copy is the same and in use, and their event is relayed. */
export const planRemovals = (facts: Facts, included: readonly string[]): Extract<Step, { kind: 'remove original' }>[] =>
  standing(facts, included).flatMap(({ there, copy, differing }) => {
    return copy?.status === 'available' && differing.length === 0 && isRelayed(there.event, facts)
      ? [{ kind: 'remove original', webhook: there, copy } as const]
      : [];
  });

/** Returns the webhooks here that an undo would silence: without an original, and subscribed to the site's events. */
export const silentAfterUndo = (facts: Facts, failed: Refusals): readonly StageWebhook[] => {
  const back = new Set(
    facts.receivers.flatMap(({ there, original, copy }) =>
      there !== undefined || !original?.removed || !failed.has(original.id) ? (copy?.id ?? []) : [],
    ),
  );
  return facts.here
    .flatMap((one) => (one === facts.receiver ? [] : one.webhooks))
    .filter(
      (one) => !back.has(one.id) && eventsOf(one).some((event) => facts.relays.some((relay) => relay.event === event)),
    );
};

/**
 * Returns the steps that undo everything: at Ghost first, so that no event is lost. `failed` are originals that
 * Ghost does not accept; `silenced` are webhooks here whose events may end.
 */
export const planUndo = (facts: Facts, failed: Refusals, silenced: readonly StageWebhook[]): Step[] => {
  const missing = facts.receivers.flatMap(({ there, original }) =>
    there === undefined && original?.removed && !failed.has(original.id) ? [original] : [],
  );
  const homeOf = (id: string) => restoredAs(facts, id)?.id;
  const homeless = facts.record.integrations.filter(
    ({ id }) => homeOf(id) === undefined && missing.some((one) => one.integration_id === id),
  );
  const isSilenced = ({ id }: StageWebhook) => silenced.some((one) => one.id === id);
  const remaining = silentAfterUndo(facts, failed).filter((one) => !isSilenced(one));
  const leaving = facts.receivers.flatMap(({ there, original, copy }) => {
    const isDeletedThere = there === undefined && original?.removed === false;
    return copy !== undefined && (there !== undefined || isDeletedThere || missing.includes(original as MovedWebhook))
      ? [copy.id]
      : [];
  });
  const isEnd = remaining.length === 0;
  return [
    ...homeless.map((integration) => ({ kind: 'restore integration', integration }) as const),
    ...missing.map(
      (webhook) => ({ kind: 'restore original', webhook, integrationId: homeOf(webhook.integration_id) }) as const,
    ),
    ...(isEnd && facts.relay !== undefined ? [{ kind: 'delete relay', integration: facts.relay } as const] : []),
    ...facts.relays.flatMap((webhook): Step[] =>
      (isEnd && webhook.integration_id !== facts.relay?.id) ||
      !(isEnd || remaining.some((one) => subscribes(one, webhook.event)))
        ? [{ kind: 'drop relay', webhook }]
        : [],
    ),
    ...[...facts.copies.values()].flatMap((copy): Step[] =>
      copy.webhooks.every(({ id }) => leaving.includes(id))
        ? [{ kind: 'delete here', integration: copy }]
        : copy.webhooks.flatMap((webhook): Step[] =>
            leaving.includes(webhook.id) ? [{ kind: 'delete copy', webhook, reason: 'Ghost sends again' }] : [],
          ),
    ),
    ...planOrphans(facts),
    ...(isEnd && facts.record.receiver_id !== null ? [{ kind: 'release receiver' } as const] : []),
    ...(isEnd && facts.receiver !== undefined ? [{ kind: 'delete here', integration: facts.receiver } as const] : []),
  ];
};

/** Returns the integration at Ghost of an original: its own, or the one created in its place. */
export const restoredAs = ({ integrations, record }: Facts, id: string): GhostIntegration | undefined => {
  const recorded = record.integrations.find((one) => one.id === id);
  const known = record.integrations.flatMap((one) => [one.id, one.restored_id]);
  return (
    integrations.find((one) => one.id === id) ??
    integrations.find((one) => one.id === recorded?.restored_id) ??
    // A run was stopped before it could record what it had created.
    integrations.find((one) => one.name === recorded?.name && one.webhooks.length === 0 && !known.includes(one.id))
  );
};
