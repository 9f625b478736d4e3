/** The pool of connections to receivers, with connections that open at once: who gets one, and which ones are ended. */
import { EventEmitter } from 'node:events';
import type { Socket } from 'node:net';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { createConnections } from '../../shared/deliveries/sender/connections.ts';
import type { Connection, Exchange } from '../../shared/deliveries/sender/exchange.ts';

const pool = vi.hoisted(() => ({ made: [] as unknown[], ended: [] as unknown[] }));
vi.mock('../../shared/deliveries/sender/connection.ts', async () => {
  const { EventEmitter: Emitter } = await import('node:events');
  return {
    createConnection: (origin: string, options: { clock: () => number; onSocket: unknown }) => {
      const connection = { origin, client: new Emitter(), exchange: undefined, openedAt: options.clock(), options };
      pool.made.push(connection);
      return connection;
    },
    endConnection: (connection: unknown) => pool.ended.push(connection),
  };
});
beforeEach(() => {
  pool.made.length = 0;
  pool.ended.length = 0;
});

interface Made extends Connection {
  readonly client: Connection['client'] & EventEmitter;
  readonly options: { readonly onSocket: (socket: Socket) => void; readonly marker: string };
}
const made = (): readonly Made[] => pool.made as Made[];

const given = (perOrigin = 2) => {
  let clock = 1_000_000;
  const acquired: [exchange: Exchange, connection: Connection][] = [];
  const connections = createConnections({
    perOrigin,
    clock: () => clock,
    onAcquired: (exchange: Exchange, connection: Connection) => acquired.push([exchange, connection]),
    marker: 'passed on',
  } as unknown as Parameters<typeof createConnections>[0]);
  return {
    ...connections,
    acquired,
    /** Starts an exchange with an origin, which asks for a connection. */
    exchange: (origin = 'https://a.example') => {
      const exchange = { origin, settled: false } as Exchange;
      connections.acquire(exchange);
      return exchange;
    },
    pass: (ms: number) => {
      clock += ms;
    },
  };
};
const lacking = (): never => {
  throw new Error('It has no connection.');
};

describe('an exchange that asks for a connection', () => {
  it('gets a connection to its origin at once, up to the limit, and otherwise waits', () => {
    const { exchange, acquired } = given();
    const [one, two] = [exchange(), exchange(), exchange()];
    const other = exchange('https://b.example');
    expect(made().map(({ origin }) => origin)).toEqual(['https://a.example', 'https://a.example', 'https://b.example']);
    expect(acquired.map(([each]) => each)).toEqual([one, two, other]);
    expect(acquired.map(([, connection]) => connection.exchange)).toEqual([one, two, other]);
    expect(made()[0]?.options.marker).toBe('passed on');
  });

  it('gets the first connection that becomes free, in the order of waiting', () => {
    const { exchange, acquired, release } = given(1);
    const [, two, three] = [exchange(), exchange(), exchange()];
    const [connection = lacking()] = made();
    release(connection);
    expect(acquired.at(-1)).toEqual([two, connection]);
    release(connection);
    expect(acquired.at(-1)).toEqual([three, connection]);
    expect(made()).toHaveLength(1);
  });

  it('gets no connection if the exchange has ended during the wait', () => {
    const { exchange, acquired, release } = given(1);
    const [, two, three] = [exchange(), exchange(), exchange()];
    two.settled = true;
    release(made()[0] ?? lacking());
    expect(acquired.map(([each]) => each)).not.toContain(two);
    expect(acquired.at(-1)?.[0]).toBe(three);
  });

  it('gets a new connection if the previous connection was ended', () => {
    const { exchange, acquired, discard } = given(1);
    const [, two] = [exchange(), exchange()];
    const [first = lacking()] = made();
    discard(first);
    expect(pool.ended).toEqual([first]);
    expect(first.exchange).toBeUndefined();
    expect(acquired.at(-1)).toEqual([two, made()[1]]);
  });
});

describe('a free connection', () => {
  it('is reused, the most recently freed one first', () => {
    const { exchange, acquired, release } = given();
    exchange();
    exchange();
    const [first = lacking(), second = lacking()] = made();
    release(second);
    release(first);
    expect([first.exchange, second.exchange]).toEqual([undefined, undefined]);
    exchange();
    exchange();
    expect(acquired.slice(2).map(([, connection]) => connection)).toEqual([first, second]);
    expect(made()).toHaveLength(2);
  });

  it('is not reused when more than ten seconds old, and makes room for a new one', () => {
    const { exchange, release, pass, acquired } = given(1);
    exchange();
    const [first = lacking()] = made();
    release(first);
    pass(10_000);
    exchange();
    expect(acquired.at(-1)?.[1]).toBe(first);
    release(first);
    pass(1);
    exchange();
    expect(pool.ended).toEqual([first]);
    expect(acquired.at(-1)?.[1]).toBe(made()[1]);
    expect(made()).toHaveLength(2);
  });

  it('is ended and not reused if the receiver closes it', () => {
    const { exchange, release } = given();
    exchange();
    const [first = lacking()] = made();
    release(first);
    first.client.emit('disconnect');
    expect(pool.ended).toEqual([first]);
    exchange();
    expect(made()).toHaveLength(2);
  });

  it('is not ended in use, even if the receiver closes it', () => {
    const { exchange } = given();
    exchange();
    made()[0]?.client.emit('disconnect');
    expect(pool.ended).toEqual([]);
  });

  it('is ended if 256 newer ones are free', () => {
    const { exchange, release } = given(1);
    for (let number = 0; number < 257; number++) exchange(`https://r${number}.example`);
    made().slice(0, 256).forEach(release);
    expect(pool.ended).toEqual([]);
    release(made()[256] ?? lacking());
    expect(pool.ended).toEqual([made()[0]]);
  });

  it('no longer counts as idle once the receiver has closed it', () => {
    const { exchange, release } = given();
    for (let number = 0; number < 258; number++) exchange(`https://r${number}.example`);
    made().slice(0, 256).forEach(release);
    made()[0]?.client.emit('disconnect');
    release(made()[256] ?? lacking());
    expect(pool.ended).toEqual([made()[0]]);
    release(made()[257] ?? lacking());
    expect(pool.ended).toEqual([made()[0], made()[1]]);
  });

  it('no longer counts as idle once an exchange takes it', () => {
    const { exchange, release } = given(1);
    for (let number = 0; number < 257; number++) exchange(`https://r${number}.example`);
    made().slice(0, 256).forEach(release);
    exchange('https://r0.example');
    release(made()[256] ?? lacking());
    expect(pool.ended).toEqual([]);
  });
});

describe('an ended connection', () => {
  it('cannot be freed or ended again', () => {
    const { exchange, release, discard, acquired } = given(1);
    exchange();
    const [first = lacking()] = made();
    discard(first);
    discard(first);
    release(first);
    expect(pool.ended).toEqual([first]);
    exchange();
    expect(acquired.at(-1)?.[1]).toBe(made()[1]);
    // The limit is still respected.
    exchange();
    release(first);
    discard(first);
    expect(acquired).toHaveLength(2);
    expect(pool.ended).toEqual([first]);
  });

  it('is not reused even if it was idle', () => {
    const { exchange, release, discard, acquired } = given(3);
    for (let number = 0; number < 3; number++) exchange();
    const [first = lacking(), second = lacking(), third = lacking()] = made();
    for (const one of [first, second, third]) release(one);
    discard(second);
    exchange();
    exchange();
    expect(acquired.slice(3).map(([, connection]) => connection)).toEqual([third, first]);
  });

  it('does not affect the idle connections of its origin', () => {
    const { exchange, release, discard, acquired } = given(2);
    exchange();
    exchange();
    const [first = lacking(), second = lacking()] = made();
    release(first);
    discard(second);
    exchange();
    expect(acquired.at(-1)?.[1]).toBe(first);
    // One more connection is allowed.
    exchange();
    expect(made()).toHaveLength(3);
    exchange();
    expect(made()).toHaveLength(3);
  });
});

describe('the pool', () => {
  it('lists the exchanges that wait and those that have a connection', () => {
    const { exchange, exchanges, release } = given(1);
    const [one, two, other] = [exchange(), exchange(), exchange('https://b.example')];
    expect(exchanges()).toEqual([two, one, other]);
    release(made()[1] ?? lacking());
    expect(exchanges()).toEqual([two, one]);
  });

  it('ends all connections when it closes, and waits until all sockets are closed', async () => {
    const { exchange, release, close } = given();
    exchange();
    exchange('https://b.example');
    const [first = lacking(), second = lacking()] = made();
    release(first);
    const sockets = [new EventEmitter(), new EventEmitter()];
    for (const socket of sockets) first.options.onSocket(socket as Socket);
    sockets[0]?.emit('close');
    let isClosed = false;
    const closing = close().then(() => {
      isClosed = true;
    });
    expect(pool.ended).toEqual([first, second]);
    await new Promise(setImmediate);
    expect(isClosed).toBe(false);
    sockets[1]?.emit('close');
    await closing;
  });
});
