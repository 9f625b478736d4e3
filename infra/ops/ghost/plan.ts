/**
 * The remaining steps, derived from the state of both sides. A dry run prints them; an import carries out the first one, reads both sides again and
 * derives the list anew. So a step can be repeated, and an interrupted run continues.
 */
import { type Facts, isSame, relayTarget } from './facts.ts';
import type { GhostIntegration, GhostWebhook, ListedWebhook } from './ghost-site.ts';
import type { ImportRecord } from './record.ts';
import type { StageIntegration } from './stage.ts';

export type Step =
  | { readonly kind: 'make receiver' | 'make secret' | 'make relay' }
  | { readonly kind: 'make copy'; readonly integration: GhostIntegration }
  | { readonly kind: 'copy'; readonly integration: GhostIntegration; readonly webhook: GhostWebhook }
  | { readonly kind: 'relay event'; readonly event: string }
  | { readonly kind: 'set secret' | 'drop relay'; readonly webhook: ListedWebhook }
  | { readonly kind: 'remove original'; readonly webhook: ListedWebhook }
  | { readonly kind: 'restore integration'; readonly id: string }
  | { readonly kind: 'restore original'; readonly webhook: GhostWebhook; readonly integrationId: string | undefined }
  | { readonly kind: 'delete relay'; readonly integration: GhostIntegration }
  | {
      readonly kind: 'delete copied webhook';
      readonly copy: StageIntegration;
      readonly webhook: StageIntegration['webhooks'][number];
    }
  | { readonly kind: 'delete here'; readonly integration: StageIntegration };

/** Reasons why webhooks stay at Ghost, by id. */
export type Refusals = ReadonlyMap<string, string>;

/** Returns the integrations whose webhooks move: custom ones, and built-in ones that were named. */
export const integrationsToMove = ({ integrations }: Facts, included: readonly string[]): GhostIntegration[] =>
  integrations.filter(
    ({ type, name, webhooks }) => webhooks.length > 0 && (type === 'custom' || isNamed(name, included)),
  );

/** Returns the built-in integrations that have webhooks and are not moved. */
export const integrationsThatStay = ({ integrations }: Facts, included: readonly string[]): GhostIntegration[] =>
  integrations.filter(
    ({ type, name, webhooks }) => webhooks.length > 0 && type !== 'custom' && !isNamed(name, included),
  );

/** Returns the webhooks at Ghost that could move. */
export const movable = (facts: Facts, included: readonly string[], refusals: Refusals): ListedWebhook[] =>
  integrationsToMove(facts, included).flatMap(({ webhooks }) => webhooks.filter(({ id }) => !refusals.has(id)));

const isNamed = (name: string, names: readonly string[]): boolean =>
  names.some((one) => one.toLowerCase() === name.toLowerCase());

/** Returns the secret that the relay signs with, if it is known: Ghost shows the one of a webhook. */
export const secretOf = ({ relays }: Facts, { secret }: ImportRecord): string | undefined =>
  secret ?? relays.find((one) => one.secret !== null)?.secret ?? undefined;

/** Returns the copy here of a webhook at Ghost. */
export const copyOf = ({ copies }: Facts, webhook: GhostWebhook) =>
  copies.get(webhook.integration_id)?.webhooks.find((one) => isSame(one, webhook));

/** Returns the events that the webhooks here need. */
const eventsHere = ({ copies }: Facts): string[] =>
  [...copies.values()].flatMap(({ webhooks }) => webhooks.map(({ event }) => event));

/** Returns the steps that copy webhooks and create the relay. From then on, receivers get events from both sides. */
export const planCopies = (
  facts: Facts,
  record: ImportRecord,
  included: readonly string[],
  refusals: Refusals,
): Step[] => {
  const moving = integrationsToMove(facts, included);
  const copies = moving.flatMap((integration): Step[] => {
    const wanted = integration.webhooks.filter((one) => copyOf(facts, one) === undefined && !refusals.has(one.id));
    if (wanted.length === 0) return [];
    return [
      ...(facts.copies.has(integration.id) ? [] : [{ kind: 'make copy', integration } as const]),
      ...wanted.map((webhook) => ({ kind: 'copy', integration, webhook }) as const),
    ];
  });
  const copied = copies.flatMap((step) => (step.kind === 'copy' ? [step.webhook.event] : []));
  // Sorted, so that the dry run has the order in which an import goes on.
  const events = [...new Set([...eventsHere(facts), ...copied])].sort();
  if (events.length === 0) return planDrops(facts, events);
  return [
    ...(facts.receiver === undefined ? [{ kind: 'make receiver' } as const] : []),
    ...(secretOf(facts, record) === undefined ? [{ kind: 'make secret' } as const] : []),
    ...copies,
    ...(facts.relay === undefined ? [{ kind: 'make relay' } as const] : []),
    ...events.flatMap((event): Step[] =>
      relayOf(facts, record, event) === undefined ? [{ kind: 'relay event', event }] : [],
    ),
    ...facts.relays.flatMap((webhook): Step[] =>
      webhook.secret === secretOf(facts, record) ? [] : [{ kind: 'set secret', webhook }],
    ),
    ...planDrops(facts, events),
  ];
};

/** Returns webhooks of the relay that nothing here needs: leftovers of an interrupted test, or of webhooks that were deleted here. */
const planDrops = ({ relays }: Facts, events: readonly string[]): Step[] =>
  relays.flatMap((webhook): Step[] => (events.includes(webhook.event) ? [] : [{ kind: 'drop relay', webhook }]));

/** Returns the relay's webhook for an event. */
const relayOf = ({ receiver, relays }: Facts, { to }: ImportRecord, event: string): ListedWebhook | undefined =>
  receiver && relays.find((one) => one.event === event && one.target_url === relayTarget(to, receiver, event));

/** Returns the originals that can be removed: their copy is in use, and their event is relayed. */
export const planRemovals = (
  facts: Facts,
  record: ImportRecord,
  included: readonly string[],
): Extract<Step, { kind: 'remove original' }>[] =>
  integrationsToMove(facts, included).flatMap(({ webhooks }) =>
    webhooks
      .filter((webhook) => {
        const relay = relayOf(facts, record, webhook.event);
        return (
          copyOf(facts, webhook)?.status === 'available' &&
          relay !== undefined &&
          relay.secret === secretOf(facts, record)
        );
      })
      .map((webhook) => ({ kind: 'remove original', webhook }) as const),
  );

/** Returns the steps that undo everything: at Ghost first, so that no event is lost. `failed` are originals that Ghost does not accept. */
export const planUndo = (facts: Facts, record: ImportRecord, failed: Refusals): Step[] => {
  const all = facts.integrations.flatMap(({ webhooks }) => webhooks);
  const missing = Object.entries(record.originals).flatMap(([id, { webhook, removed }]) =>
    removed && !failed.has(id) && !all.some((one) => isSame(one, webhook)) ? [webhook] : [],
  );
  const homeOf = (id: string) => restoredAs(facts, record, id)?.id;
  const homeless = [...new Set(missing.map((one) => one.integration_id))].filter((id) => homeOf(id) === undefined);
  const back = (one: Pick<GhostWebhook, 'event' | 'target_url'>) =>
    [...all, ...missing].some((original) => isSame(original, one));
  const remaining = [...facts.copies.values()].flatMap(({ webhooks }) => webhooks.filter((one) => !back(one)));
  const events = remaining.map(({ event }) => event);
  return [
    ...homeless.map((id) => ({ kind: 'restore integration', id }) as const),
    ...missing.map(
      (webhook) => ({ kind: 'restore original', webhook, integrationId: homeOf(webhook.integration_id) }) as const,
    ),
    ...(events.length === 0 && facts.relay !== undefined
      ? [{ kind: 'delete relay', integration: facts.relay } as const]
      : []),
    ...planDrops(
      { ...facts, relays: facts.relays.filter((one) => events.length > 0 || one.integration_id !== facts.relay?.id) },
      events,
    ),
    ...[...facts.copies.values()].flatMap((copy): Step[] =>
      copy.webhooks.every(back)
        ? [{ kind: 'delete here', integration: copy }]
        : copy.webhooks.filter(back).map((webhook) => ({ kind: 'delete copied webhook', copy, webhook }) as const),
    ),
    ...(events.length === 0 && facts.receiver !== undefined
      ? [{ kind: 'delete here', integration: facts.receiver } as const]
      : []),
  ];
};

/** Returns the integration at Ghost that an original belongs to: its original integration, or the one created in its place. */
export const restoredAs = ({ integrations }: Facts, record: ImportRecord, id: string): GhostIntegration | undefined => {
  const name = record.integrations[id]?.name;
  return (
    integrations.find((one) => one.id === id) ??
    integrations.find((one) => one.type === 'custom' && one.name === name && !(one.id in record.integrations))
  );
};

/** Returns the webhooks here that were not imported, or whose originals Ghost does not accept. Their events still need the relay. */
export const remainingHere = (facts: Facts): StageIntegration['webhooks'] =>
  [...facts.copies.values()].flatMap(({ webhooks }) => webhooks);
