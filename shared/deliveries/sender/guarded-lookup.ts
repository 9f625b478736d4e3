/** Resolves a receiver's name and allows only addresses that deliveries may go to. */
import { Resolver } from 'node:dns/promises';
import type { LookupFunction } from 'node:net';
import { setTimeout } from 'node:timers/promises';
import { type AllowedRanges, isAllowedAddress } from '../../webhooks/target-address.ts';

/** Returns all addresses of a name, IPv4 and IPv6; rejects or returns none if there are none. */
export type Resolve = (hostname: string) => Promise<readonly string[]>;

/** The receiver's URL names an address that deliveries may not go to. */
export class BlockedTargetError extends Error {}

/** The receiver's name resolved to an address that deliveries may not go to; the next DNS answer may differ. */
export class ForbiddenAddressError extends Error {}

export class UnresolvedNameError extends Error {}

/** Returns a `lookup` that resolves once and returns only checked addresses; one forbidden address refuses all. */
export const guardedLookup = (resolve: Resolve, allowRanges: AllowedRanges): LookupFunction => {
  return (hostname, _options, callback) => {
    resolve(hostname).then(
      (addresses) => {
        if (addresses.length === 0) return callback(new UnresolvedNameError(), []);
        if (!addresses.every((address) => isAllowedAddress(address, allowRanges)))
          return callback(new ForbiddenAddressError(), []);
        callback(
          null,
          addresses.map((address) => ({ address, family: address.includes(':') ? 6 : 4 })),
        );
      },
      (cause: unknown) => callback(new UnresolvedNameError('unresolved', { cause }), []),
    );
  };
};

/** How long to wait for IPv6 addresses after the IPv4 ones, in ms: some name servers never answer AAAA queries. */
const lateMs = 250;

/**
 * Queries the DNS directly: getaddrinfo would occupy one of four threads for each silent name server, and also reads
 * search domains and /etc/hosts. IPv4 comes first, because Lambda has no IPv6 egress.
 */
export const createResolve = (resolver: Pick<Resolver, 'resolve4' | 'resolve6'>): Resolve => {
  return async (hostname) => {
    if (hostname === 'localhost' || hostname === 'localhost.') return ['127.0.0.1', '::1']; // RFC 6761, 6.3
    const ipv6 = resolver.resolve6(hostname).catch(() => []);
    try {
      const ipv4 = await resolver.resolve4(hostname);
      return [...ipv4, ...(await Promise.race([ipv6, setTimeout(lateMs, [], { ref: false })]))];
    } catch (error) {
      const addresses = await ipv6;
      if (addresses.length > 0) return addresses;
      throw error;
    }
  };
};

/** Returns a resolver with the name servers of the system and two tries, which fit into the connect timeout (ms). */
export const systemResolver = (connectTimeoutMs: number): Resolver => {
  return new Resolver({ timeout: Math.ceil(connectTimeoutMs / 4), tries: 2 });
};
