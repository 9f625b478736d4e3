/** The current state of both sides. It is read again before every step, because people change it in the meantime and our own record can be outdated. */
import type { GhostIntegration, GhostSite, GhostWebhook, ListedWebhook } from './ghost-site.ts';
import type { ImportRecord, RecordFile } from './record.ts';
import type { Stage, StageIntegration } from './stage.ts';

export interface Import {
  readonly site: GhostSite;
  readonly stage: Stage;
  readonly file: RecordFile;
  /** Names of built-in integrations that are moved too. */
  readonly included: readonly string[];
  readonly print: (line: string) => void;
  /** Asks a person; false without a terminal. */
  readonly ask: (question: string) => Promise<boolean>;
  readonly wait: (ms: number) => Promise<unknown>;
}

export interface Facts {
  /** The webhooks at Ghost, without the relay's. */
  readonly integrations: readonly GhostIntegration[];
  /** The integration at Ghost that holds the relay's webhooks. */
  readonly relay: GhostIntegration | undefined;
  /** The relay's webhooks, wherever they are at Ghost. */
  readonly relays: readonly ListedWebhook[];
  /** The integration here whose inbound secret the site signs with. */
  readonly receiver: StageIntegration | undefined;
  /** The copies here, by the id of the integration at Ghost. */
  readonly copies: ReadonlyMap<string, StageIntegration>;
  /** All integrations here. */
  readonly here: readonly StageIntegration[];
}

/** Name of the integration that holds the relay's webhooks at Ghost. */
export const relayName = 'Masthead';

/** Descriptions that identify what we created, so that this does not depend on the record. */
export const descriptions = {
  relay: (to: string) => `Relays events to ${to}. To remove it: ops import-ghost --undo`,
  receiver: ({ from, site }: ImportRecord) => `Receives the events of ${from} (site ${site}).`,
  copy: ({ from, site }: ImportRecord, id: string) => `Imported from ${from} (site ${site}, integration ${id}).`,
};

/** Returns the beginning of the relay's target URLs. */
const inboundOf = (to: string): string => `${to}/inbound/ghost/`;

/** Returns the target URL of the relay's webhook for an event. */
export const relayTarget = (to: string, receiver: StageIntegration, event: string): string =>
  `${inboundOf(to)}${receiver.id}/${event}/`;

/** Whether two webhooks are the same to both sides, which compare event and target without case. */
export const isSame = (
  one: Pick<GhostWebhook, 'event' | 'target_url'>,
  other: Pick<GhostWebhook, 'event' | 'target_url'>,
): boolean =>
  one.event.toLowerCase() === other.event.toLowerCase() &&
  one.target_url.toLowerCase() === other.target_url.toLowerCase();

/** Reads both sides. */
export const readFacts = async ({ site, stage, file: { record } }: Import): Promise<Facts> => {
  const [there, here] = await Promise.all([site.listIntegrations(), stage.listIntegrations()]);
  const receiver = here.find(({ description }) => description === descriptions.receiver(record));
  const isRelayed = ({ target_url }: GhostWebhook) =>
    receiver !== undefined && target_url.startsWith(`${inboundOf(record.to)}${receiver.id}/`);
  const relay = there.find(({ description }) => description === descriptions.relay(record.to));
  const copies = there
    .map(({ id }) => id)
    .concat(Object.keys(record.integrations))
    .flatMap((id) => {
      const copy = here.find(({ description }) => description === descriptions.copy(record, id));
      return copy === undefined ? [] : [[id, copy] as const];
    });
  return {
    integrations: there
      .filter((one) => one !== relay)
      .map((one) => ({ ...one, webhooks: one.webhooks.filter((webhook) => !isRelayed(webhook)) })),
    relay,
    relays: there.flatMap(({ webhooks }) => webhooks.filter(isRelayed)),
    receiver,
    copies: new Map(copies),
    here,
  };
};
