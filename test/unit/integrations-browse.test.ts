/** Pages of integrations: complete, and never larger than a Lambda response. */
import { describe, expect, it } from 'vitest';
import type { IntegrationId, WebhookId } from '../../shared/foundation/ids.ts';
import { slugOf } from '../../shared/foundation/text.ts';
import { type BrowsePorts, included, showIntegration, showIntegrations } from '../../shared/integrations/browse.ts';
import type { Integration } from '../../shared/integrations/integration.ts';
import type { WebhookResource } from '../../shared/webhooks/webhook.ts';

const id = (number: number) => number.toString(16).padStart(24, '0');

const integration = (number: number): Integration => ({
  id: id(number) as IntegrationId,
  name: 'Shop',
  slug: 'shop',
  description: null,
  contact_email: null,
  can_publish: false,
  can_receive_staff_events: false,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
});

/** `count` webhooks of maximum length, newest first, for each integration. */
const withWebhooks = (count: number): BrowsePorts => ({
  listKeys: async () => [],
  listWebhookIds: async (_id, limit, after) => {
    const ids = Array.from({ length: count }, (_, number) => id(count - number) as WebhookId);
    const start = after === undefined ? 0 : ids.indexOf(after) + 1;
    return ids.slice(start, start + limit);
  },
  showWebhooks: async (ids) => ids.map(longest).toReversed(),
});

const longest = (webhook: WebhookId): WebhookResource => ({
  id: webhook,
  event: 'x'.repeat(50),
  target_url: 'x'.repeat(2000),
  name: 'x'.repeat(191),
  secret: null,
  api_version: 'x'.repeat(50),
  integration_id: id(1) as IntegrationId,
  status: 'available',
  last_triggered_at: '2026-11-21T09:00:00.000Z',
  last_triggered_status: '200',
  last_triggered_error: null,
  created_at: '2026-11-21T09:00:00.000Z',
  updated_at: '2026-11-21T09:00:00.000Z',
});

const webhooksAndKeys = ['webhooks', 'api_keys'] as const;

describe('reading one integration', () => {
  it('returns each of its webhooks once, page by page, newest first', async () => {
    const seen: string[] = [];
    let next: WebhookId | null | undefined;
    let pages = 0;
    do {
      const page = await showIntegration(withWebhooks(1200), integration(1), webhooksAndKeys, next ?? undefined);
      seen.push(...(page.integration.webhooks ?? []).map((webhook) => webhook.id));
      next = page.next;
      pages++;
    } while (next !== null);
    expect(pages).toBe(3);
    expect(seen).toEqual(Array.from({ length: 1200 }, (_, number) => id(1200 - number)));
  });

  it.each([0, 1, 500])('needs one page for %i webhooks', async (count) => {
    expect((await showIntegration(withWebhooks(count), integration(1), webhooksAndKeys)).next).toBeNull();
  });

  it('omits a webhook that is deleted during the read', async () => {
    const ports = withWebhooks(3);
    const { integration: shown } = await showIntegration(
      { ...ports, showWebhooks: async (ids) => ids.slice(1).map(longest) },
      integration(1),
      webhooksAndKeys,
    );
    expect(shown.webhooks?.map((webhook) => webhook.id)).toEqual([id(2), id(1)]);
  });
});

describe('reading many integrations', () => {
  const hundred = Array.from({ length: 100 }, (_, number) => integration(number));

  it('ends the page early, so that it stays below the 6 MB of a Lambda response', async () => {
    const shown = await showIntegrations(withWebhooks(5000), hundred, webhooksAndKeys);
    expect(shown.map((one) => one.id)).toEqual([id(0), id(1)]);
    expect(JSON.stringify(shown).length).toBeLessThan(6_000_000);
    const worst = await showIntegrations(withWebhooks(499), hundred, webhooksAndKeys);
    expect(worst).toHaveLength(3);
    expect(JSON.stringify(worst).length).toBeLessThan(6_000_000);
  });

  it('returns all of them if they have few webhooks or webhooks are not requested', async () => {
    expect(await showIntegrations(withWebhooks(9), hundred, webhooksAndKeys)).toHaveLength(100);
    expect(await showIntegrations(withWebhooks(5000), hundred, [])).toHaveLength(100);
  });
});

describe('the parameter `include`', () => {
  it.each([
    [undefined, []],
    ['webhooks', ['webhooks']],
    ['api_keys', ['api_keys']],
    ['webhooks,api_keys', ['webhooks', 'api_keys']],
    [' API_KEYS , webhooks,permissions', ['webhooks', 'api_keys']],
    ['__proto__,constructor', []],
  ])('is read from %s', (include, names) => {
    expect(included.read(include, 'include', {})).toEqual(names);
  });
});

describe('a slug', () => {
  it.each([
    ['Käse & Wein', 'kase-wein'],
    ['  Our   shop! ', 'our-shop'],
    ['🚀', 'integration'],
    ['x'.repeat(300), 'x'.repeat(191)],
  ])('of %s is readable', (name, slug) => {
    expect(slugOf(name, 'integration')).toBe(slug);
  });
});
