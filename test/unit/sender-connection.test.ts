/** One connection to a receiver, with undici mocked: its options, its phases, and the guard for addresses. */
import { EventEmitter } from 'node:events';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import {
  type ConnectionOptions,
  createConnection,
  createConnector,
  endConnection,
} from '../../shared/deliveries/sender/connection.ts';
import type { Exchange } from '../../shared/deliveries/sender/exchange.ts';
import { BlockedTargetError } from '../../shared/deliveries/sender/guarded-lookup.ts';

const made = vi.hoisted(() => ({ connectors: [] as object[], clients: [] as { origin: string; options: object }[] }));
vi.mock('undici/lib/core/connect.js', () => ({ default: (options: object) => made.connectors.push(options) }));
vi.mock('undici/lib/dispatcher/client.js', () => ({
  default: class {
    readonly destroy = vi.fn();

    constructor(origin: string, options: object) {
      made.clients.push({ origin, options });
    }
  },
}));
beforeEach(() => {
  made.connectors.length = 0;
  made.clients.length = 0;
});

type Callback = (error: Error | null, socket: unknown) => void;

/** Creates a connection whose opening to a host the test controls. */
const given = (options: Partial<ConnectionOptions> = {}) => {
  let clock = 1000;
  const socket = Object.assign(new EventEmitter(), { destroy: vi.fn() });
  const targets: object[] = [];
  const seen = { onOpening: vi.fn(), onReady: vi.fn(), onSocket: vi.fn() };
  let connected: Callback = () => {};
  let current: () => Exchange | undefined = () => undefined;
  const handler = {} as never;
  const connection = createConnection('https://receiver.example', {
    connector: ((target: object, callback: Callback) => {
      targets.push(target);
      connected = callback;
      return socket;
    }) as never,
    allowRanges: [],
    clock: () => clock,
    createHandler: (get) => {
      current = get;
      return handler;
    },
    ...(seen as never as Pick<ConnectionOptions, 'onOpening' | 'onReady' | 'onSocket'>),
    ...options,
  });
  const callback = vi.fn();
  const [{ options: built } = { options: {} }] = made.clients;
  const { connect } = built as { connect: (target: object, callback: Callback) => void };
  return {
    ...seen,
    connection,
    socket,
    targets,
    callback,
    handler,
    current: () => current(),
    open: (hostname: string) => connect({ hostname }, callback),
    connected: (error: Error | null) => connected(error, socket),
    pass: (ms: number) => {
      clock += ms;
    },
  };
};

describe('the options of undici', () => {
  it('always check certificates, and give each address a third of the connect time', () => {
    const lookup = () => {};
    createConnector(lookup, 3001);
    expect(made.connectors).toEqual([
      {
        lookup,
        allowH2: false,
        timeout: 0,
        keepAlive: false,
        secureContext: expect.objectContaining({ context: expect.any(Object) }),
        rejectUnauthorized: true,
        autoSelectFamily: true,
        autoSelectFamilyAttemptTimeout: 1001,
      },
    ]);
  });

  it('allow one request at a time and four idle seconds, and add no other deadline', () => {
    given();
    expect(made.clients).toEqual([
      {
        origin: 'https://receiver.example',
        options: {
          connect: expect.any(Function),
          pipelining: 1,
          allowH2: false,
          headersTimeout: 0,
          bodyTimeout: 0,
          maxHeaderSize: 16_384,
          keepAliveTimeout: 4000,
          keepAliveMaxTimeout: 4000,
        },
      },
    ]);
  });
});

describe('a connection', () => {
  it('is not open at first, and its handler serves the exchange that it carries', () => {
    const { connection, handler, current } = given();
    expect(connection).toMatchObject({
      origin: 'https://receiver.example',
      phase: 'dns',
      openedAt: 1000,
      startedAt: 0,
      resolvedAt: 0,
      connectedAt: 0,
      readyAt: 0,
    });
    expect([connection.exchange, connection.socket]).toEqual([undefined, undefined]);
    expect(connection.handler).toBe(handler);
    const exchange = {} as Exchange;
    connection.exchange = exchange;
    expect(current()).toBe(exchange);
  });

  it('to a name resolves, connects and shakes hands, and records the time of each step', () => {
    const { connection, open, socket, connected, callback, onOpening, onReady, onSocket, targets, pass } = given();
    pass(500);
    open('receiver.example');
    expect(connection).toMatchObject({
      phase: 'dns',
      openedAt: 1500,
      resolvedAt: 0,
      connectedAt: 0,
      readyAt: 0,
      socket,
    });
    expect(connection.startedAt).toBeGreaterThan(0);
    expect(onOpening).toHaveBeenCalledWith(connection);
    expect(onSocket).toHaveBeenCalledWith(socket);
    expect(targets).toEqual([{ hostname: 'receiver.example' }]);
    socket.emit('lookup', null);
    expect(connection.phase).toBe('connect');
    expect(connection.resolvedAt).toBeGreaterThan(0);
    socket.emit('connect');
    expect(connection.phase).toBe('tls');
    expect(connection.connectedAt).toBeGreaterThan(0);
    expect(onReady).not.toHaveBeenCalled();
    connected(null);
    expect(connection.phase).toBe('open');
    expect(connection.readyAt).toBeGreaterThan(0);
    expect(onReady).toHaveBeenCalledWith(connection);
    expect(callback).toHaveBeenCalledWith(null, socket);
  });

  it('is in the phase tls before other listeners learn that it is connected', () => {
    const { connection, socket, open } = given();
    const phases: unknown[] = [];
    socket.on('connect', () => phases.push(connection.phase));
    open('receiver.example');
    socket.emit('connect');
    expect(phases).toEqual(['tls']);
  });

  it('stays in its phase if opening it fails', () => {
    const { connection, socket, open, connected, callback, onReady } = given();
    open('receiver.example');
    const error = new Error('ENOTFOUND');
    socket.emit('lookup', error);
    connected(error);
    expect(connection).toMatchObject({ phase: 'dns', resolvedAt: 0, readyAt: 0 });
    expect(onReady).not.toHaveBeenCalled();
    expect(callback).toHaveBeenCalledWith(error, socket);
  });

  it('resets its times if it is opened again', () => {
    const { connection, socket, open, connected } = given();
    open('receiver.example');
    socket.emit('lookup', null);
    socket.emit('connect');
    connected(null);
    open('receiver.example');
    expect(connection).toMatchObject({ phase: 'dns', resolvedAt: 0, connectedAt: 0, readyAt: 0 });
  });

  it('to a public IP address needs no DNS lookup', () => {
    const { connection, open, targets } = given();
    open('93.184.215.14');
    expect(connection.phase).toBe('connect');
    expect(targets).toHaveLength(1);
  });

  it('to a forbidden address is refused without a socket, and only after undici has returned', async () => {
    const { connection, open, targets, callback, onOpening } = given();
    open('10.0.0.1');
    expect(callback).not.toHaveBeenCalled();
    await Promise.resolve();
    expect(callback).toHaveBeenCalledWith(expect.any(BlockedTargetError), null);
    expect(onOpening).toHaveBeenCalled();
    expect(targets).toEqual([]);
    expect(connection.socket).toBeUndefined();
  });

  it('to an address in an allowed range is opened', () => {
    const { open, targets } = given({ allowRanges: ['loopback'] });
    open('127.0.0.1');
    expect(targets).toHaveLength(1);
  });

  it('names its server without the dot at the end of an absolute name', () => {
    const { open, targets } = given();
    open('receiver.example.');
    expect(targets).toEqual([{ hostname: 'receiver.example.', servername: 'receiver.example' }]);
  });

  it('ends with its socket, even while it is opening, and later errors are ignored', () => {
    const { connection, open, socket } = given();
    endConnection(connection);
    expect(connection.client.destroy).toHaveBeenCalledWith(null, expect.any(Function));
    open('receiver.example');
    endConnection(connection);
    expect(socket.destroy).toHaveBeenCalled();
    expect(() => socket.emit('error', new Error('reset'))).not.toThrow();
  });
});
