import { z } from 'zod';

/** True for an https URL, or an http URL on this machine. */
export function isSafeUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return new URL(address).protocol === 'https:' || isOnThisMachine(address);
}

/** The base URL of a simulator. Only this machine: cards sent to another would leave the acquirer's control. */
export const simulatorUrl = z
  .url()
  .max(200)
  .refine(isOnThisMachine, 'must be an http URL on this machine')
  .refine((address) => !/[?#@]/.test(address), 'must be a URL without query, fragment or user name');

/** True for an http URL on this machine, where only a simulator of the acquirer listens. */
export function isOnThisMachine(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
