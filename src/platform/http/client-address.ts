import { all, compile } from '@fastify/proxy-addr';
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
  const address = (context: HttpContext): string => {
    const { incoming } = context.env;
    try {
      const chain = all(incoming, isTrusted);
      return normalizeAddress(chain.at(-1) ?? '') ?? chain.at(-1) ?? '';
    } catch {
      // The header holds something that is no address: then only the socket's own is sure.
      return normalizeAddress(incoming.socket.remoteAddress ?? '') ?? '';
    }
  };
  return {
    address,
    country(context) {
      const peer = context.env.incoming.socket.remoteAddress ?? '';
      if (options.countryHeader && isTrusted(peer, 0)) {
        const said = context.req.header(options.countryHeader);
        const country = said ? toAlpha2(said.trim()) : null;
        if (country) return country;
      }
      return options.countryOfAddress(address(context));
    },
  };
}
