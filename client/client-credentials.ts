import { type ClientOptions, joinUrl, send } from './call.ts';

/** Time before expiry at which a token is replaced: requests take time, and clocks differ. */
const MARGIN_MS = 60_000;
const TIMEOUT_MS = 30_000;

/**
 * Gets access tokens with the client credentials grant (RFC 6749, section 4.4) and reuses each until it expires. Pass
 * the result to `createClient` as `token`. `scope` lists scopes, separated by spaces. Default: all scopes of the client.
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
}): () => Promise<string> {
  let granted: { token: string; goodUntilMs: number } | null = null;
  let asking: Promise<{ token: string; goodUntilMs: number }> | null = null;

  const ask = async () => {
    const { baseUrl, clientId, clientSecret, scope, fetch } = options;
    const body = new URLSearchParams({
      grant_type: 'client_credentials',
      client_id: clientId,
      client_secret: clientSecret,
      ...(scope !== undefined && { scope }),
    });
    const address = joinUrl(baseUrl, '/oauth/token');
    const answer = await send(fetch ? { fetch } : {}, address, { method: 'POST', body }, { timeoutMs: TIMEOUT_MS });
    const { access_token: token, expires_in: livesSeconds } = answer as { access_token: string; expires_in: number };
    return { token, goodUntilMs: Date.now() + livesSeconds * 1000 - MARGIN_MS };
  };

  return async () => {
    if (granted && Date.now() < granted.goodUntilMs) return granted.token;
    // Concurrent callers share one token request.
    asking ??= ask().finally(() => {
      asking = null;
    });
    granted = await asking;
    return granted.token;
  };
}
