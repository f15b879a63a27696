import { Hono } from 'hono';
import { type OAuthError, oauthTokenForm } from '../api/oauth.ts';
import type { Clock } from '../system/clock.ts';
import type { Environment } from '../system/settings.ts';
import type { Database } from '../database/database.ts';
import { readForm } from '../http/body.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { sendJson } from '../http/json.ts';
import type { EnforceRateLimit } from '../http/rate-limits.ts';
import type { Random } from '../system/random.ts';
import { issueClientToken } from './oauth-clients.ts';

const descriptions: Record<OAuthError, string> = {
  invalid_request: 'Send grant_type, client_id and client_secret, each once, as application/x-www-form-urlencoded.',
  invalid_client: 'The client is unknown or revoked, or the secret is wrong.',
  unsupported_grant_type: 'The only supported grant_type is client_credentials.',
  invalid_scope: 'The client does not have all requested scopes.',
};

/** The client credentials grant (RFC 6749, section 4.4): tokens are valid for one hour. Errors follow that standard. */
export function oauthRoutes(options: {
  database: Database;
  clock: Clock;
  random: Random;
  environment: Environment;
  enforceRateLimit: EnforceRateLimit;
}): Hono<HttpEnv> {
  const errorResponse = (http: HttpContext, error: OAuthError) => {
    if (error === 'invalid_client') http.header('WWW-Authenticate', 'Basic realm="paylatch"');
    return sendJson(http, { error, error_description: descriptions[error] }, error === 'invalid_client' ? 401 : 400);
  };

  return new Hono<HttpEnv>().post('/oauth/token', async (http) => {
    const headers = await options.enforceRateLimit('oauth_address', http.get('client').address);
    for (const [name, value] of Object.entries(headers)) http.header(name, value);
    const type = (http.req.header('content-type') ?? '').split(';')[0]?.trim().toLowerCase();
    if (type !== 'application/x-www-form-urlencoded') return errorResponse(http, 'invalid_request');
    const form = await readForm(http);
    // Section 3.2: parameters must not be repeated; unknown ones are ignored.
    if ([...form.keys()].some((name) => form.getAll(name).length > 1)) return errorResponse(http, 'invalid_request');
    const fields = oauthTokenForm.safeParse(Object.fromEntries(form));
    if (!fields.success) return errorResponse(http, 'invalid_request');
    const { grant_type: grantType, scope } = fields.data;
    const headerCredentials = basicCredentials(http.req.header('authorization'));
    const isRepeated = headerCredentials !== null && fields.data.client_secret !== undefined;
    const id = headerCredentials?.id ?? fields.data.client_id;
    const secret = headerCredentials?.secret ?? fields.data.client_secret;
    if (isRepeated || id === undefined || secret === undefined) return errorResponse(http, 'invalid_request');
    http.set('oauthClientId', id);
    if (grantType !== 'client_credentials') return errorResponse(http, 'unsupported_grant_type');
    const granted = await issueClientToken(options, { id, secret, scope });
    if (typeof granted === 'string') return errorResponse(http, granted);
    http.header('Cache-Control', 'no-store');
    return sendJson(http, granted);
  });
}

/** Section 2.3.1: both parts are form-encoded. */
function basicCredentials(header: string | undefined): { id: string; secret: string } | null {
  const [, encoded = ''] = /^Basic +([A-Za-z0-9+/=]+) *$/i.exec(header ?? '') ?? [];
  const text = Buffer.from(encoded, 'base64').toString();
  const colon = text.indexOf(':');
  if (colon < 0) return null;
  try {
    return { id: decodeURIComponent(text.slice(0, colon)), secret: decodeURIComponent(text.slice(colon + 1)) };
  } catch {
    return null;
  }
}
