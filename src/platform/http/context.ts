import type { HttpBindings } from '@hono/node-server';
import type { Context } from 'hono';

/** What every handler finds in its context. */
export interface RequestVariables {
  requestId: string;
  /** Where the request comes from, seen through the trusted proxies; in its shortest form. */
  clientAddress: string;
  /** The country a trusted proxy's header or the address database gives; ISO 3166-1 alpha-2 or null. */
  clientCountry: string | null;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: RequestVariables;
}

export type HttpContext = Context<HttpEnv>;
