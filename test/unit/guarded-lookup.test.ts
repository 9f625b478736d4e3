/** DNS resolution with a real resolver and a local name server, and the addresses that the guard allows. */

import type { LookupAddress } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { afterEach, describe, expect, test, vi } from 'vitest';
import { createConnection } from '../../shared/deliveries/sender/connection.ts';
import {
  BlockedTargetError,
  createResolve,
  ForbiddenAddressError,
  guardedLookup,
  type Resolve,
  systemResolver,
  UnresolvedNameError,
} from '../../shared/deliveries/sender/guarded-lookup.ts';
import { type NameAnswer, startNameServer } from '../support/name-server.ts';

const resolvers = vi.hoisted((): unknown[] => []);
vi.mock('node:dns/promises', async (load) => {
  const { Resolver } = await load<typeof import('node:dns/promises')>();
  return {
    Resolver: class extends Resolver {
      constructor(options: ConstructorParameters<typeof Resolver>[0]) {
        super(options);
        resolvers.push(options);
      }
    },
  };
});

const closings: (() => Promise<void>)[] = [];
afterEach(async () => {
  for (const close of closings.splice(0)) await close();
});

const public4 = ['93.184.215.14', '93.184.215.15'];
const public6 = ['2606:2800:21f:cb07:6820:80da:af6b:8b2c'];

const resolveWith = async (A: NameAnswer, AAAA: NameAnswer): Promise<Resolve> => {
  const server = await startNameServer({ A, AAAA });
  closings.push(server.close);
  const answers = A !== 'silent' || AAAA !== 'silent';
  const resolver = new Resolver({ timeout: answers ? 2000 : 100, tries: 1 });
  resolver.setServers([server.address]);
  return createResolve(resolver);
};

describe('the resolution of a name', () => {
  test('returns all IPv4 addresses before the IPv6 addresses', async () => {
    const resolve = await resolveWith(public4, public6);
    expect((await resolve('receiver.example')).toSorted()).toEqual([...public6, ...public4].toSorted());
    expect((await resolve('receiver.example')).at(-1)).toBe(public6[0]);
  });

  test.each([
    ['no IPv6 addresses', []],
    ['NXDOMAIN for IPv6', 'NXDOMAIN'],
    ['an error for IPv6', 'SERVFAIL'],
    ['no answer for IPv6', 'silent'],
  ] as const)('returns the IPv4 addresses even with %s', async (_title, answer) => {
    const resolve = await resolveWith(public4, answer);
    expect((await resolve('receiver.example')).toSorted()).toEqual(public4);
  });

  test.each([
    ['no IPv4 addresses', []],
    ['an error for IPv4', 'SERVFAIL'],
    ['no answer for IPv4', 'silent'],
  ] as const)('returns the IPv6 addresses even with %s', async (_title, answer) => {
    expect(await (await resolveWith(answer, public6))('receiver.example')).toEqual(public6);
  });

  test.each([
    ['NXDOMAIN', 'ENOTFOUND'],
    ['SERVFAIL', 'ESERVFAIL'],
    ['silent', 'ETIMEOUT'],
  ] as const)('fails if the answer is %s for both IPv4 and IPv6', async (answer, code) => {
    await expect((await resolveWith(answer, answer))('receiver.example')).rejects.toMatchObject({ code });
  });

  test.each(['localhost', 'localhost.'])('of %s returns the loopback addresses without a DNS query', async (name) => {
    const resolve = await resolveWith('NXDOMAIN', 'NXDOMAIN');
    expect(await resolve(name)).toEqual(['127.0.0.1', '::1']);
  });

  test('asks a second time if the name server is silent', async () => {
    const server = await startNameServer({ A: 'silent', AAAA: 'silent' });
    closings.push(server.close);
    const resolver = systemResolver(40);
    resolver.setServers([server.address]);
    await expect(resolver.resolve4('receiver.example')).rejects.toMatchObject({ code: 'ETIMEOUT' });
    expect(server.questions()).toBe(2);
  });

  test('asks a second time after a quarter of the connect timeout', () => {
    systemResolver(3000);
    expect(resolvers.at(-1)).toEqual({ timeout: 750, tries: 2 });
  });

  test('leaves no timer that keeps the process alive for late IPv6 addresses', async () => {
    const timers = (): number => process.getActiveResourcesInfo().filter((name) => name === 'Timeout').length;
    const resolve = await resolveWith(public4, public6);
    const before = timers();
    await resolve('receiver.example');
    expect(timers()).toBe(before);
  });
});

describe('the address guard', () => {
  const lookup = (resolve: Resolve): Promise<readonly LookupAddress[]> =>
    new Promise((settle, reject) => {
      guardedLookup(resolve, [])('receiver.example', { all: true }, (error, addresses) => {
        if (error) reject(error);
        else settle(typeof addresses === 'string' ? [] : addresses);
      });
    });

  test('returns exactly the addresses that it checked', async () => {
    expect(await lookup(() => Promise.resolve([...public4, ...public6]))).toEqual([
      { address: '93.184.215.14', family: 4 },
      { address: '93.184.215.15', family: 4 },
      { address: public6[0], family: 6 },
    ]);
  });

  test('refuses a name if one of its addresses is forbidden', async () => {
    await expect(lookup(() => Promise.resolve([...public4, '10.0.0.1']))).rejects.toBeInstanceOf(ForbiddenAddressError);
  });

  test('reports a failed resolution with its cause', async () => {
    const cause = new Error('ESERVFAIL');
    const failure = lookup(() => Promise.reject(cause));
    await expect(failure).rejects.toBeInstanceOf(UnresolvedNameError);
    await expect(failure).rejects.toMatchObject({ cause });
  });

  test('reports a name without addresses', async () => {
    await expect(lookup(() => Promise.resolve([]))).rejects.toBeInstanceOf(UnresolvedNameError);
  });

  test.each(['http://10.0.0.1', 'http://[::ffff:7f00:1]', 'http://169.254.169.254', 'https://[fd00:ec2::254]'])(
    'also checks a literal address, which Node never looks up: %s',
    async (origin) => {
      const error = await new Promise((resolve) => {
        const connection = createConnection(origin, {
          connector: () => {
            throw new Error('The guard allowed the address.');
          },
          allowRanges: [],
          clock: () => 0,
          createHandler: () => ({
            onRequestStart() {},
            onResponseStart() {},
            onResponseData() {},
            onResponseEnd() {},
            onResponseError: (_controller, reason) => resolve(reason),
          }),
          onOpening: () => {},
          onReady: () => {},
        });
        connection.client.dispatch({ path: '/', method: 'POST', body: '{}' }, connection.handler);
      });
      expect(error).toBeInstanceOf(BlockedTargetError);
    },
  );
});
