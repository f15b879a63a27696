import { compile } from '@fastify/proxy-addr';
import { toAlpha2 } from '../../contract/country.ts';
import type { CountryOfAddress } from '../geo.ts';
import { normalizeAddress } from './address.ts';
import type { HttpContext } from './context.ts';

export interface ClientLocator {
  address(context: HttpContext): string;
  country(context: HttpContext): string | null;
}

/**
 * Finds who really asks: the nearest address in the chain of `X-Forwarded-For` that is not a trusted
 * proxy's. Without a trusted proxy the headers are worth nothing and the socket's address counts.
 */
export function createClientLocator(options: {
  trustedProxies: readonly string[];
  countryHeader: string | null;
  countryOfAddress: CountryOfAddress;
}): ClientLocator {
  const isTrusted = options.trustedProxies.length > 0 ? compile([...options.trustedProxies]) : () => false;
  const peerOf = (context: HttpContext) => normalizeAddress(context.env.incoming.socket.remoteAddress ?? '') ?? '';

  const address = (context: HttpContext): string => {
    let nearest = peerOf(context);
    const entries = (context.req.header('x-forwarded-for') ?? '').split(',').reverse();
    for (const [index, entry] of entries.entries()) {
      if (nearest === '' || !isTrusted(nearest, index)) break;
      const before = readEntry(entry);
      // What is no address ends the chain: who stands behind it is not known.
      if (before === null) break;
      nearest = before;
    }
    return nearest;
  };

  return {
    address,
    country(context) {
      const peer = peerOf(context);
      if (options.countryHeader && peer !== '' && isTrusted(peer, 0)) {
        const said = context.req.header(options.countryHeader);
        const country = said ? toAlpha2(said.trim()) : null;
        if (country) return country;
      }
      return options.countryOfAddress(address(context));
    },
  };
}

/** An entry of the header: an address, which some proxies write with a port (`192.0.2.1:443`, `[2001:db8::1]:443`). */
function readEntry(entry: string): string | null {
  const text = entry.trim();
  const [, bracketed, dotted] = /^\[([^\]]+)\](?::\d+)?$|^([\d.]+):\d+$/.exec(text) ?? [];
  return normalizeAddress(bracketed ?? dotted ?? text);
}
