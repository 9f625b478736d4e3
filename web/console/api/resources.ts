/** The resources of the Admin API that the console shows, under its own names for them. */
import type { Role, UserResource } from '../../../shared/accounts/resource.ts';
import type { Attempt, DeliveryWithLogResource, ListedDelivery } from '../../../shared/deliveries/logged.ts';
import type { DeliveryState, Ping } from '../../../shared/deliveries/resource.ts';
import type { IntegrationResource } from '../../../shared/integrations/integration.ts';
import type { DeadLetters, StatsResource } from '../../../shared/stats/resource.ts';
import type { ListedWebhook } from '../../../shared/webhooks/webhook.ts';

export type { Attempt, DeadLetters, DeliveryState, Ping, Role };
export type User = UserResource;
export type Webhook = ListedWebhook;
export type Integration = IntegrationResource;
export type Delivery = ListedDelivery;
export type DeliveryWithLog = DeliveryWithLogResource;
export type Stats = StatsResource;

export interface Page {
  readonly meta: {
    readonly pagination: {
      readonly limit: number;
      readonly next: string | null;
      /** ISO time: how far a search went that ended before the page was full. */
      readonly searched_to?: string;
    };
  };
}
