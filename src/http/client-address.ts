import { compile } from '@fastify/proxy-addr';
import { toAlpha2 } from '../api/country.ts';
import type { Log } from '../system/log.ts';
import type { CountryOfAddress } from './geo.ts';
import { normalizeIpAddress } from './address.ts';
import type { ClientLocation, HttpContext } from './context.ts';

export type ClientLocator = (context: HttpContext) => ClientLocation;

/** Anyone can send the header to a service without a proxy. */
const MAX_LOGGED_FORWARDERS = 10;

/**
 * Finds the client's address, on first use: the nearest address in `X-Forwarded-For` that is not a trusted proxy's.
 * Without trusted proxies the headers are ignored and the socket's address is used. The country is the trusted proxy's
 * header or that of the address (`geo.ts`). `merchants/restricted-countries.ts` rejects restricted ones.
 */
export function createClientLocator(options: {
  trustedProxies: readonly string[];
  countryHeader: string | null;
  countryOfAddress: CountryOfAddress;
  log: Log;
}): ClientLocator {
  const isTrusted = options.trustedProxies.length > 0 ? compile([...options.trustedProxies]) : () => false;
  const peerOf = (context: HttpContext) => normalizeIpAddress(context.env.incoming.socket.remoteAddress ?? '') ?? '';

  const logged = new Set<string>();
  const logForwarder = (address: string) => {
    if (logged.has(address) || logged.size >= MAX_LOGGED_FORWARDERS) return;
    logged.add(address);
    options.log.warn({ address }, 'request was forwarded by a proxy that is not in TRUSTED_PROXIES');
  };

  const findAddress = (context: HttpContext): Pick<ClientLocation, 'address' | 'isForwarder'> => {
    let nearest = peerOf(context);
    const entries = (context.req.header('x-forwarded-for') ?? '').split(',').reverse();
    for (const [index, entry] of entries.entries()) {
      if (nearest === '') break;
      if (!isTrusted(nearest, index)) {
        const isForwarder = entry !== '' || (index === 0 && context.req.header('forwarded') !== undefined);
        if (isForwarder && index === 0) logForwarder(nearest);
        return { address: nearest, isForwarder };
      }
      const previous = parseForwardedEntry(entry);
      // An invalid entry ends the chain: the addresses before it cannot be trusted.
      if (previous === null) break;
      nearest = previous;
    }
    return { address: nearest, isForwarder: false };
  };

  const countryFromProxy = (context: HttpContext): string | null => {
    const peer = peerOf(context);
    if (!options.countryHeader || peer === '' || !isTrusted(peer, 0)) return null;
    const header = context.req.header(options.countryHeader);
    return header ? toAlpha2(header.trim()) : null;
  };

  const locate = (context: HttpContext): ClientLocation => {
    const found = findAddress(context);
    const proxyCountry = countryFromProxy(context);
    if (proxyCountry) return { ...found, country: proxyCountry, countrySource: 'header' };
    const country = options.countryOfAddress(found.address);
    return { ...found, country, countrySource: country === null ? null : 'address' };
  };

  return (context) => {
    let located: ClientLocation | undefined;
    const location = () => (located ??= locate(context));
    return {
      get address() {
        return location().address;
      },
      get country() {
        return location().country;
      },
      get countrySource() {
        return location().countrySource;
      },
      get isForwarder() {
        return location().isForwarder;
      },
    };
  };
}

/** Parses a header entry. Some proxies append a port (`192.0.2.1:443`, `[2001:db8::1]:443`). */
function parseForwardedEntry(entry: string): string | null {
  const text = entry.trim();
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return normalizeIpAddress(bracketed ?? dotted ?? text);
}
