/** Fills a running stack with what a stage has after a while, so that no view of the console is empty. */
import { eventually } from '../../infra/commands/demo/eventually.ts';
import type { RunningStack } from '../support/parts-running-stack.ts';

export interface FilledStage {
  readonly integration: string;
  readonly webhook: string;
  readonly delivery: string;
}

/** Invites people, adds webhooks of which one fails and one is disabled, and publishes events. */
export const fillStage = async (running: RunningStack): Promise<FilledStage> => {
  const { adminKey: key, receiver } = running.stack;
  const call = async (method: string, path: string, body?: object) => {
    const answer = await running.call(method, path, { key, body });
    if (answer.status >= 400) throw new Error(`${method} ${path} was answered with ${answer.status}: ${answer.text}`);
    return answer.body;
  };
  const { roles } = await call('GET', '/admin/roles/');
  const roleId = (name: string): string => roles.find((role: { name: string }) => role.name === name).id;
  const invites = [
    ['ada@example.org', 'Editor'],
    ['grace@example.org', 'Author'],
    ['hedy@example.org', 'Contributor'],
  ].map(([email, role = '']) => ({ email, role_id: roleId(role) }));
  await call('POST', '/admin/invites/', { invites });

  const item = { name: 'Bookshop', description: 'Sells what we review', contact_email: 'ops@bookshop.example' };
  const { integrations } = await call('POST', '/admin/integrations/', { integrations: [item] });
  const [{ id: integration }] = integrations;
  const addWebhook = async (name: string, event: string, target_url = `${receiver}/${event}`): Promise<string> => {
    const webhook = { name, event, target_url, integration_id: integration };
    return (await call('POST', '/admin/webhooks/', { webhooks: [webhook] })).webhooks[0].id;
  };
  const webhook = await addWebhook('Shelf', 'post.published');
  await addWebhook('Search index', 'post.published.edited');
  // A port at which no server listens.
  await addWebhook('Old newsletter', 'page.published', 'http://127.0.0.1:9/newsletter');
  const paused = await addWebhook('Mirror', 'page.edited');
  await call('POST', `/admin/webhooks/${paused}/disable/`);

  const publish = (event: string, resource: string, titles: readonly string[]) =>
    call('POST', '/admin/events/', {
      events: titles.map((title) => ({ event, payload: { [resource]: { current: { title }, previous: {} } } })),
    });
  await publish('post.published', 'post', ['On analytical engines', 'Compilers', 'Frequency hopping']);
  await publish('post.published.edited', 'post', ['Compilers, corrected']);
  await publish('page.published', 'page', ['About us', 'Imprint']);
  await publish('page.edited', 'page', ['About us']);
  const delivery = await eventually('a delivery', async () => {
    const { deliveries } = await call('GET', '/admin/deliveries/?status=delivered');
    return deliveries.length < 4
      ? undefined
      : deliveries.find(({ webhook_id }: { webhook_id: string }) => webhook_id === webhook)?.id;
  });
  return { integration, webhook, delivery };
};

/** The views of the console by name, as addresses after the `#`. */
export const addressesOf = ({ integration, webhook, delivery }: FilledStage) => ({
  overview: '#/overview',
  webhooks: '#/webhooks',
  webhook: `#/webhooks/${webhook}`,
  'new-webhook': '#/webhooks/new',
  deliveries: '#/deliveries',
  delivery: `#/deliveries/${webhook}/${delivery}`,
  members: '#/staff/members',
  invitations: '#/staff/invitations',
  invite: '#/staff/invitations/new',
  access: '#/staff/access',
  integrations: '#/integrations',
  integration: `#/integrations/${integration}`,
  'new-integration': '#/integrations/new',
});
