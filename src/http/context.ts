import type { ServerResponse } from 'node:http';
import type { HttpBindings } from '@hono/node-server';
import type { Context, Hono } from 'hono';
import type { Job } from '../jobs/runner.ts';

/** A request's origin, resolved through the trusted proxies. */
export interface ClientLocation {
  /** In its shortest form; empty if the socket is closed. */
  address: string;
  /** ISO 3166-1 alpha-2; null if unknown. */
  country: string | null;
  /** Source of the country: a trusted proxy's header, or the IP address database. */
  countrySource: 'header' | 'address' | null;
  /** True if `address` forwarded the request: a proxy that is not trusted, or a client that claims to be one. */
  isForwarder: boolean;
}

/** Variables set for every handler. */
interface RequestVariables {
  requestId: string;
  client: ClientLocation;
  /** The authenticated caller: a token, user or page by its number, which is not secret. */
  caller?: { merchantId: number; identity: string };
  /** The OAuth client that requests a token. */
  oauthClientId?: string;
  /** Set by a handler that streams its response: it takes over the connection after the headers are sent. */
  streamTo?: (outgoing: ServerResponse) => void;
}

export interface HttpEnv {
  Bindings: HttpBindings;
  Variables: RequestVariables;
}

export type HttpContext = Context<HttpEnv>;

/** A module's routes and jobs. */
export interface Module {
  routes?: readonly Hono<HttpEnv>[];
  jobs?: readonly Job[];
}
