import { lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { isLoopbackHost, isPublicAddress } from './address.ts';

export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
}

/** Posts to an address that a merchant gave; rejects when no answer came. */
export type PostOutside = (url: string, headers: Record<string, string>, body: string) => Promise<OutboundAnswer>;

const TIMEOUT_MS = 15_000;

/**
 * Requests to addresses that others choose. Redirects are not followed. Only public addresses are
 * connected to, with `allowLoopback` also this machine's own: the check is on the very address that
 * the name resolved to for this connection, so that a name which changes its mind gains nothing.
 */
export function createPostOutside(options: { allowLoopback: boolean }): PostOutside {
  const mayConnect = (address: string) =>
    isPublicAddress(address) || (options.allowLoopback && isLoopbackHost(address));
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    systemLookup(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      if (error) {
        callback(error, '', 0);
        return;
      }
      const allowed = addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) callback(new Error('The address leads to a private network'), '', 0);
      else if (lookupOptions.all) callback(null, allowed);
      else callback(null, first.address, first.family);
    });
  };
  const dispatcher = new Agent({
    connect: { lookup, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return async (url, headers, body) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    // A literal address is connected to without a look-up.
    if (/^[\d.]+$|:/.test(host) && !mayConnect(host)) {
      throw new Error('The address leads to a private network');
    }
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    await response.body?.cancel();
    return { status: response.status, retryAfter: response.headers.get('retry-after') };
  };
}
