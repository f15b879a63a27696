/** True for an https URL, or an http URL on this machine. */
export function isSafeUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return new URL(address).protocol === 'https:' || isOnThisMachine(address);
}

/** True for an http URL on this machine, where only a simulator of the acquirer listens. */
export function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
