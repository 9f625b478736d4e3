/** Who makes a request: known from the key that signed it, and what the rules of every noun ask about. */
import type { IntegrationId, KeyId, StaffId } from './ids.ts';

/** Who signed the request: an integration, or a member of the staff with a role. */
export type Caller =
  | { readonly kind: 'integration'; readonly keyId: KeyId; readonly integrationId: IntegrationId }
  | {
      readonly kind: 'staff';
      readonly keyId: KeyId;
      readonly staffId: StaffId;
      readonly role: string;
      readonly name: string;
      readonly email: string;
    };

/** Finds a key by its id: the secret to check the signature with, and whose key it is. */
export type FindKey = (kid: KeyId) => Promise<{ readonly secret: string; readonly caller: Caller } | undefined>;
