/** The deadlines and the end of an attempt, with a pool of connections that the test controls. */
import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import type { ConnectionsOptions } from '../../shared/deliveries/sender/connections.ts';
import type { Connection, Exchange, Phase } from '../../shared/deliveries/sender/exchange.ts';
import { BlockedTargetError, ForbiddenAddressError } from '../../shared/deliveries/sender/guarded-lookup.ts';
import type { SendResult } from '../../shared/deliveries/sender/result.ts';
import { createSender, type SendRequest } from '../../shared/deliveries/sender/send.ts';

const pool = vi.hoisted(() => ({
  options: {} as unknown,
  acquire: vi.fn(),
  release: vi.fn(),
  discard: vi.fn(),
}));
vi.mock('../../shared/deliveries/sender/connections.ts', () => ({
  createConnections: (options: unknown) => {
    pool.options = options;
    return pool;
  },
}));
beforeEach(() => {
  vi.clearAllMocks();
  vi.useFakeTimers({ toFake: ['setTimeout', 'clearTimeout', 'performance'] });
});
afterEach(() => vi.useRealTimers());

/** Runs everything that waits for no timer. */
const turn = () => new Promise(setImmediate);

const noTimings = { dns_ms: null, connect_ms: null, tls_ms: null, first_byte_ms: null };

/** Starts an attempt with a connect timeout of 300 ms and a deadline of 1000 ms. */
const given = (changes: Partial<SendRequest> = {}) => {
  const sender = createSender({ connectTimeoutMs: 300, allowHttp: false, allowRanges: [] });
  const request = { url: 'https://receiver.example/hook', headers: {}, body: '{}', timeoutMs: 1000, ...changes };
  let result: SendResult | undefined;
  let error: unknown;
  sender.send(request).then(
    (settled) => {
      result = settled;
    },
    (reason: unknown) => {
      error = reason;
    },
  );
  const { onAcquired, onOpening, onReady, createHandler } = pool.options as ConnectionsOptions;
  const exchange = pool.acquire.mock.calls[0]?.[0] as Exchange;
  const dispatch = vi.fn();
  const connection = {
    origin: 'https://receiver.example',
    client: { dispatch },
    phase: 'dns',
    exchange,
    startedAt: performance.now(),
    resolvedAt: 0,
    connectedAt: 0,
    readyAt: 0,
  } as unknown as Connection;
  const handler = createHandler(() => exchange);
  const controller = {} as never;
  return {
    exchange,
    connection,
    dispatch,
    result: async () => {
      await turn();
      return result;
    },
    error: async () => {
      await turn();
      return error;
    },
    acquired: (phase: Phase = 'dns') => {
      connection.phase = phase;
      onAcquired(exchange, connection);
    },
    opening: () => onOpening(connection),
    ready: () => {
      connection.phase = 'open';
      connection.readyAt = performance.now();
      onReady(connection);
    },
    idle: () => {
      onOpening({ ...connection, exchange: undefined });
      onReady({ ...connection, exchange: undefined });
    },
    begins: (status: number) => handler.onResponseStart?.(controller, status, {}, ''),
    answer: (status = 200) => {
      handler.onResponseStart?.(controller, status, {}, '');
      handler.onResponseEnd?.(controller, {});
    },
    breaks: (reason: Error) => handler.onResponseError?.(controller, reason),
  };
};
const pass = (ms: number) => vi.advanceTimersByTime(ms);

describe('the deadline of an attempt', () => {
  it('ends its wait for a free connection as busy, without sending anything', async () => {
    const { result, dispatch } = given();
    pass(999);
    expect(await result()).toBeUndefined();
    pass(1);
    expect(await result()).toMatchObject({ outcome: 'failed', error: 'busy', durationMs: 1000, timings: noTimings });
    expect(dispatch).not.toHaveBeenCalled();
  });

  it('begins again when it gets a free connection', async () => {
    const { acquired, result } = given();
    pass(900);
    acquired('open');
    pass(999);
    expect(await result()).toBeUndefined();
    pass(1);
    expect(await result()).toMatchObject({ error: 'timeout' });
  });

  it.each(['dns', 'connect', 'tls'] as const)(
    'for opening a connection is the connect timeout, in the phase %s',
    async (phase) => {
      const { acquired, opening, result, connection } = given();
      acquired();
      opening();
      connection.phase = phase;
      pass(299);
      expect(await result()).toBeUndefined();
      pass(1);
      expect(await result()).toMatchObject({ error: phase });
      expect(pool.discard).toHaveBeenCalledWith(connection);
    },
  );

  it('for opening a connection is never longer than the deadline for the answer', async () => {
    const { acquired, opening, result } = given({ timeoutMs: 200 });
    acquired();
    opening();
    pass(200);
    expect(await result()).toMatchObject({ error: 'dns' });
  });

  it('begins again when its connection is open', async () => {
    const { acquired, opening, ready, result } = given();
    acquired();
    opening();
    pass(250);
    ready();
    pass(999);
    expect(await result()).toBeUndefined();
    pass(1);
    expect(await result()).toMatchObject({ error: 'timeout', durationMs: 1250 });
  });

  it('counts a status that has already arrived if only the body is late', async () => {
    const { acquired, begins, result } = given();
    acquired('open');
    begins(202);
    pass(1000);
    expect(await result()).toMatchObject({ outcome: 'answered', status: 202 });
    expect(pool.discard).toHaveBeenCalledTimes(1);
  });

  it('does not apply to an idle connection', () => {
    const { idle } = given();
    const timers = vi.getTimerCount();
    idle();
    expect(vi.getTimerCount()).toBe(timers);
  });
});

describe("the callback for the receiver's time", () => {
  it('is called when a connection is assigned and again when it is open', async () => {
    const onReceiverTime = vi.fn();
    const { acquired, opening, ready, answer, result } = given({ onReceiverTime });
    pass(400);
    expect(onReceiverTime).not.toHaveBeenCalled();
    acquired();
    expect(onReceiverTime).toHaveBeenCalledTimes(1);
    opening();
    pass(100);
    ready();
    expect(onReceiverTime).toHaveBeenCalledTimes(2);
    pass(30);
    answer();
    expect(await result()).toMatchObject({ durationMs: 530 });
  });
});

describe('a request that has waited for a connection', () => {
  it('is sent without a question if it has waited for less than a second', () => {
    const isStillWanted = vi.fn(async () => true);
    const { acquired, dispatch } = given({ isStillWanted, timeoutMs: 5000 });
    pass(999);
    acquired('open');
    expect(isStillWanted).not.toHaveBeenCalled();
    expect(dispatch).toHaveBeenCalled();
  });

  it('is sent after a longer wait if it is still wanted', async () => {
    const { acquired, dispatch } = given({ isStillWanted: async () => true, timeoutMs: 5000 });
    pass(1000);
    acquired('open');
    expect(dispatch).not.toHaveBeenCalled();
    await turn();
    expect(dispatch).toHaveBeenCalled();
  });

  it.each([
    ['it is no longer wanted', async () => false],
    ['the question fails', () => Promise.reject(new Error('no table'))],
  ])('ends as busy after a longer wait if %s, and nothing is sent', async (_title, isStillWanted) => {
    const { acquired, dispatch, result } = given({ isStillWanted, timeoutMs: 5000 });
    pass(1000);
    acquired('open');
    expect(await result()).toMatchObject({ outcome: 'failed', error: 'busy' });
    expect(dispatch).not.toHaveBeenCalled();
  });
});

describe('a connection', () => {
  it('counts as reused if it was already open, unless it has to open again', () => {
    const { acquired, exchange, opening, dispatch, connection } = given();
    acquired('open');
    expect(exchange).toMatchObject({ reused: true, connection });
    expect(dispatch).toHaveBeenCalledWith(exchange.dispatch, connection.handler);
    opening();
    expect(exchange.reused).toBe(false);
  });
});

describe('the end of an attempt', () => {
  it('with an answer leaves no timer, and frees the connection once', async () => {
    const { acquired, answer, result, connection } = given();
    acquired('open');
    pass(20);
    answer();
    answer();
    expect(await result()).toMatchObject({ outcome: 'answered', status: 200, durationMs: 20 });
    expect(vi.getTimerCount()).toBe(0);
    expect(pool.release.mock.calls).toEqual([[connection]]);
  });

  it('with a failure leaves no timer, and ends the connection once', async () => {
    const { acquired, breaks, result, connection } = given();
    acquired('open');
    breaks(Object.assign(new Error(), { code: 'ECONNRESET' }));
    expect(await result()).toMatchObject({ outcome: 'failed', error: 'reset' });
    expect(vi.getTimerCount()).toBe(0);
    breaks(new Error());
    expect(pool.discard.mock.calls).toEqual([[connection]]);
  });

  it('with arguments that cannot be sent throws, leaves no timer, and ends the connection', async () => {
    const { acquired, breaks, error, connection } = given();
    acquired('open');
    const reason = Object.assign(new Error('invalid header'), { code: 'UND_ERR_INVALID_ARG' });
    breaks(reason);
    expect(await error()).toBe(reason);
    expect(vi.getTimerCount()).toBe(0);
    expect(pool.discard.mock.calls).toEqual([[connection]]);
  });

  it.each([
    ['blocked', new BlockedTargetError()],
    ['forbidden', new ForbiddenAddressError()],
  ])('as %s reports no times, because they would reveal what is behind the address', async (name, reason) => {
    const { acquired, opening, breaks, result, connection } = given();
    acquired();
    opening();
    pass(50);
    connection.resolvedAt = performance.now();
    breaks(reason);
    expect(await result()).toMatchObject({ error: name, durationMs: 0, timings: noTimings });
  });

  it('before the start, because its URL is forbidden, needs no connection and reports no times', async () => {
    const { result } = given({ url: 'https://10.0.0.1/' });
    expect(await result()).toMatchObject({ outcome: 'failed', error: 'blocked', durationMs: 0, timings: noTimings });
    expect(pool.acquire).not.toHaveBeenCalled();
  });
});
