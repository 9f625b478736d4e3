/** The caller of a request, identified by the API key that signed it. */
import type { ApiKeyId, IntegrationId, StaffId } from './ids.ts';

export type Caller =
  | { readonly kind: 'integration'; readonly keyId: ApiKeyId; readonly integrationId: IntegrationId }
  | {
      readonly kind: 'staff';
      readonly keyId: ApiKeyId;
      readonly staffId: StaffId;
      readonly role: string;
      readonly name: string;
      readonly email: string;
    };

/** Finds an API key by its id: the secret that verifies the signature, and the caller it identifies. */
export type FindApiKey = (id: ApiKeyId) => Promise<{ readonly secret: string; readonly caller: Caller } | undefined>;
