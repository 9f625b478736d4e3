/**
 * The memory of hanging webhooks (ADR 27): each environment remembers which were late and which answered it in time.
 * Suspect webhooks take the slow lane, so that they cannot occupy a whole small stage. Suspect are webhooks that were
 * slow within a day and have not answered here since, and others of an integration of which several are late.
 */
import { createCache } from '../../foundation/cache.ts';
import { minute } from '../../foundation/clock.ts';
import type { IntegrationId, WebhookId } from '../../foundation/ids.ts';
import { wasSlow } from '../../webhooks/health.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

/** If so many webhooks of an integration were late within `recentMs`, its unknown and once slow ones are suspect. */
const manyLate = 3;
const recentMs = 10 * minute;

/** By integration: its most recently late webhooks, oldest first, each with the epoch ms when it was late. */
const late = createCache<IntegrationId, Map<WebhookId, number>>({ max: 1000 });
/** The webhooks that have answered in time since they were late. */
const proven = createCache<WebhookId, true>({ max: 10_000 });

type Known = Pick<Webhook, 'id' | 'integration_id'>;

/** Remembers that a webhook was late, at `now` in epoch ms. */
export const rememberLate = ({ id, integration_id }: Known, now: number): void => {
  proven.remove(id);
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

/** Returns whether a webhook is suspect. `now` in epoch ms. */
export const isSuspect = ({ id, integration_id, health }: Webhook, now: number): boolean => {
  const hasAnswered = proven.get(id) === true;
  const wasLate = health !== undefined && wasSlow(health, now);
  const isUnknown = health === undefined && !hasAnswered;
  if (wasLate && !hasAnswered) return true;
  if (!wasLate && !isUnknown) return false;
  const times = [...(late.get(integration_id)?.values() ?? [])];
  return times.length >= manyLate && now - Math.min(...times) < recentMs;
};
