/**
 * What one environment remembers of integrations of which many webhooks were late within a few minutes. Of their other webhooks, those that have not
 * answered here, and those that were slow within a day, take the slow lane: otherwise a thousand webhooks that hang for the first time, and later those
 * that return and hang again, would hold the few environments of a small stage (ADR 27). A memory needs no read or write, and each environment
 * learns from its own first batch.
 */
import { createCache } from '../../foundation/cache.ts';
import { minute } from '../../foundation/clock.ts';
import type { IntegrationId, WebhookId } from '../../foundation/ids.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

/** So many webhooks of an integration make the others suspect, if they were late within `recentMs`. */
const manyLate = 10;
const recentMs = 10 * minute;

/** By integration, the webhooks that were late last, with the time of each in epoch ms, oldest first. */
const late = createCache<IntegrationId, Map<WebhookId, number>>({ max: 1000 });
/** The webhooks that have answered in time. */
const proven = createCache<WebhookId, true>({ max: 10_000 });

type Known = Pick<Webhook, 'id' | 'integration_id'>;

/** Remembers that a webhook was late, at `now` in epoch ms. */
export const rememberLate = ({ id, integration_id }: Known, now: number): void => {
  const ofIntegration = late.get(integration_id) ?? new Map<WebhookId, number>();
  ofIntegration.delete(id);
  ofIntegration.set(id, now);
  for (const oldest of ofIntegration.keys()) {
    if (ofIntegration.size <= manyLate) break;
    ofIntegration.delete(oldest);
  }
  late.set(integration_id, ofIntegration);
};

/** Remembers that a webhook has answered in time. */
export const rememberAnswer = ({ id }: Known): void => proven.set(id, true);

/** Returns whether many webhooks of its integration hang, and nothing speaks for this one. `now` in epoch ms. */
export const isSuspect = ({ id, integration_id, health }: Webhook, now: number): boolean => {
  const isKnown = health === undefined ? proven.get(id) === true : health.slowings === undefined;
  if (isKnown) return false;
  const times = [...(late.get(integration_id)?.values() ?? [])];
  return times.length >= manyLate && now - Math.min(...times) < recentMs;
};
