/** Carries out the steps of a plan, and describes each. */
import { ApiError } from '../../command-line/client.ts';
import { visible } from '../../command-line/print.ts';
import { descriptions, type Facts, type Import, relayName, relayTarget } from './facts.ts';
import type { GhostWebhook } from './ghost-site.ts';
import { restoredAs, type Step, secretOf } from './plan.ts';

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
    case 'make relay':
      return `at Ghost  create   the integration ${relayName}`;
    case 'relay event':
      return `at Ghost  create   the relay of ${step.event}`;
    case 'set secret':
      return `at Ghost  change   the secret of the relay of ${visible(step.webhook.event)}`;
    case 'drop relay':
      return `at Ghost  remove   the relay of ${visible(step.webhook.event)}, which nothing needs`;
    case 'remove original':
      return `at Ghost  remove   ${shown(step.webhook)}`;
    case 'restore integration':
      return 'at Ghost  restore  an integration that was deleted there';
    case 'restore original':
      return `at Ghost  restore  ${shown(step.webhook)}`;
    case 'delete relay':
      return `at Ghost  delete   the integration ${relayName}`;
    case 'delete copied webhook':
      return `here      delete   ${shown(step.webhook)}`;
    case 'delete here':
      return `here      delete   the integration ${visible(step.integration.name)}`;
  }
};

/** Carries out a step. Returns why the other side refuses it, or undefined. @throws ApiError, and Error for what only a person can decide */
export const applyStep = async (step: Step, work: Import, facts: Facts): Promise<string | undefined> => {
  const { site, stage, file } = work;
  const { record, save } = file;
  switch (step.kind) {
    case 'make receiver':
      save();
      await stage.createIntegration(
        `Ghost ${record.from.replace(/^https?:\/\//, '')}`.slice(0, 191),
        descriptions.receiver(record),
      );
      return undefined;
    case 'make secret':
      record.secret = await stage.makeInboundSecret(needed(facts.receiver).id);
      save();
      return undefined;
    case 'make copy': {
      const { webhooks: _, ...integration } = step.integration;
      record.integrations[integration.id] = integration;
      save();
      await stage.createIntegration(integration.name, descriptions.copy(record, integration.id));
      return undefined;
    }
    case 'copy':
      return stage.createWebhook(step.webhook, needed(facts.copies.get(step.integration.id)).id);
    case 'make relay':
      await site.createIntegration(relayName, descriptions.relay(record.to));
      return undefined;
    case 'relay event':
      await site.createWebhook({
        event: step.event,
        target_url: relayTarget(record.to, needed(facts.receiver), step.event),
        name: `${relayName} relay`,
        secret: needed(secretOf(facts, record)),
        integration_id: needed(facts.relay).id,
      });
      return undefined;
    case 'set secret':
      await site.setSecret(step.webhook.id, needed(secretOf(facts, record)));
      return undefined;
    case 'remove original': {
      const { id, event, target_url, name, secret, api_version, integration_id } = step.webhook;
      const home = facts.integrations.find((one) => one.id === integration_id);
      if (home !== undefined) {
        const { webhooks: _, ...integration } = home;
        record.integrations[home.id] = integration;
      }
      record.originals[id] = {
        webhook: { id, event, target_url, name, secret, api_version, integration_id },
        removed: true,
      };
      save();
      await site.deleteWebhook(id);
      return undefined;
    }
    case 'restore integration': {
      const lost = needed(record.integrations[step.id]);
      await site.createIntegration(lost.name, lost.description);
      return undefined;
    }
    case 'restore original': {
      const { id: _, ...webhook } = step.webhook;
      const integration_id = needed(restoredAs(facts, record, webhook.integration_id)).id;
      return refusedBy422(site.createWebhook({ ...webhook, integration_id }));
    }
    case 'drop relay':
      return void (await site.deleteWebhook(step.webhook.id));
    case 'delete relay':
      return void (await site.deleteIntegration(step.integration.id));
    case 'delete copied webhook':
      return void (await stage.deleteWebhook(step.webhook.id));
    case 'delete here':
      return void (await stage.deleteIntegration(step.integration.id));
  }
};

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
