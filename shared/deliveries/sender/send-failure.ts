/** Classifies why an attempt failed. */
import type { Phase } from './exchange.ts';
import { BlockedTargetError, ForbiddenAddressError, UnresolvedNameError } from './guarded-lookup.ts';
import type { CertificateFault, SendErrorClass } from './result.ts';

/** By Node's codes, which are OpenSSL's. Several mean that a chain does not lead to a known authority. */
const certificateFaults: Partial<Record<string, CertificateFault>> = {
  CERT_HAS_EXPIRED: 'tls_expired',
  CERT_NOT_YET_VALID: 'tls_not_yet_valid',
  ERR_TLS_CERT_ALTNAME_INVALID: 'tls_wrong_host',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'tls_self_signed',
  SELF_SIGNED_CERT_IN_CHAIN: 'tls_unknown_issuer',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'tls_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT: 'tls_unknown_issuer',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'tls_unknown_issuer',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'tls_client_certificate',
};

const resetCodes: readonly string[] = ['ECONNRESET', 'EPIPE', 'UND_ERR_SOCKET', 'ETIMEDOUT'];

/** Returns the class of an error of a connection in a phase. */
export const failureOf = (error: unknown, phase: Phase): SendErrorClass => {
  if (error instanceof BlockedTargetError) return 'blocked';
  if (error instanceof ForbiddenAddressError) return 'forbidden';
  const code = codeOf(error instanceof UnresolvedNameError ? error.cause : error);
  // Under TLS 1.3 a receiver asks for a certificate after the handshake, and may refuse one then.
  if (isAlert(error) || phase === 'tls') return certificateFaults[code] ?? 'tls';
  if (phase !== 'open') return phase;
  return resetCodes.includes(code) ? 'reset' : 'protocol';
};

/** Returns whether an error is of TLS itself, such as an alert of the receiver. */
export const isAlert = (error: unknown): boolean => codeOf(error).startsWith('ERR_SSL_');

/** Returns whether undici refused the arguments. */
export const isInvalidArgument = (error: unknown): error is Error =>
  error instanceof Error && codeOf(error) === 'UND_ERR_INVALID_ARG';

const codeOf = (error: unknown): string =>
  error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
