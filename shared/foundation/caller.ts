/** The caller of a request, identified by the API key that signed it, or by the session whose cookie it carries. */
import { NoPermissionError } from './errors.ts';
import type { ApiKeyId, IntegrationId, SessionId, StaffId } from './ids.ts';
import type { Scope } from './scopes.ts';

export type Caller =
  | {
      readonly kind: 'integration';
      readonly keyId: ApiKeyId;
      readonly integrationId: IntegrationId;
      /** What its key is limited to; absent if it may do all that the integration may. */
      readonly scopes?: readonly Scope[];
    }
  | {
      readonly kind: 'staff';
      /** The key; absent in a session. */
      readonly keyId?: ApiKeyId;
      readonly sessionId?: SessionId;
      readonly staffId: StaffId;
      readonly role: string;
      readonly name: string;
      readonly email: string;
      /** No request of theirs is answered (`http/authenticate.ts`). */
      readonly isSuspended?: true;
    };

/** Finds an API key by its id: the secret that verifies the signature, and the caller it identifies. */
export interface FindApiKey {
  (id: ApiKeyId): Promise<{ readonly secret: string; readonly caller: Caller } | undefined>;
  /** Returns the secret of a key that this environment has found before: the key may have been removed since. */
  readonly known: (id: ApiKeyId) => string | undefined;
}

/** Finds the caller of a session by the value of its cookie; undefined if the session has ended, or never existed. */
export interface FindSession {
  (cookie: string): Promise<Caller | undefined>;
  /** Whether this environment has found the session before: it may have ended since. */
  readonly isKnown: (cookie: string) => boolean;
}

export interface Credentials {
  readonly key: FindApiKey;
  readonly session: FindSession;
  /** Records that a caller was identified at a time in epoch ms. */
  readonly noteUse: (caller: Caller, now: number) => Promise<void>;
}

/** Returns the name under which limits count a caller: a person or an integration, so that a new key resets nothing. */
export const countedAs = (caller: Caller): string =>
  caller.kind === 'staff' ? `staff member ${caller.staffId}` : `integration ${caller.integrationId}`;

/** Returns the staff member of an endpoint that the contract opens to staff only. @throws NoPermissionError */
export const staffOnly = (caller: Caller): Extract<Caller, { kind: 'staff' }> => {
  if (caller.kind !== 'staff') throw new NoPermissionError('The key of an integration cannot use this endpoint.');
  return caller;
};
