import ipaddr from 'ipaddr.js';

/** An address in its shortest form; an IPv4 address that came wrapped in IPv6 as IPv4. Null when it is none. */
export function normalizeAddress(address: string): string | null {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** The network that an address belongs to, a /24 of IPv4 or a /48 of IPv6; it tells a region and no person. */
export function networkOf(address: string): string | null {
  if (!ipaddr.isValid(address)) return null;
  const parsed = ipaddr.process(address);
  const network =
    parsed.kind() === 'ipv4'
      ? `${ipaddr.IPv4.networkAddressFromCIDR(`${parsed.toString()}/24`).toString()}/24`
      : `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/48`).toString()}/48`;
  return network;
}

/**
 * The unit that rate limits count: an IPv4 address, or a /64 of IPv6, which is one link (RFC 4291, section 2.5.4) and
 * usually one subscriber, who can change the rest of the address at will.
 */
export function limitedAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** What is given out of IPv6 (RFC 4291, section 2.4); the rest is reserved, or stands for something else. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** Whether an address is one that the whole Internet can reach. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** `localhost`, `127.0.0.0/8`, `::1`: this machine. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** Whether a host of a URL is, by its spelling alone, not on the public Internet. */
export function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return isLoopbackHost(host) || !host.includes('.') || /\.(local|localdomain|internal|home\.arpa|lan)$/i.test(host);
}

/** A URL's hostname as names and addresses are compared: no brackets, no final dot of the root zone. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
