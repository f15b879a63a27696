import ipaddr from 'ipaddr.js';

/** An IP address in its shortest form; IPv4-mapped IPv6 becomes IPv4. Null if it is not an IP address. */
export function normalizeIpAddress(address: string): string | null {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** The address's network, an IPv4 /24 or IPv6 /48: it identifies a region, not a person. */
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
 * The unit that rate limits count: an IPv4 address, or an IPv6 /64. A /64 is one link (RFC 4291, section 2.5.4) and
 * usually one subscriber, who can freely change the rest of the address.
 */
export function rateLimitAddress(address: string): string {
  if (!ipaddr.isValid(address)) return address;
  const parsed = ipaddr.process(address);
  if (parsed.kind() === 'ipv4') return parsed.toString();
  return `${ipaddr.IPv6.networkAddressFromCIDR(`${parsed.toString()}/64`).toString()}/64`;
}

/** Allocated IPv6 space (RFC 4291, section 2.4); the rest is reserved or has special meanings. */
const globalUnicast = ipaddr.IPv6.parseCIDR('2000::/3');

/** True if an address is reachable from the public Internet. */
export function isPublicAddress(address: string): boolean {
  if (!ipaddr.isValid(address)) return false;
  const parsed = ipaddr.process(address);
  if (parsed.range() !== 'unicast') return false;
  return parsed.kind() === 'ipv4' || (parsed as ipaddr.IPv6).match(globalUnicast);
}

/** True for this machine: `localhost`, `127.0.0.0/8`, `::1`. */
export function isLoopbackHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (host === 'localhost' || host.endsWith('.localhost')) return true;
  return ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback';
}

/** True if a URL's host is visibly not public, without a DNS lookup. */
function isPrivateHost(hostname: string): boolean {
  const host = bareHost(hostname);
  if (ipaddr.isValid(host)) return !isPublicAddress(host);
  return isLoopbackHost(host) || !host.includes('.') || /\.(local|localdomain|internal|home\.arpa|lan)$/i.test(host);
}

/**
 * The reason why a URL of a merchant, such as an image's, must not be used, or null: it must be https and public. In
 * the sandbox, it may point to this machine.
 */
export function publicUrlProblem({ protocol, hostname }: URL, isSandbox: boolean): string | null {
  if (isSandbox && isLoopbackHost(hostname)) return null;
  if (protocol !== 'https:') return `must start with https://${isSandbox ? ' unless it points to this machine' : ''}`;
  return isPrivateHost(hostname) ? 'must not point to a private network' : null;
}

/** A URL's hostname for comparison: without brackets and the final dot of the root zone. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
