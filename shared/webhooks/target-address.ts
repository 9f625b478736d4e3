/**
 * Decides which addresses and host names are allowed as targets: the public internet, and the ranges of the stage.
 * Applies to the host of a URL at registration, and to the resolved addresses at every connect.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import { memoized } from '../foundation/cache.ts';
import type { Settings } from '../foundation/settings.ts';

export type AllowedRanges = readonly Settings['targets']['allowRanges'][number][];

/**
 * Refused even if their range is allowed, because these services return credentials and configuration of the machine: EC2 on
 * IPv6 (AWS, "Instance metadata service"), the metadata server of GCP on IPv6, and Azure's WireServer, a public address.
 * Services in 169.254.0.0/16, fe80::/10 and 100.64.0.0/10 need no entry, because these ranges cannot be allowed.
 */
const platformServices = ['fd00:ec2::/32', 'fd20:ce::/32', '168.63.129.16/32'];

/** The space that IANA has allocated; ipaddr.js also calls unallocated space and `::a.b.c.d` unicast (RFC 4291, 2.4 and 2.5.5.1). */
const globalUnicast = '2000::/3';

/** Each is parsed with the first address, and not during INIT: most targets have a name. */
const networkOf = memoized((cidr) => ipaddr.parseCIDR(cidr));

const isIn = (address: ipaddr.IPv4 | ipaddr.IPv6, cidr: string): boolean => {
  const [network, bits] = networkOf(cidr);
  return address.kind() === network.kind() && address.match(network, bits);
};

/**
 * Whether a delivery may connect to an IP address (IPv6 without brackets). Allowed ranges have the names of ipaddr.js; IPv4
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

/** Whether the host of a parsed URL (lower case, IPv6 in brackets) is allowed. A name is not resolved; a trailing dot is ignored. */
export const isAllowedHost = (host: string, allowRanges: AllowedRanges): boolean => {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return isAllowedAddress(address, allowRanges);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name === 'localhost') return allowRanges.includes('loopback');
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
};
