/** The resources of the Admin API that the console shows, as docs/openapi.json describes them. */

export interface Role {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
}

export interface User {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly roles?: readonly Role[];
}

export interface Webhook {
  readonly id: string;
  readonly event: string;
  readonly target_url: string;
  readonly name: string | null;
  readonly secret: string | null;
  readonly api_version: string;
  readonly integration_id: string;
  readonly status: 'available' | 'disabled';
  readonly last_triggered_at: string | null;
  readonly last_triggered_status: string | null;
  readonly last_triggered_error: string | null;
  readonly created_at: string;
  readonly updated_at: string;
}

export interface Integration {
  readonly id: string;
  readonly name: string;
  readonly description: string | null;
  readonly contact_email: string | null;
  readonly can_publish: boolean;
  readonly created_at: string;
  readonly updated_at: string;
  readonly webhooks?: readonly Webhook[];
}

export const deliveryStates = ['pending', 'retrying', 'delivered', 'failed', 'cancelled', 'blocked', 'held'] as const;
export type DeliveryState = (typeof deliveryStates)[number];

export interface Delivery {
  readonly id: string;
  readonly webhook_id: string;
  readonly event: string;
  readonly event_id: string;
  readonly status: DeliveryState;
  readonly trigger: 'event' | 'redelivery' | 'replay' | 'ping';
  readonly attempts: number;
  readonly created_at: string;
  readonly last_attempt_at: string | null;
  readonly next_attempt_at: string | null;
  readonly last_status: string | null;
  readonly last_error: string | null;
  readonly waiting_for: {
    readonly reason: 'schedule' | 'retry_after' | 'circuit_breaker' | 'disabled';
    readonly until: string | null;
  } | null;
}

export interface Attempt {
  readonly number: number;
  readonly started_at: string;
  readonly duration_ms: number;
  readonly timings: {
    readonly dns_ms: number | null;
    readonly connect_ms: number | null;
    readonly tls_ms: number | null;
    readonly first_byte_ms: number | null;
  };
  readonly status: string | null;
  readonly error: string | null;
  readonly response: string | null;
}

export interface DeliveryWithLog extends Delivery {
  readonly request: { readonly headers: Readonly<Record<string, string>>; readonly body: string } | null;
  readonly log: readonly Attempt[];
}

export interface Replay {
  readonly id: string;
  readonly state: 'running' | 'finished' | 'cancelled';
  readonly progress: { readonly checked: number; readonly replayed: number; readonly percent: number };
}

interface Counts {
  readonly accepted: number;
  readonly delivered: number;
  readonly retrying: number;
  readonly failed: number;
  readonly held: number;
}

export interface Stats extends Counts {
  readonly since: string;
  readonly until: string;
  readonly latency: { readonly p50_ms: number | null; readonly p95_ms: number | null };
  readonly buckets: readonly (Counts & { readonly start: string })[];
}

export interface DeadLetters {
  readonly queue: 'mail' | 'events' | 'replays' | 'deliveries' | 'slow-deliveries' | 'deletions';
  readonly messages: number;
}

export interface Page {
  readonly meta: { readonly pagination: { readonly limit: number; readonly next: string | null } };
}
