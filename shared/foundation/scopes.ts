/** What a key of an integration can be limited to. Browsers import this file, so it must not import anything itself. */

export const scopes = ['publish', 'webhooks', 'invites', 'read'] as const;
export type Scope = (typeof scopes)[number];
