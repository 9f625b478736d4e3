/** The pool of the sender's connections: a few for each origin, reused for seconds only. */
import { type ConnectionOptions, createConnection, endConnection } from './connection.ts';
import type { Connection, Exchange } from './exchange.ts';

export interface Connections {
  /** Assigns a connection of its origin to the exchange, at once or as soon as one is free. */
  acquire(exchange: Exchange): void;
  release(connection: Connection): void;
  discard(connection: Connection): void;
}

export interface ConnectionsOptions extends ConnectionOptions {
  readonly perOrigin: number;
  /** Called when an exchange gets its connection, which may still have to be opened. */
  readonly onAcquired: (exchange: Exchange, connection: Connection) => void;
}

/** Age in ms up to which it is reused: new addresses count soon, and a thawed Lambda writes to no old socket. */
const maxAgeMs = 10_000;
/** Maximum idle connections: a fan-out to thousands of hosts must not exhaust Lambda's 1,024 file descriptors. */
const maxIdle = 256;

interface Origin {
  /** The most recently used one last. */
  readonly idle: Set<Connection>;
  readonly waiting: Exchange[];
  open: number;
}

/** Makes an empty pool. */
export const createConnections = ({ perOrigin, onAcquired, ...options }: ConnectionsOptions): Connections => {
  const origins = new Map<string, Origin>();
  const all = new Set<Connection>();
  /** Idle connections of all origins, the longest idle one first. */
  const idle = new Set<Connection>();

  const acquire = (exchange: Exchange): void => {
    const { origin: name } = exchange;
    const origin = origins.get(name) ?? addOrigin(name);
    const connection = takeIdle(origin) ?? add(name, origin);
    if (connection === undefined) {
      origin.waiting.push(exchange);
      return;
    }
    connection.exchange = exchange;
    onAcquired(exchange, connection);
  };

  const addOrigin = (name: string): Origin => {
    const origin: Origin = { idle: new Set(), waiting: [], open: 0 };
    origins.set(name, origin);
    return origin;
  };

  /** Takes the most recently used one, so that the others stay idle and are closed. */
  const takeIdle = (origin: Origin): Connection | undefined => {
    for (const connection of [...origin.idle].reverse()) {
      origin.idle.delete(connection);
      idle.delete(connection);
      if (options.clock() - connection.openedAt <= maxAgeMs) return connection;
      end(connection, origin);
    }
    return undefined;
  };

  /** Opens a new connection, unless the origin has reached its limit. */
  const add = (name: string, origin: Origin): Connection | undefined => {
    if (origin.open >= perOrigin) return undefined;
    const connection = createConnection(name, options);
    connection.client.on('disconnect', () => {
      if (idle.has(connection)) discard(connection);
    });
    origin.open += 1;
    all.add(connection);
    return connection;
  };

  const release = (connection: Connection): void => {
    connection.exchange = undefined;
    const origin = origins.get(connection.origin);
    if (origin === undefined || !all.has(connection)) return;
    origin.idle.add(connection);
    idle.add(connection);
    if (origin.waiting.length > 0) serve(origin);
    else if (idle.size > maxIdle) for (const longest of [...idle].slice(0, 1)) discard(longest);
  };

  const discard = (connection: Connection): void => {
    const origin = origins.get(connection.origin);
    if (origin === undefined || !all.has(connection)) return;
    idle.delete(connection);
    origin.idle.delete(connection);
    end(connection, origin);
    serve(origin);
    if (origin.open === 0) origins.delete(connection.origin);
  };

  const end = (connection: Connection, origin: Origin): void => {
    all.delete(connection);
    origin.open -= 1;
    connection.exchange = undefined;
    endConnection(connection);
  };

  const serve = (origin: Origin): void => {
    for (let next = origin.waiting.shift(); next !== undefined; next = origin.waiting.shift()) {
      if (next.hasEnded) continue;
      acquire(next);
      return;
    }
  };

  return { acquire, release, discard };
};
