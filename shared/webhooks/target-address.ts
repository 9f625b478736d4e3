/**
 * Says which addresses and host names a delivery may go to: the public internet, and what the stage allows besides.
 * Used at registration for what stands in the URL and at every connect for what the name resolves to.
 */
import { isIP } from 'node:net';
import ipaddr from 'ipaddr.js';
import type { Settings } from '../foundation/settings.ts';

export type AllowedRanges = readonly Settings['targets']['allowRanges'][number][];

/**
 * Refused even where the range around them is allowed: what answers there hands out the machine's own credentials or configuration.
 * EC2's services on IPv6 (AWS, "Instance metadata service"), the metadata server of GCP on IPv6, Azure's WireServer, which is a public address.
 * Those on 169.254.0.0/16, fe80::/10 and 100.64.0.0/10 need no line: these ranges cannot be allowed.
 */
const platformServices = ['fd00:ec2::/32', 'fd20:ce::/32', '168.63.129.16/32'].map((cidr) => ipaddr.parseCIDR(cidr));

/** All that IANA has given out for the internet; ipaddr.js calls unallocated space and `::a.b.c.d` unicast, too (RFC 4291, 2.4 and 2.5.5.1). */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/**
 * Whether a delivery may connect to an IP address, given in its usual notation, IPv6 without brackets.
 * An allowed range is IPv4 or IPv6 of that name at ipaddr.js; IPv4 inside IPv6 (mapped, NAT64, 6to4, Teredo) never passes, nor does a zone.
 */
export function isAllowedAddress(address: string, allowRanges: AllowedRanges): boolean {
  if (isIP(address) === 0 || address.includes('%')) return false;
  const parsed = ipaddr.parse(address);
  if (platformServices.some(([network, bits]) => parsed.kind() === network.kind() && parsed.match(network, bits)))
    return false;
  const range = parsed.range();
  if (range === 'unicast') return parsed instanceof ipaddr.IPv4 || parsed.match(globalUnicast);
  return allowRanges.some((allowed) => allowed === range);
}

/** Suffixes of names that no public DNS serves: RFC 6761 and 6762, RFC 8375, and `.internal` by ICANN's decision of 2024. */
const privateSuffixes = ['internal', 'local', 'localhost', 'home.arpa'];

/**
 * Whether a host of a parsed URL (lower case, IPv6 in brackets) may be registered and connected to.
 * A name is judged by itself here, without the dot that may end it; it is not resolved.
 */
export function isAllowedHost(host: string, allowRanges: AllowedRanges): boolean {
  const address = host.startsWith('[') ? host.slice(1, -1) : host;
  if (isIP(address) !== 0) return isAllowedAddress(address, allowRanges);
  const name = host.endsWith('.') ? host.slice(0, -1) : host;
  if (name === 'localhost') return allowRanges.includes('loopback');
  const labels = name.split('.');
  if (labels.length < 2 || labels.includes('')) return false;
  return !privateSuffixes.some((suffix) => name === suffix || name.endsWith(`.${suffix}`));
}
