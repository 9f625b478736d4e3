/**
 * The current state of both sides, and their comparison: read before every step, because people change both. What
 * stands at Ghost is before its switch, and Ghost wins; what was removed there belongs to Masthead.
 */

import { ghostEvents } from '../../../shared/foundation/event-names.ts';
import { covers } from '../../../shared/foundation/event-selection.ts';
import { secretHint } from '../../../shared/integrations/move/hint.ts';
import type { GhostIntegration, GhostSite, GhostWebhook, ListedWebhook } from './ghost-site.ts';
import type { MoveRecord, RecordChanges } from './record.ts';
import type { MoveResource, Stage, StageIntegration, StageWebhook } from './stage.ts';

export interface Import {
  readonly site: GhostSite;
  readonly stage: Stage;
  readonly record: MoveRecord;
  /** The inbound secret, once this run has made one. */
  readonly inbound: { secret?: string };
  readonly included: readonly string[];
  readonly print: (line: string) => void;
  /** Asks a person; false without a terminal. */
  readonly ask: (question: string) => Promise<boolean>;
  readonly wait: (ms: number) => Promise<unknown>;
}

export type MovedWebhook = MoveResource['originals'][number];
export type MovedIntegration = MoveResource['integrations'][number];

/** Somebody who gets an event of the site: a webhook as it is at Ghost, as it was recorded, and as it is here. */
export interface Receiver {
  readonly there: ListedWebhook | undefined;
  readonly original: MovedWebhook | undefined;
  readonly copy: StageWebhook | undefined;
  readonly differing: readonly string[];
}

export interface Facts {
  readonly record: MoveResource;
  /** The integrations at Ghost, without what we created there and without relays. */
  readonly integrations: readonly GhostIntegration[];
  readonly receivers: readonly Receiver[];
  readonly relay: GhostIntegration | undefined;
  /** The relays to this stage, wherever they are at Ghost. */
  readonly relays: readonly ListedWebhook[];
  /** Relays that are not of this move: to another stage, or entered by hand. */
  readonly otherRelays: readonly ListedWebhook[];
  /** The integration here whose inbound secret the site signs with. */
  readonly receiver: StageIntegration | undefined;
  readonly copies: ReadonlyMap<string, StageIntegration>;
  readonly here: readonly StageIntegration[];
  /** What an interrupted or a second run created, and nobody uses. */
  readonly orphans: { readonly here: readonly StageIntegration[]; readonly there: readonly GhostIntegration[] };
  /** What is found by its description, because a run was stopped before it could record it. */
  readonly unrecorded: RecordChanges;
}

export const relayName = 'Masthead';

/** Descriptions by which something is found that a run created but could not record. */
export const descriptions = {
  relay: (to: string) => `Relays events to ${to}. To remove it: ops import-ghost --undo`,
  receiver: ({ from, site }: MoveResource) => `Receives the events of ${from} (site ${site}).`,
  copy: ({ from, site }: MoveResource, id: string) => `Imported from ${from} (site ${site}, integration ${id}).`,
};

/** Returns the target URL of the relay of an event. */
export const relayTarget = ({ to }: Pick<MoveResource, 'to'>, receiver: StageIntegration, event: string): string =>
  `${to}/inbound/ghost/${receiver.id}/${event}/`;

/** Returns the integration of any stage that a target names, if it is that of a relay. */
const receiverIn = (target: string): string | undefined => /\/inbound\/ghost\/([0-9a-f]{24})\//.exec(target)?.[1];

/** Whether two webhooks are the same to both sides, which compare event and target without case. */
export const isSame = (
  one: Pick<GhostWebhook, 'event' | 'target_url'>,
  other: Pick<GhostWebhook, 'event' | 'target_url'>,
): boolean =>
  one.event.toLowerCase() === other.event.toLowerCase() &&
  one.target_url.toLowerCase() === other.target_url.toLowerCase();

/** Whether a webhook here subscribes to an event. */
export const subscribes = (webhook: Pick<StageWebhook, 'event'>, event: string): boolean =>
  covers(webhook.event, event);

/** Returns the events of a Ghost site that a webhook here subscribes to. */
export const eventsOf = (webhook: Pick<StageWebhook, 'event'>): string[] =>
  ghostEvents.filter((event) => subscribes(webhook, event));

/** Returns the secret that the relays sign with, if it is known: Ghost shows it, and the stage hints at it. */
export const inboundSecretOf = ({ relays, record }: Facts, { inbound }: Pick<Import, 'inbound'>): string | undefined =>
  inbound.secret ?? relays.find((relay) => isSigned(relay, record))?.secret ?? undefined;

/** Whether a relay signs with the inbound secret of the stage. */
export const isSigned = ({ secret }: ListedWebhook, { inbound_hint, receiver_id }: MoveResource): boolean =>
  secret !== null && inbound_hint !== null && secretHint(receiver_id ?? '', secret) === inbound_hint;

/** Reads both sides and compares them. */
export const readFacts = async ({ site, stage, record }: Import): Promise<Facts> => {
  const [there, here] = await Promise.all([site.listIntegrations(), stage.listIntegrations(), record.refresh()]);
  const move = record.now;
  const marked = (text: string, id: string | null) =>
    here.find((one) => one.id === id) ?? here.find((one) => one.description === text);
  const receiver = marked(descriptions.receiver(move), move.receiver_id);
  const receiverId = receiver?.id ?? move.receiver_id;
  const ours = there.filter(({ description }) => description === descriptions.relay(move.to));
  const relay = there.find(({ id }) => id === move.relay_id) ?? ours[0];
  const relays = there.flatMap(({ webhooks }) => webhooks.filter((one) => receiverIn(one.target_url) !== undefined));
  const integrations = there
    .filter((one) => one !== relay && !(ours.includes(one) && one.webhooks.length === 0))
    .map((one) => ({ ...one, webhooks: one.webhooks.filter((webhook) => !relays.includes(webhook)) }));
  const copies = new Map(
    [...integrations.map(({ id }) => id), ...move.integrations.map(({ id }) => id)].flatMap((id) => {
      const recorded = move.integrations.find((one) => one.id === id);
      const copy = marked(descriptions.copy(move, id), recorded?.copy_id ?? null);
      return copy === undefined ? [] : [[id, copy] as const];
    }),
  );
  const used = [receiver, ...copies.values()];
  const isMarked = ({ description }: StageIntegration) =>
    description === descriptions.receiver(move) ||
    /^Imported from .* \(site (\S+),/.exec(description ?? '')?.[1] === move.site;
  return {
    record: move,
    integrations,
    receivers: compare(move, integrations, here, copies),
    relay,
    relays: relays.filter((one) => receiverIn(one.target_url) === receiverId),
    otherRelays: relays.filter((one) => receiverIn(one.target_url) !== receiverId),
    receiver,
    copies,
    here,
    orphans: {
      here: here.filter((one) => isMarked(one) && !used.includes(one) && one.webhooks.length === 0),
      there: ours.filter((one) => one !== relay && one.webhooks.length === 0),
    },
    unrecorded: {
      ...(receiver !== undefined && receiver.id !== move.receiver_id && { receiver_id: receiver.id as Id }),
      ...(relay !== undefined && relay.id !== move.relay_id && { relay_id: relay.id }),
      integrations: move.integrations.map((one) => ({
        ...one,
        copy_id: (copies.get(one.id)?.id ?? null) as Id | null,
      })),
    },
  };
};
type Id = NonNullable<MoveResource['receiver_id']>;

/** Returns every webhook that stands at Ghost or was ever copied, with what stands for it on the other side. */
const compare = (
  { originals }: MoveResource,
  integrations: readonly GhostIntegration[],
  here: readonly StageIntegration[],
  copies: ReadonlyMap<string, StageIntegration>,
): Receiver[] => {
  const webhooks = integrations.flatMap((one) => one.webhooks);
  const byId = new Map(here.flatMap((one) => one.webhooks.map((webhook) => [webhook.id, webhook] as const)));
  const claimed = new Set<string | null>(originals.map(({ copy_id }) => copy_id));
  const copyOf = (one: Pick<GhostWebhook, 'event' | 'target_url' | 'integration_id'>, id: string | null | undefined) =>
    byId.get(id ?? '') ??
    copies.get(one.integration_id)?.webhooks.find((other) => isSame(one, other) && !claimed.has(other.id));
  const standing = webhooks.map((there): Receiver => {
    const original =
      originals.find(({ id }) => id === there.id) ??
      originals.find((one) => isSame(one, there) && !webhooks.some(({ id }) => id === one.id));
    const copy = copyOf(there, original?.copy_id);
    return { there, original, copy, differing: copy === undefined ? [] : differences(there, original, copy) };
  });
  const gone = originals.filter((one) => !standing.some(({ original }) => original === one));
  const left = gone.map((original): Receiver => {
    // Somebody may have created a deleted copy again, in any integration.
    const again = here.flatMap((one) => one.webhooks).find((one) => isSame(one, original));
    return { there: undefined, original, copy: copyOf(original, original.copy_id) ?? again, differing: [] };
  });
  return [...standing, ...left];
};

const differences = (there: ListedWebhook, original: MovedWebhook | undefined, copy: StageWebhook): string[] => {
  // One that was removed and stands again is another webhook.
  if (original === undefined || original.id !== there.id) return ['id'];
  const hint = secretHint(original.id, there.secret || null);
  return [
    ...(there.event === copy.event ? [] : ['event']),
    ...(there.target_url === copy.target_url ? [] : ['target']),
    ...((there.name || null) === copy.name ? [] : ['name']),
    ...(there.api_version === null || there.api_version === copy.api_version ? [] : ['version']),
    ...(hint === original.copy_secret_hint ? [] : ['secret']),
  ];
};
