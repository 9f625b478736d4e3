/** Describes why an attempt failed, for the owner of a webhook and without internals. */
import type { Phase } from './exchange.ts';
import { BlockedTargetError, ForbiddenAddressError, UnresolvedNameError } from './guarded-lookup.ts';
import type { CertificateFault, SendErrorClass } from './result.ts';

export interface SendFailure {
  readonly error: SendErrorClass;
  /** Short, without addresses and internals. */
  readonly message: string;
}

export const blocked: SendFailure = { error: 'blocked', message: new BlockedTargetError().message };
export const forbidden: SendFailure = { error: 'forbidden', message: new ForbiddenAddressError().message };
export const busy: SendFailure = { error: 'busy', message: 'No connection to this receiver became free in time.' };
export const cancelled: SendFailure = { error: 'cancelled', message: 'The attempt was cancelled.' };

/** A deadline passed before the connection was open. */
export const notConnected = (phase: Phase, timeoutMs: number): SendFailure => {
  return phase === 'open' ? timedOut(timeoutMs) : { error: phase, message: `${missed[phase]} within ${timeoutMs} ms.` };
};

const missed = {
  dns: 'The name was not resolved',
  connect: 'No connection was made',
  tls: 'The TLS handshake was not finished',
};

/** The overall deadline passed. */
export const timedOut = (timeoutMs: number): SendFailure => {
  return { error: 'timeout', message: `No answer within ${timeoutMs} ms.` };
};

const sentences: Partial<Record<string, string>> = {
  ENOTFOUND: 'The name does not exist.',
  ENODATA: 'The name has no address.',
  ECONNREFUSED: 'The connection was refused.',
  EHOSTUNREACH: 'The host cannot be reached.',
  ENETUNREACH: 'The network of the host cannot be reached.',
  ETIMEDOUT: 'The host did not answer.',
  ECONNRESET: 'The receiver closed the connection before it answered.',
  EPIPE: 'The receiver closed the connection before it answered.',
  UND_ERR_SOCKET: 'The receiver closed the connection before it answered.',
  UND_ERR_HEADERS_OVERFLOW: 'The headers of the answer are too long.',
  CERT_HAS_EXPIRED: 'The certificate has expired.',
  CERT_NOT_YET_VALID: 'The certificate is not valid yet.',
  DEPTH_ZERO_SELF_SIGNED_CERT: 'The certificate is self-signed.',
  SELF_SIGNED_CERT_IN_CHAIN: 'The certificate chain ends in a self-signed certificate.',
  UNABLE_TO_VERIFY_LEAF_SIGNATURE: 'The certificate chain is incomplete or its authority is unknown.',
  UNABLE_TO_GET_ISSUER_CERT: 'The certificate chain is incomplete or its authority is unknown.',
  UNABLE_TO_GET_ISSUER_CERT_LOCALLY: 'The certificate chain is incomplete or its authority is unknown.',
  ERR_TLS_CERT_ALTNAME_INVALID: 'The certificate is for another name.',
  ERR_SSL_TLSV13_ALERT_CERTIFICATE_REQUIRED: 'The receiver asks for a client certificate.',
};

/** By Node's codes, which come from OpenSSL. Several mean that a certificate chain does not lead to a known authority. */
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

const general: Record<Phase, string> = {
  dns: 'The name could not be resolved.',
  connect: 'No connection could be made.',
  tls: 'The TLS handshake failed.',
  open: 'The answer is not valid HTTP.',
};

/** Returns the failure for an error of a connection in a phase. */
export const failureOf = (error: unknown, phase: Phase): SendFailure => {
  if (error instanceof BlockedTargetError) return blocked;
  if (error instanceof ForbiddenAddressError) return forbidden;
  const code = codeOf(error instanceof UnresolvedNameError ? error.cause : error);
  const message = sentences[code] ?? general[phase];
  // Under TLS 1.3 a receiver asks for a certificate after the handshake, and may refuse one then.
  if (isAlert(error)) return { error: certificateFaults[code] ?? 'tls', message: sentences[code] ?? general.tls };
  if (phase === 'tls') return { error: certificateFaults[code] ?? phase, message };
  if (phase !== 'open') return { error: phase, message };
  const isReset = code === 'ECONNRESET' || code === 'EPIPE' || code === 'UND_ERR_SOCKET' || code === 'ETIMEDOUT';
  return { error: isReset ? 'reset' : 'protocol', message };
};

/** Returns whether an error is of TLS itself, such as an alert of the receiver. */
export const isAlert = (error: unknown): boolean => codeOf(error).startsWith('ERR_SSL_');

/** Returns whether undici refused the arguments. */
export const isInvalidArgument = (error: unknown): error is Error => {
  return error instanceof Error && codeOf(error) === 'UND_ERR_INVALID_ARG';
};

const codeOf = (error: unknown): string => {
  return error instanceof Error && 'code' in error && typeof error.code === 'string' ? error.code : '';
};
