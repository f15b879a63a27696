import { lookup as systemLookup } from 'node:dns';
import { Resolver } from 'node:dns/promises';
import { isIPv6, type LookupFunction } from 'node:net';
import { Agent, fetch } from 'undici';
import { maskResponseBody } from '../system/mask.ts';
import { readText } from '../system/read-text.ts';
import { isLoopbackHost, isPublicAddress } from './address.ts';

export interface OutboundResponse {
  status: number;
  retryAfter: string | null;
  /** The beginning of the body, masked, as text that can be stored. */
  body: string;
  /** Names and values of the headers, in order, masked and limited. */
  headers?: readonly (readonly [name: string, value: string])[];
}

/** Posts to a merchant's URL; rejects if no response arrives. */
export type OutboundPost = (url: string, headers: Record<string, string>, body: string) => Promise<OutboundResponse>;

/** Resolves the addresses of a host name; rejects if it has none. */
export interface NameResolver {
  resolve4(hostname: string): Promise<string[]>;
  resolve6(hostname: string): Promise<string[]>;
}

const TIMEOUT_MS = 15_000;

/** The same for unknown names and for names of internal addresses, so that callers do not learn internal names. */
const UNRESOLVED_HOST = 'The host name does not resolve to an address that webhooks may be sent to';

interface OutboundOptions {
  allowLoopback: boolean;
  resolver?: NameResolver;
}

/**
 * Sends its own queries. `dns.lookup` waits in the thread pool, where two names whose servers do not respond would delay
 * every other name of the process, such as an acquirer's. Ignores `/etc/hosts`, which has no public names.
 */
export const createResolver = () => new Resolver({ timeout: 3000, tries: 2 });

/**
 * Sends requests to URLs that merchants choose (SSRF protection). Redirects are not followed. Only public addresses
 * are allowed, and with `allowLoopback` this machine's. The check applies to the address resolved for this very
 * connection, so DNS rebinding has no effect.
 */
export function createOutboundPost(options: OutboundOptions): OutboundPost {
  const send = createGuardedFetch(options);
  return async (url, headers, body) => {
    const response = await send(url, { method: 'POST', headers, body });
    const { status } = response;
    const retryAfter = response.headers.get('retry-after');
    return { status, retryAfter, body: await readStart(response.body), headers: storableHeaders(response.headers) };
  };
}

/** Reads a URL under the same rules; rejects if the body exceeds `MAX_READ_BYTES`. */
export type OutboundGet = (url: string, headers: Record<string, string>) => Promise<{ status: number; body: string }>;

const MAX_READ_BYTES = 16 * 1024 * 1024;

export function createOutboundGet(options: OutboundOptions): OutboundGet {
  const send = createGuardedFetch(options);
  return async (url, headers) => {
    const response = await send(url, { method: 'GET', headers });
    return { status: response.status, body: await readText(response, MAX_READ_BYTES) };
  };
}

/** Time after which the system's name servers are read again: they may change while the service runs. */
const RESOLVER_LIFETIME_MS = 60_000;

/** A resolver remembers which name servers do not respond, so it is used for some time. */
function createResolverSource(): () => NameResolver {
  let resolver = createResolver();
  let createdMs = performance.now();
  return () => {
    if (performance.now() - createdMs > RESOLVER_LIFETIME_MS) {
      resolver = createResolver();
      createdMs = performance.now();
    }
    return resolver;
  };
}

/** Returns a `fetch` that connects only to allowed addresses. */
function createGuardedFetch({ allowLoopback, resolver }: OutboundOptions) {
  const mayConnect = (address: string) => isPublicAddress(address) || (allowLoopback && isLoopbackHost(address));
  const currentResolver = createResolverSource();
  const resolve = async (...[hostname, { all }, callback]: Parameters<LookupFunction>) => {
    const names = resolver ?? currentResolver();
    const results = await Promise.allSettled([names.resolve4(hostname), names.resolve6(hostname)]);
    const addresses = results.flatMap((result) => (result.status === 'fulfilled' ? result.value : []));
    const allowed = addresses
      .filter((address) => mayConnect(address))
      .map((address) => ({ address, family: isIPv6(address) ? 6 : 4 }));
    const [first] = allowed;
    if (!first) callback(new Error(UNRESOLVED_HOST), '', 0);
    else if (all) callback(null, allowed);
    else callback(null, first.address, first.family);
  };
  const lookup: LookupFunction = (hostname, options, callback) => {
    if (allowLoopback && isLoopbackHost(hostname)) systemLookup(hostname, options, callback);
    else void resolve(hostname, options, callback);
  };
  const dispatcher = new Agent({
    connect: { lookup, timeout: TIMEOUT_MS },
    headersTimeout: TIMEOUT_MS,
    bodyTimeout: TIMEOUT_MS,
  });
  return async (url: string, init: { method: string; headers: Record<string, string>; body?: string }) => {
    const host = new URL(url).hostname.replace(/^\[|\]$/g, '');
    // A literal address is not looked up, so it is checked here.
    if (/^[\d.]+$|:/.test(host) && !mayConnect(host)) {
      throw new Error(UNRESOLVED_HOST);
    }
    return await fetch(url, { ...init, redirect: 'manual', dispatcher, signal: AbortSignal.timeout(TIMEOUT_MS) });
  };
}

/** Headers whose values are credentials, or may contain one: URLs of `link` and `refresh`. */
const CREDENTIAL_HEADERS =
  /cookie|auth|token|secret|key|session|csrf|xsrf|sig|(?:^|-)(?:sid|jwt)(?:-|$)|^link$|^refresh$/;
const MAX_HEADER_CHARACTERS = 200;
/** All headers of a response, names and values: each attempt stores them. */
const MAX_TOTAL_HEADER_CHARACTERS = 2000;

/** Limits and masks response headers, as text that can be stored. Headers beyond the limit are dropped. */
function storableHeaders(headers: Iterable<[string, string]>): [string, string][] {
  const stored: [string, string][] = [];
  let size = 0;
  for (const header of headers) {
    const [name, value] = maskHeader(header);
    size += name.length + value.length;
    if (size > MAX_TOTAL_HEADER_CHARACTERS) break;
    stored.push([name, value]);
  }
  return stored;
}

/** Masks a header as one string: a server may write received data into names too. */
function maskHeader([name, value]: [string, string]): [string, string] {
  if (isDate(value)) return [maskHeaderText(name), value];
  const [maskedName = '', ...rest] = maskHeaderText(`${name}: ${withoutCredentials(name, value)}`).split(': ');
  return [maskedName, rest.join(': ')];
}

function maskHeaderText(text: string): string {
  return [...maskResponseBody(text.replaceAll(/\p{Cc}/gu, '\uFFFD'))].slice(0, MAX_HEADER_CHARACTERS).join('');
}

/** Removes credentials from a value. Paths and queries of redirects often contain one. */
function withoutCredentials(name: string, value: string): string {
  if (CREDENTIAL_HEADERS.test(name)) return '[masked]';
  return name.endsWith('location') ? (URL.parse(value)?.origin ?? '[masked]') : value;
}

/** True for a date in HTTP's format. Its 12 digits cannot be a card number. */
function isDate(value: string): boolean {
  const at = new Date(value);
  return !Number.isNaN(at.getTime()) && at.toUTCString() === value;
}

/** Longer bodies are not read to the end. */
const MAX_BYTES = 4 * 1024;
const MAX_CHARACTERS = 1024;

/** Reads the beginning of a body. If the connection drops, the part received so far is used. */
async function readStart(body: AsyncIterable<Uint8Array> | null): Promise<string> {
  const chunks: Uint8Array[] = [];
  let size = 0;
  try {
    for await (const chunk of body ?? []) {
      chunks.push(chunk);
      size += chunk.byteLength;
      if (size >= MAX_BYTES) break;
    }
  } catch {
    // Only the status matters.
  }
  const text = new TextDecoder().decode(Buffer.concat(chunks)).replaceAll(/[^\P{Cc}\n\t]/gu, '\uFFFD');
  return [...maskResponseBody(text)].slice(0, MAX_CHARACTERS).join('');
}
