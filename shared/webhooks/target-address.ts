/** Decides which hosts (at registration) and addresses (at connect) are targets: public ones and the stage's. */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memoized } from '../foundation/cache.ts';
import type { Settings } from '../foundation/settings.ts';

export type AllowedRanges = readonly Settings['targets']['allowRanges'][number][];

/**
 * Refused even in an allowed range, as they return credentials: EC2 and GCP metadata on IPv6, and Azure's WireServer.
 * Those in 169.254.0.0/16, fe80::/10 and 100.64.0.0/10 need no entry: these ranges cannot be allowed.
 */
const platformServices = ['fd00:ec2::/32', 'fd20:ce::/32', '168.63.129.16/32'];

/** What IANA has allocated; ipaddr.js also calls other space and `::a.b.c.d` unicast (RFC 4291, 2.4 and 2.5.5.1). */
const globalUnicast = '2000::/3';

/** Each is parsed with the first address, and not during INIT: most targets have a name. */
const networkOf = memoized((cidr) => ipaddr.parseCIDR(cidr));

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean => {
  const [network, bits] = networkOf(cidr);
  return address.kind() === network.kind() && address.match(network, bits);
};

/**
 * Whether a delivery may connect to an IP address (IPv6 without brackets). `allowRanges` has ipaddr.js's names; IPv4
 * inside IPv6 (mapped, NAT64, 6to4, Teredo) and zones are never allowed.
 */
export const isAllowedAddress = (address: string, allowRanges: AllowedRanges): boolean => {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (platformServices.some((cidr) => isIn(parsed, cidr))) return false;
  const range = parsed.range();
  if (range === 'unicast') return parsed instanceof ipaddr.IPv4 || isIn(parsed, globalUnicast);
  return allowRanges.some((allowed) => allowed === range);
};

/** Suffixes that public DNS does not serve: RFC 6761, 6762 and 8375, and `.internal` (ICANN, 2024). */
const privateSuffixes = ['internal', 'local', 'localhost', 'home.arpa'];

/** Whether a parsed URL's host (lower case, IPv6 in brackets) is allowed. Names are not resolved. */
export const isAllowedHost = (host: string, allowRanges: AllowedRanges): boolean => {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return isAllowedAddress(address, allowRanges);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name === 'localhost') return allowRanges.includes('loopback');
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
};
