/*
 * The merchant's API as typed calls, for servers: an access token is no thing for a browser. Needs nothing
 * but `fetch`.
 */
export type * from './api.ts';
export type { CallOptions, ClientOptions, RepeatableCallOptions } from './call.ts';
export { type Client, createClient } from './client.ts';
export { clientCredentials } from './client-credentials.ts';
export { type ClientErrorCode, PaylatchError } from './error.ts';
