/** What an attempt reports: its phases, the start of the answer, the relevant headers, and why there was no answer. */
import { describe, expect, it, vi } from 'vitest';
import { createHandler, excerptOf, relevantHeaders } from '../../shared/deliveries/sender/answer.ts';
import { type Connection, createExchange, type Exchange, elapsed } from '../../shared/deliveries/sender/exchange.ts';
import {
  BlockedTargetError,
  ForbiddenAddressError,
  UnresolvedNameError,
} from '../../shared/deliveries/sender/guarded-lookup.ts';
import {
  blocked,
  busy,
  cancelled,
  failureOf,
  forbidden,
  isInvalidArgument,
  notConnected,
  timedOut,
} from '../../shared/deliveries/sender/send-failure.ts';
import { createTargets } from '../../shared/deliveries/sender/targets.ts';
import { timingsOf } from '../../shared/deliveries/sender/timings.ts';

const exchangeWith = (changes: Partial<Exchange> = {}): Exchange => ({
  ...createExchange(
    { origin: 'https://receiver.example', path: '/' },
    { path: '/', method: 'POST', headers: {}, body: '' },
    1000,
    { settle: () => {}, onReceiverTime: undefined, isStillWanted: undefined },
  ),
  ...changes,
});
const phases = ['dns', 'connect', 'tls', 'open'] as const;
const coded = (code: unknown) => Object.assign(new Error('internal'), { code });

describe('an exchange of a request and its answer', () => {
  it('has no connection, no answer and no end at first', () => {
    expect(exchangeWith()).toMatchObject({
      waited: false,
      settled: false,
      reused: false,
      status: 0,
      headers: {},
      firstByteAt: 0,
      interimAnswers: 0,
      bytes: 0,
      chunks: [],
    });
  });

  it('measures its time in whole milliseconds since its start', () => {
    const clock = vi.spyOn(performance, 'now').mockReturnValue(1507.4);
    expect(elapsed(exchangeWith({ startedAt: 1500 }))).toBe(7);
    clock.mockRestore();
  });
});

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

describe('the excerpt of an answer', () => {
  it('is empty without a body, and otherwise the text of the body', () => {
    expect(excerptOf(exchangeWith())).toBe('');
    expect(excerptOf(exchangeWith({ chunks: [Buffer.from('é!')], bytes: 3 }))).toBe('é!');
  });

  it('contains no half character if the body is cut off', () => {
    const half = Buffer.from('é').subarray(0, 1);
    const cut = Buffer.concat([Buffer.from('x'.repeat(1023)), half]);
    expect(excerptOf(exchangeWith({ chunks: [cut], bytes: 2000 }))).toBe('x'.repeat(1023));
    // A body of exactly 1 KiB is complete, so the receiver itself has sent half a character.
    expect(excerptOf(exchangeWith({ chunks: [cut], bytes: 1024 }))).toBe(`${'x'.repeat(1023)}\ufffd`);
    const pieces = [Buffer.from('one '), Buffer.from('two')];
    expect(excerptOf(exchangeWith({ chunks: pieces, bytes: 7 }))).toBe('one two');
  });
});

describe('the headers that Masthead reads', () => {
  const headers = (received: Exchange['headers']) => relevantHeaders(exchangeWith({ headers: received }));

  it('are only the two that can ask for something', () => {
    expect(headers({ 'retry-after': '5', 'webhook-delivery': 'disable', other: 'x' })).toEqual({
      'retry-after': '5',
      'webhook-delivery': 'disable',
    });
    expect(headers({ 'retry-after': '5' })).toEqual({ 'retry-after': '5' });
    expect(headers({ 'webhook-delivery': 'disable' })).toEqual({ 'webhook-delivery': 'disable' });
    expect(headers({ other: 'x' })).toEqual({});
  });

  it('count with their first value if they come twice', () => {
    expect(headers({ 'retry-after': ['5', '6'], 'webhook-delivery': ['disable', 'other'] })).toEqual({
      'retry-after': '5',
      'webhook-delivery': 'disable',
    });
  });
});

describe('the handler of an answer', () => {
  const controller = {} as never;
  const given = (exchange: Exchange | undefined) => {
    const endings = { answer: vi.fn(), breakOff: vi.fn() };
    const handler = createHandler(() => exchange, 100, endings);
    return {
      ...endings,
      start: (status: number, headers: Exchange['headers'] = {}) =>
        handler.onResponseStart?.(controller, status, headers, ''),
      data: (text: string) => handler.onResponseData?.(controller, Buffer.from(text)),
      end: () => handler.onResponseEnd?.(controller, {}),
      error: (error: Error) => handler.onResponseError?.(controller, error),
      begin: () => handler.onRequestStart?.(controller, {}),
    };
  };

  it('keeps the time of the first headers, even interim ones, and the status of the final ones', () => {
    const exchange = exchangeWith();
    const { start } = given(exchange);
    start(103);
    const { firstByteAt } = exchange;
    expect(firstByteAt).toBeGreaterThan(0);
    expect(exchange.status).toBe(0);
    start(200, { 'retry-after': '5' });
    expect(exchange).toMatchObject({ firstByteAt, status: 200, headers: { 'retry-after': '5' } });
  });

  it('ends an exchange after more than eight interim answers', () => {
    const exchange = exchangeWith();
    const { start, breakOff } = given(exchange);
    for (let count = 0; count < 8; count++) start(199);
    expect(breakOff).not.toHaveBeenCalled();
    start(199);
    expect(breakOff).toHaveBeenCalledWith(exchange, undefined);
  });

  it('stops at a body that exceeds the limit, and its status still counts', () => {
    const exchange = exchangeWith();
    const { data, answer } = given(exchange);
    data('x'.repeat(100));
    expect(answer).not.toHaveBeenCalled();
    data('x');
    expect(answer).toHaveBeenCalledWith(exchange, false);
    expect(exchange.bytes).toBe(101);
  });

  it('keeps the first KiB of the body', () => {
    const exchange = exchangeWith();
    const { data } = given(exchange);
    data('a'.repeat(1000));
    data('b'.repeat(1000));
    data('c');
    expect(Buffer.concat(exchange.chunks).toString()).toBe(`${'a'.repeat(1000)}${'b'.repeat(24)}`);
    expect(exchange.chunks).toHaveLength(2);
    expect(exchange.bytes).toBe(2001);
  });

  it('keeps no empty chunk once it has a full KiB', () => {
    const exchange = exchangeWith();
    const { data } = given(exchange);
    data('a'.repeat(1024));
    data('b');
    expect(exchange.chunks).toHaveLength(1);
  });

  it('reports the end of an answer, or an error', () => {
    const exchange = exchangeWith();
    const { end, error, answer, breakOff } = given(exchange);
    end();
    expect(answer).toHaveBeenCalledWith(exchange, true);
    const cause = new Error('reset');
    error(cause);
    expect(breakOff).toHaveBeenCalledWith(exchange, cause);
  });

  it('ignores everything after the end of the exchange', () => {
    const { begin, start, data, end, error, answer, breakOff } = given(undefined);
    begin();
    start(200);
    data('late');
    end();
    error(new Error('reset'));
    expect([answer, breakOff].map(({ mock }) => mock.calls)).toEqual([[], []]);
  });
});

describe('the failure of an attempt', () => {
  it('has the class of its phase, and a specific message for each known code', () => {
    const codes = [
      ...['ENOTFOUND', 'ENODATA', 'ECONNREFUSED', 'EHOSTUNREACH', 'ENETUNREACH', 'ETIMEDOUT', 'ECONNRESET', 'EPIPE'],
      ...['UND_ERR_SOCKET', 'UND_ERR_HEADERS_OVERFLOW', 'CERT_HAS_EXPIRED', 'CERT_NOT_YET_VALID'],
      ...['DEPTH_ZERO_SELF_SIGNED_CERT', 'SELF_SIGNED_CERT_IN_CHAIN', 'UNABLE_TO_VERIFY_LEAF_SIGNATURE'],
      ...['UNABLE_TO_GET_ISSUER_CERT', 'UNABLE_TO_GET_ISSUER_CERT_LOCALLY', 'ERR_TLS_CERT_ALTNAME_INVALID'],
    ];
    for (const phase of phases) {
      const general = failureOf(new Error('internal'), phase);
      expect(general.message).toMatch(/^[A-Z].+\.$/);
      for (const code of codes) {
        const { message, error } = failureOf(coded(code), phase);
        expect(message, code).toMatch(/^The .+\.$/);
        expect(message, code).not.toBe(general.message);
        if (phase !== 'open') expect(error.split('_')[0]).toBe(phase);
      }
    }
  });

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
    expect(failureOf(coded(code), 'tls')).toMatchObject({ error });
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
    expect(failureOf(coded(code), 'open')).toMatchObject({ error });
  });

  it('has the class protocol if it is no network error', () => {
    for (const error of ['text', undefined, { code: 'ECONNRESET' }, new Error('no code')])
      expect(failureOf(error, 'open')).toMatchObject({ error: 'protocol' });
  });

  it('of a DNS lookup has the message of its cause', () => {
    const cause = coded('ENOTFOUND');
    expect(failureOf(new UnresolvedNameError('x', { cause }), 'dns')).toEqual(failureOf(cause, 'dns'));
  });

  it('is the same in every phase if an address is not allowed', () => {
    for (const phase of phases) {
      expect(failureOf(new BlockedTargetError(), phase)).toBe(blocked);
      expect(failureOf(new ForbiddenAddressError(), phase)).toBe(forbidden);
    }
    expect(blocked).toEqual({ error: 'blocked', message: new BlockedTargetError().message });
    expect(forbidden).toEqual({ error: 'forbidden', message: new ForbiddenAddressError().message });
  });

  it('at a deadline names the phase and the time', () => {
    for (const phase of ['dns', 'connect', 'tls'] as const) {
      const { error, message } = notConnected(phase, 60);
      expect(error).toBe(phase);
      expect(message).toMatch(/^(?:The|No) .+ within 60 ms\.$/);
    }
    expect(notConnected('open', 60)).toEqual(timedOut(60));
    expect(timedOut(60)).toMatchObject({ error: 'timeout', message: expect.stringContaining('60 ms') });
  });

  it('before sending says why nothing was sent', () => {
    expect(busy).toEqual({ error: 'busy', message: expect.stringMatching(/^No connection .+\.$/) });
    expect(cancelled).toEqual({ error: 'cancelled', message: expect.stringContaining('cancelled') });
  });

  it("is Masthead's own error if undici refuses the arguments", () => {
    expect(isInvalidArgument(coded('UND_ERR_INVALID_ARG'))).toBe(true);
    expect(isInvalidArgument(coded('UND_ERR_SOCKET'))).toBe(false);
    expect(isInvalidArgument({ code: 'UND_ERR_INVALID_ARG' })).toBe(false);
    expect(isInvalidArgument(undefined)).toBe(false);
  });
});

describe('a target', () => {
  it('is checked and parsed only once', () => {
    const isAllowed = vi.fn((url: string) => url.startsWith('https:'));
    const targetOf = createTargets(isAllowed);
    const url = 'https://receiver.example:8443/hook?a=1#part';
    const target = targetOf(url);
    expect(target).toEqual({ origin: 'https://receiver.example:8443', path: '/hook?a=1' });
    expect(targetOf(url)).toBe(target);
    expect(isAllowed).toHaveBeenCalledTimes(1);
  });

  it('is null if it is not allowed or is no URL', () => {
    expect(createTargets(() => false)('https://receiver.example/')).toBeNull();
    expect(createTargets(() => true)('no URL')).toBeNull();
  });
});
