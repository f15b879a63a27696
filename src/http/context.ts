import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** Where a request comes from, seen through the trusted proxies. */
export interface ClientLocation {
  /** In its shortest form; empty when the socket is gone. */
  address: string;
  /** ISO 3166-1 alpha-2; null when no source knows. */
  country: string | null;
  /** What says so: a trusted proxy's header, or the database of addresses. */
  countrySource: 'header' | 'address' | null;
}

/** What every handler finds in its context. */
export interface RequestVariables {
  requestId: string;
  client: ClientLocation;
  /** Whose operation is called and by what, once that is known: a token or page by its number, which is no secret. */
  caller?: { merchantId: number; identity: string };
  /** Set by a handler whose answer has no end yet: it goes on with the connection once the head is sent. */
  takeOver?: (outgoing: ServerResponse) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: RequestVariables;
}

export type HttpContext = Context<HttpEnv>;
