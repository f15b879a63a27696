import ipaddr from 'ipaddr.js';

/** An address in its shortest form; an IPv4 address that came wrapped in IPv6 as IPv4. Null when it is none. */
export function normalizeAddress(address: string): string | null {
  return ipaddr.isValid(address) ? ipaddr.process(address).toString() : null;
}

/** Whether an address is one that the whole Internet can reach. */
export function isPublicAddress(address: string): boolean {
  return ipaddr.isValid(address) && ipaddr.process(address).range() === 'unicast';
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
  return isLoopbackHost(host) || !host.includes('.') || /\.(local|internal|home\.arpa|lan)$/i.test(host);
}

/** A URL's hostname as names and addresses are compared: no brackets, no final dot of the root zone. */
function bareHost(hostname: string): string {
  return hostname.replace(/^\[|\]$/g, '').replace(/\.$/, '');
}
