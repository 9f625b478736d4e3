/**
 * The memory of hanging webhooks (ADR 27). Each environment remembers which webhooks were late, and which have answered it in time. What is suspect
 * takes the slow lane, so that it cannot occupy all environments of a small stage: a webhook that was slow within a day and has not answered this
 * environment since, and, while several of an integration are late, its webhooks that may be late as well.
 */
import { createCache } from '../../foundation/cache.ts';
import { minute } from '../../foundation/clock.ts';
import type { IntegrationId, WebhookId } from '../../foundation/ids.ts';
import { wasSlow } from '../../webhooks/health.ts';
import type { Webhook } from '../../webhooks/webhook.ts';

/** If this many webhooks of an integration were late within `recentMs`, its others are suspect: those unknown here, and those that were slow. */
const manyLate = 3;
const recentMs = 10 * minute;

/** For each integration, its most recently late webhooks, oldest first. The value is when the webhook was late, in epoch ms. */
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
