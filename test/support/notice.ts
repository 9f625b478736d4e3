/** A failing webhook and the stage that sends a notice about it, for tests of the mail. */
import type { IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import { incidentsOf } from '../../shared/incidents/incident.ts';
import type { NoticeStage, ToldIncident } from '../../shared/incidents/mail.ts';
import { presentListed } from '../../shared/webhooks/declined.ts';
import type { Webhook } from '../../shared/webhooks/webhook.ts';
import { settings } from './invitation.ts';

/** Returns a webhook that has been failing since 21 November 2026, with some attributes changed. */
export const failingWebhook = (changes: Partial<Webhook> = {}): Webhook => ({
  id: '019acb5130f4a1b2c3d4e5f6' as WebhookId,
  event: 'post.published',
  target_url: 'https://hooks.bookshop.example/masthead?key=secret',
  name: 'New posts',
  secret: null,
  api_version: 'v6.0',
  integration_id: '019acb4c2d10a1b2c3d4e5f6' as IntegrationId,
  status: 'available',
  last_triggered_at: '2026-11-26T10:12:00.000Z',
  last_triggered_status: '503',
  last_triggered_error: 'status',
  failing_since: '2026-11-21T09:24:00.000Z',
  created_at: '2026-10-01T09:10:00.000Z',
  updated_at: '2026-10-01T09:10:00.000Z',
  ...changes,
});

/** Returns the incident of these webhooks, with twelve deliveries that wait. */
export const toldIncident = (...webhooks: readonly Webhook[]): ToldIncident => {
  const [incident] = incidentsOf(webhooks.map(presentListed));
  if (incident === undefined) throw new Error('None of the webhooks fails.');
  return {
    incident,
    integrations: ['Bookshop'],
    waiting: { count: 12, hasMore: false, oldest: Date.parse('2026-11-21T09:24:00.000Z') },
  };
};

/** Returns the stage with some settings of the publication changed. */
export const noticeStage = (publication: Partial<NoticeStage['publication']> = {}): NoticeStage => ({
  publication: { ...settings.publication, ...publication },
  deliveries: settings.deliveries,
  baseUrl: 'https://desk.owl.example.org/ghost/api',
});
