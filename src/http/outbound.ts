import { type LookupAddress, type LookupAllOptions, lookup as systemLookup } from 'node:dns';
import type { LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { maskAnswer } from '../system/mask.ts';
import { isLoopbackHost, isPublicAddress } from './address.ts';

export interface OutboundAnswer {
  status: number;
  retryAfter: string | null;
  /** The beginning of the body, as text that can be stored. */
  body: string;
}

/** Posts to an address that a merchant gave; rejects when no answer came. */
export type PostOutside = (url: string, headers: Record<string, string>, body: string) => Promise<OutboundAnswer>;

/** Finds every address of a name. */
export type LookupAll = (
  hostname: string,
  options: LookupAllOptions,
  callback: (error: NodeJS.ErrnoException | null, addresses: LookupAddress[]) => void,
) => void;

const TIMEOUT_MS = 15_000;

/** The same for a name that does not exist and for one that leads inside: callers must not learn internal names. */
const NO_ADDRESS = 'The host name does not resolve to an address that webhooks may be sent to';

/**
 * Requests to addresses that others choose. Redirects are not followed. Only public addresses are
 * connected to, with `allowLoopback` also this machine's own: the check is on the very address that
 * the name resolved to for this connection, so that a name which changes its mind gains nothing.
 */
export function createPostOutside(options: {
  allowLoopback: boolean;
  /** What turns names into addresses; the system's own unless given. */
  lookup?: LookupAll;
}): PostOutside {
  const { lookup: lookupAll = systemLookup } = options;
  const mayConnect = (address: string) =>
    isPublicAddress(address) || (options.allowLoopback && isLoopbackHost(address));
  const lookup: LookupFunction = (hostname, lookupOptions, callback) => {
    lookupAll(hostname, { ...lookupOptions, all: true }, (error, addresses) => {
      const allowed = error ? [] : addresses.filter(({ address }) => mayConnect(address));
      const [first] = allowed;
      if (!first) callback(new Error(NO_ADDRESS), '', 0);
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
      throw new Error(NO_ADDRESS);
    }
    const response = await fetch(url, {
      method: 'POST',
      headers,
      body,
      redirect: 'manual',
      dispatcher,
      signal: AbortSignal.timeout(TIMEOUT_MS),
    });
    const { status } = response;
    const retryAfter = response.headers.get('retry-after');
    return { status, retryAfter, body: await readBeginning(response.body) };
  };
}

/** What is longer is not read. */
const MOST_BYTES = 4 * 1024;
const MOST_CHARACTERS = 1024;

/** A body may end badly, or never: what has come of it by then is enough. */
async function readBeginning(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MOST_BYTES) break;
    }
  } catch {
    // The status says what counts.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks)).replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  return [...maskAnswer(text)].slice(0, MOST_CHARACTERS).join('');
}
