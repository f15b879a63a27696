import { z } from 'zod';

/** True for an https URL, or an http URL on this machine. */
export function isSafeUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  return new URL(address).protocol === 'https:' || isLoopbackUrl(address);
}

/** The base URL of a simulator. Only this machine: any other host would receive card data outside the acquirer. */
export const simulatorUrl = z
  .url()
  .max(200)
  .refine(isLoopbackUrl, 'must be an http URL on this machine')
  .refine((address) => !/[?#@]/.test(address), 'must be a URL without query, fragment or user name');

/** True for an http URL on this machine, where only a simulator of the acquirer listens. */
export function isLoopbackUrl(address: string): boolean {
  if (!URL.canParse(address)) return false;
  const { protocol, hostname } = new URL(address);
  return protocol === 'http:' && ['127.0.0.1', '[::1]', 'localhost'].includes(hostname);
}
