import { type ClientOptions, joinUrl, send, type TokenSource } from './call.ts';

/** Time before expiry at which a token is replaced: requests take time, and clocks differ. */
const EXPIRY_MARGIN_MS = 60_000;
const TIMEOUT_MS = 30_000;

/**
 * Gets access tokens with the client credentials grant (RFC 6749, section 4.4) and reuses each until it expires
 * or the service rejects it. Pass the result to `createClient` as `token`. `scope` lists scopes, separated by spaces.
 * Default: all scopes of the client.
 *
 * @example
 * const token = clientCredentials({ baseUrl, clientId, clientSecret });
 * const paylatch = createClient({ baseUrl, token });
 */
export function clientCredentials(options: {
  baseUrl: string;
  clientId: string;
  clientSecret: string;
  scope?: string;
  fetch?: ClientOptions['fetch'];
}): TokenSource & (() => Promise<string>) {
  let current: { token: string; expiresAtMs: number } | null = null;
  let pending: Promise<{ token: string; expiresAtMs: number }> | null = null;

  const requestToken = async () => {
    const { baseUrl, clientId, clientSecret, scope, fetch } = options;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      ...(scope !== undefined && { scope }),
    });
    const url = joinUrl(baseUrl, '/oauth/token');
    // RFC 6749, section 2.3.1. A proxy can route by this header, but not by the body.
    const headers = { authorization: `Basic ${btoa([clientId, clientSecret].map(encodeURIComponent).join(':'))}` };
    const request = { method: 'POST', headers, body };
    const response = await send(fetch ? { fetch } : {}, url, request, { timeoutMs: TIMEOUT_MS });
    const { access_token: token, expires_in: lifetimeSeconds } = response as {
      access_token: string;
      expires_in: number;
    };
    return { token, expiresAtMs: Date.now() + lifetimeSeconds * 1000 - EXPIRY_MARGIN_MS };
  };

  const source = async () => {
    if (current && Date.now() < current.expiresAtMs) return current.token;
    // Concurrent callers share one token request.
    pending ??= requestToken().finally(() => {
      pending = null;
    });
    current = await pending;
    return current.token;
  };
  return Object.assign(source, {
    forget(token: string) {
      // Another call may have replaced it already.
      if (current?.token === token) current = null;
    },
  });
}
