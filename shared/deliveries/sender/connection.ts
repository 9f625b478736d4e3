/** One connection to a receiver: an undici client that resolves, checks and connects, and times each step. */
import { isIP, type LookupFunction } from 'node:net';
import { createSecureContext } from 'node:tls';
import type { Dispatcher } from 'undici';
import buildConnector from 'undici/lib/core/connect.js';
import Client from 'undici/lib/dispatcher/client.js';
import type { Clock } from '../../foundation/clock.ts';
import { type AllowedRanges, isAllowedAddress } from '../../webhooks/target-address.ts';
import type { Connection, Exchange } from './exchange.ts';
import { BlockedTargetError } from './guarded-lookup.ts';
import { isAlert } from './send-failure.ts';

type Connector = ReturnType<typeof buildConnector>;

export interface ConnectionOptions {
  readonly connector: Connector;
  readonly allowRanges: AllowedRanges;
  readonly clock: Clock;
  readonly createHandler: (current: () => Exchange | undefined) => Dispatcher.DispatchHandler;
  /** When it starts to open, and when it is open. undici reopens it if the receiver closed it before a write. */
  readonly onOpening: (connection: Connection) => void;
  readonly onReady: (connection: Connection) => void;
}

/** Idle time in ms after which a connection is closed; less if the receiver's `Keep-Alive` requests it. */
const idleMs = 4000;
const maxHeaderBytes = 16_384;

/** Opens TCP and TLS connections with a custom lookup. The sender enforces `connectTimeoutMs` for the whole. */
export const createConnector = (lookup: LookupFunction, connectTimeoutMs: number): Connector => {
  return buildConnector({
    lookup,
    allowH2: false,
    timeout: 0,
    keepAlive: false,
    // One for all connections: creating one takes a sixth of a handshake's CPU time.
    secureContext: createSecureContext(),
    // Set explicitly, so that no environment variable can disable it.
    rejectUnauthorized: true,
    autoSelectFamily: true,
    // A third leaves time for the next address if one is silent. Node's 250 ms are too short across the globe.
    autoSelectFamilyAttemptTimeout: Math.ceil(connectTimeoutMs / 3),
  });
};

/** Makes a connection to an origin, which the first exchange on it opens. */
export const createConnection = (origin: string, options: ConnectionOptions): Connection => {
  const client = new Client(origin, {
    connect: (target, callback) => open(connection, target, callback, options),
    pipelining: 1,
    allowH2: false,
    // The sender's own deadline covers both of these.
    headersTimeout: 0,
    bodyTimeout: 0,
    maxHeaderSize: maxHeaderBytes,
    keepAliveTimeout: idleMs,
    keepAliveMaxTimeout: idleMs,
  });
  const connection: Connection = {
    origin,
    client,
    handler: options.createHandler(() => connection.exchange),
    exchange: undefined,
    phase: 'dns',
    socket: undefined,
    alert: undefined,
    openedAt: options.clock(),
    startedAt: 0,
    resolvedAt: 0,
    connectedAt: 0,
    readyAt: 0,
  };
  return connection;
};

const open = (
  connection: Connection,
  target: Parameters<Connector>[0],
  callback: Parameters<Connector>[1],
  { connector, allowRanges, clock, onOpening, onReady }: ConnectionOptions,
): void => {
  const isAddress = isIP(target.hostname) !== 0;
  connection.phase = isAddress ? 'connect' : 'dns';
  connection.openedAt = clock();
  connection.startedAt = performance.now();
  connection.resolvedAt = connection.connectedAt = connection.readyAt = 0;
  connection.alert = undefined;
  onOpening(connection);
  // For an address, Node does no lookup.
  if (isAddress && !isAllowedAddress(target.hostname, allowRanges)) {
    queueMicrotask(() => callback(new BlockedTargetError(), null));
    return;
  }
  const socket = connector(withoutFinalDot(target), (...result) => {
    if (result[0] === null) {
      connection.phase = 'open';
      connection.readyAt = performance.now();
      onReady(connection);
    }
    callback(...result);
  });
  connection.socket = socket;
  socket.prependListener('error', (error) => {
    if (isAlert(error)) connection.alert ??= error;
  });
  socket.once('lookup', (error: Error | null) => {
    if (error !== null) return;
    connection.phase = 'connect';
    connection.resolvedAt = performance.now();
  });
  // Before undici's own listener, which for `http:` reports that the connection is ready.
  socket.prependOnceListener('connect', () => {
    connection.phase = 'tls';
    connection.connectedAt = performance.now();
  });
};

/** TLS names a server without the trailing dot of an absolute name (RFC 6066, 3). */
const withoutFinalDot = <T extends { hostname: string }>(target: T): T & { servername?: string } => {
  return target.hostname.endsWith('.') ? { ...target, servername: target.hostname.slice(0, -1) } : target;
};

/** Ends a connection, even during an exchange. */
export const endConnection = ({ client, socket }: Connection): void => {
  client.destroy(null, ignore);
  // undici forgets a socket that is still connecting, so it is ended here.
  socket?.on('error', ignore).destroy();
};

const ignore = (): void => {};
