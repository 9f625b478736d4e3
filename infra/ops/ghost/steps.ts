/** Carries out a plan's steps, and describes each. Records what continuing or undoing needs before a step is made. */
import { ApiError } from '../../command-line/client.ts';
import { visible } from '../../command-line/print.ts';
import { descriptions, type Facts, type Import, inboundSecretOf, relayName, relayTarget } from './facts.ts';
import type { GhostWebhook } from './ghost-site.ts';
import { restoredAs, type Step } from './plan.ts';
import type { RecordChanges } from './record.ts';

export const shown = ({ event, target_url }: Pick<GhostWebhook, 'event' | 'target_url'>): string =>
  `${visible(event).padEnd(24)} ${visible(target_url)}`;

/** Describes a step in one line. */
export const textOf = (step: Step): string => {
  switch (step.kind) {
    case 'make receiver':
      return 'here      create   the integration that receives the events of the site';
    case 'make secret':
      return 'here      create   its inbound secret';
    case 'make copy':
      return `here      create   the integration ${visible(step.integration.name)}`;
    case 'copy':
      return `here      create   ${shown(step.webhook)}`;
    case 'delete copy':
      return `here      delete   ${shown(step.webhook)} (${visible(step.reason)})`;
    case 'forget':
      return `here      forget   ${shown(step.original)}`;
    case 'make relay':
      return `at Ghost  create   the integration ${relayName}`;
    case 'relay event':
      return `at Ghost  create   the relay of ${step.event}`;
    case 'change relay':
      return `at Ghost  change   the target and the secret of the relay of ${visible(step.webhook.event)}`;
    case 'drop relay':
      return `at Ghost  remove   the relay of ${visible(step.webhook.event)}, which nothing needs`;
    case 'remove original':
      return `at Ghost  remove   ${shown(step.webhook)}`;
    case 'restore integration':
      return `at Ghost  restore  the integration ${visible(step.integration.name)}`;
    case 'restore original':
      return `at Ghost  restore  ${shown(step.webhook)}`;
    case 'delete relay':
      return `at Ghost  delete   the integration ${visible(step.integration.name)}`;
    case 'release receiver':
      return 'here      release  the integration that receives the events of the site';
    case 'delete here':
      return `here      delete   the integration ${visible(step.integration.name)}`;
  }
};

/** Carries out a step. Returns why it is refused, if so. @throws ApiError, or Error if a person must decide */
export const applyStep = async (step: Step, work: Import, facts: Facts): Promise<string | undefined> => {
  const { site, stage, record } = work;
  const save = (changes: RecordChanges) => record.save({ ...facts.unrecorded, ...changes });
  const unproven = { proven_at: null };
  switch (step.kind) {
    case 'make receiver': {
      await save(unproven);
      const name = `Ghost ${record.now.from.replace(/^https?:\/\//, '')}`.slice(0, 191);
      const id = await stage.createIntegration(name, descriptions.receiver(record.now));
      await record.save({ receiver_id: id as Id });
      return undefined;
    }
    case 'make secret':
      await save({ ...unproven, receiver_id: needed(facts.receiver).id as Id });
      work.inbound.secret = await stage.makeInboundSecret(needed(facts.receiver).id);
      return undefined;
    case 'make copy': {
      const { id, name, description } = step.integration;
      const others = record.now.integrations.filter((one) => one.id !== id);
      const entry = { id, name, description, copy_id: null, restored_id: null };
      await save({ integrations: [...others, entry] });
      const copy = await stage.createIntegration(name, descriptions.copy(record.now, id));
      await record.save({ integrations: [...others, { ...entry, copy_id: copy as Id }] });
      return undefined;
    }
    case 'copy': {
      const { id, event, target_url, name, api_version, integration_id } = step.webhook;
      const secret = step.webhook.secret || null;
      await save({
        originals: [
          { id, event, target_url, name, secret, api_version, integration_id, removed: false, copy_id: null },
        ],
        ...(step.replaces !== undefined && step.replaces.id !== id && { forgotten: [step.replaces.id] }),
      });
      const created = await stage.createWebhook(step.webhook, needed(facts.copies.get(integration_id)).id);
      if (created.id !== undefined) await record.save({ originals: [{ id, copy_id: created.id as WebhookId }] });
      return created.refusal;
    }
    case 'delete copy':
      return void (await stage.deleteWebhook(step.webhook.id));
    case 'forget':
      return void (await save({ forgotten: [step.original.id] }));
    case 'make relay': {
      await save(unproven);
      await record.save({ relay_id: await site.createIntegration(relayName, descriptions.relay(record.now.to)) });
      return undefined;
    }
    case 'relay event':
      await save({ ...unproven, relays: [...new Set([...record.now.relays, step.event])] });
      await site.createWebhook({
        event: step.event,
        target_url: relayTarget(record.now, needed(facts.receiver), step.event),
        name: `${relayName} relay`,
        secret: needed(inboundSecretOf(facts, work)),
        integration_id: needed(facts.relay).id,
      });
      return undefined;
    case 'change relay': {
      await save(unproven);
      const secret = needed(inboundSecretOf(facts, work));
      const target_url = relayTarget(record.now, needed(facts.receiver), step.webhook.event);
      return void (await site.changeWebhook(step.webhook.id, { target_url, secret }));
    }
    case 'drop relay':
      await save({ relays: record.now.relays.filter((event) => event !== step.webhook.event) });
      return void (await site.deleteWebhook(step.webhook.id));
    case 'remove original': {
      const { id, secret } = step.webhook;
      await save({ originals: [{ id, secret: secret || null, removed: true, copy_id: step.copy.id as WebhookId }] });
      return void (await site.deleteWebhook(id));
    }
    case 'restore integration': {
      const { id, name, description } = step.integration;
      await save({});
      const restored_id = await site.createIntegration(name, description);
      const integrations = record.now.integrations.map((one) => (one.id === id ? { ...one, restored_id } : one));
      return void (await record.save({ integrations }));
    }
    case 'restore original': {
      const { event, target_url, name, api_version } = step.webhook;
      const integration_id = needed(restoredAs(facts, step.webhook.integration_id)).id;
      const secret = await record.secretOf(step.webhook.id);
      return refusedBy422(site.createWebhook({ event, target_url, name, api_version, secret, integration_id }));
    }
    case 'delete relay':
      await save({ relays: [] });
      return void (await site.deleteIntegration(step.integration.id));
    case 'release receiver':
      return void (await save({ receiver_id: null }));
    case 'delete here':
      return void (await stage.deleteIntegration(step.integration.id));
  }
};

type Id = NonNullable<RecordChanges['receiver_id']>;
type WebhookId = NonNullable<NonNullable<RecordChanges['originals']>[number]['copy_id']>;

const refusedBy422 = async (work: Promise<unknown>): Promise<string | undefined> => {
  try {
    await work;
    return undefined;
  } catch (error) {
    if (error instanceof ApiError && error.status === 422) return error.message;
    throw error;
  }
};

/** Returns something that an earlier step created, which may have been deleted since. @throws Error if it is missing */
const needed = <T>(value: T | undefined): T => {
  if (value === undefined) throw new Error('Something that was made a moment ago is missing: run the command again.');
  return value;
};
