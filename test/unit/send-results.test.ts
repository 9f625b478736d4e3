/** What an attempt reports: its phases, and the class of its failure. `sender.test.ts` has real receivers. */
import { describe, expect, it } from 'vitest';
import { type Connection, createExchange, type Exchange, timingsOf } from '../../shared/deliveries/sender/exchange.ts';
import {
  BlockedTargetError,
  ForbiddenAddressError,
  UnresolvedNameError,
} from '../../shared/deliveries/sender/guarded-lookup.ts';
import { failureOf, isInvalidArgument } from '../../shared/deliveries/sender/send-failure.ts';

const exchangeWith = (changes: Partial<Exchange> = {}): Exchange => ({
  ...createExchange('https://receiver.example', { path: '/', method: 'POST', headers: {}, body: '' }, 1000, {
    settle: () => {},
    onReceiverTime: undefined,
    isStillWanted: undefined,
  }),
  ...changes,
});
const coded = (code: unknown) => Object.assign(new Error('internal'), { code });

describe('the phases of an attempt', () => {
  const connectionWith = (changes: Partial<Connection> = {}) =>
    ({
      origin: 'https://receiver.example',
      startedAt: 100,
      resolvedAt: 110.4,
      connectedAt: 130.6,
      readyAt: 160.6,
      ...changes,
    }) as Connection;
  const timings = (changes: Partial<Exchange>) => timingsOf(exchangeWith({ firstByteAt: 200.6, ...changes }));
  const nothing = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

  it('on a new connection are each step of opening it, and the time to the headers', () => {
    expect(timings({ connection: connectionWith() })).toEqual({
      dns_ms: 10,
      connect_ms: 20,
      tls_ms: 30,
      first_byte_ms: 40,
    });
  });

  it('on an open connection are only the time to the headers, since the start', () => {
    expect(timings({ connection: connectionWith(), reused: true, startedAt: 150.6 })).toEqual({
      ...nothing,
      first_byte_ms: 50,
    });
  });

  it('are null without a connection, and partly null without an answer', () => {
    expect(timings({})).toEqual(nothing);
    expect(timings({ connection: connectionWith(), firstByteAt: 0 })).toMatchObject({
      tls_ms: 30,
      first_byte_ms: null,
    });
  });

  it('omit DNS for an IP address, and TLS for http', () => {
    expect(timings({ connection: connectionWith({ resolvedAt: 0 }) })).toMatchObject({ dns_ms: null, connect_ms: 31 });
    const http = connectionWith({ origin: 'http://receiver.example' });
    expect(timings({ connection: http })).toMatchObject({ connect_ms: 20, tls_ms: null });
  });
});

describe('the failure of an attempt', () => {
  it.each([
    ['CERT_HAS_EXPIRED', 'tls_expired'],
    ['CERT_NOT_YET_VALID', 'tls_not_yet_valid'],
    ['ERR_TLS_CERT_ALTNAME_INVALID', 'tls_wrong_host'],
    ['DEPTH_ZERO_SELF_SIGNED_CERT', 'tls_self_signed'],
    ['SELF_SIGNED_CERT_IN_CHAIN', 'tls_unknown_issuer'],
    ['UNABLE_TO_VERIFY_LEAF_SIGNATURE', 'tls_unknown_issuer'],
    ['UNABLE_TO_GET_ISSUER_CERT', 'tls_unknown_issuer'],
    ['UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'tls_unknown_issuer'],
    ['ERR_SSL_WRONG_VERSION_NUMBER', 'tls'],
    ['ECONNRESET', 'tls'],
  ])('during a TLS handshake with the code %s has the class %s', (code, error) => {
    expect(failureOf(coded(code), 'tls')).toBe(error);
  });

  it.each([
    ['ECONNRESET', 'reset'],
    ['EPIPE', 'reset'],
    ['UND_ERR_SOCKET', 'reset'],
    ['ETIMEDOUT', 'reset'],
    ['UND_ERR_HEADERS_OVERFLOW', 'protocol'],
    ['HPE_INVALID', 'protocol'],
    [7, 'protocol'],
    [undefined, 'protocol'],
  ])('on an open connection with the code %s has the class %s', (code, error) => {
    expect(failureOf(coded(code), 'open')).toBe(error);
  });

  it('has the class protocol if it is no network error', () => {
    for (const error of ['text', undefined, { code: 'ECONNRESET' }, new Error('no code')])
      expect(failureOf(error, 'open')).toBe('protocol');
  });

  it.each(['dns', 'connect', 'tls', 'open'] as const)(
    'has the class of its address in the phase %s, if that is not allowed',
    (phase) => {
      expect(failureOf(new BlockedTargetError(), phase)).toBe('blocked');
      expect(failureOf(new ForbiddenAddressError(), phase)).toBe('forbidden');
    },
  );

  it.each(['dns', 'connect'] as const)('before the connection is open has the class of its phase, %s', (phase) => {
    expect(failureOf(coded('ECONNRESET'), phase)).toBe(phase);
    expect(failureOf(new UnresolvedNameError(), phase)).toBe(phase);
  });

  it("is Masthead's own error if undici refuses the arguments", () => {
    expect(isInvalidArgument(coded('UND_ERR_INVALID_ARG'))).toBe(true);
    expect(isInvalidArgument(coded('UND_ERR_SOCKET'))).toBe(false);
    expect(isInvalidArgument({ code: 'UND_ERR_INVALID_ARG' })).toBe(false);
    expect(isInvalidArgument(undefined)).toBe(false);
  });
});
