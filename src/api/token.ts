import { z } from 'zod';
import { tokenRoles, tokenScopes } from '../shared/scopes.ts';
import { wholeNumber } from './fiat-transaction.ts';
import { rule } from './rule.ts';
import { instantText, displayName, text } from './text.ts';
import { type Instant, MICROS_PER_MS, parseMoment } from '../shared/time.ts';

const tokenId = z
  .number()
  .int()
  .min(1)
  .max(Number.MAX_SAFE_INTEGER)
  .describe('Identifies the token in decisions and the audit log: `token 7`');
const scope = z.enum(tokenScopes).meta({ id: 'TokenScope' });

/** Query of `GET /v1/tokens`: newest first. */
export const tokensQuery = z.strictObject({
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional().describe('Page size; 20 by default'),
});

/** An access token without its secret, which only its holder knows. */
const accessToken = z
  .object({
    id: tokenId,
    name: z.string(),
    role: z.enum(tokenRoles),
    scopes: z.array(scope),
    created_at: instantText,
    created_by: z
      .string()
      .nullable()
      .describe(
        '`person 3` or `token 7`; the user if it was created with one of their tokens. It is revoked when they leave. null for the command line and OAuth clients',
      ),
    created_by_name: z.string().nullable().describe('Current name of the user; null for other creators'),
    last_used_at: instantText.nullable().describe('To the minute; null if it was never used'),
    expires_at: instantText.nullable().describe('null if it is valid until revoked'),
  })
  .meta({ id: 'AccessToken' });
export type AccessToken = z.infer<typeof accessToken>;

export const tokensResponse = z.object({ tokens: z.array(accessToken), next_cursor: z.string().nullable() });

/** Body of `POST /v1/tokens`. */
export const createTokenRequest = (nowMs: number) => {
  const now: Instant = nowMs * MICROS_PER_MS;
  const fields = z.strictObject({
    name: displayName(60).describe('Name of the token'),
    scopes: z.array(scope).min(1).max(50).describe('Permissions; only scopes that you have'),
    expires_at: z
      .string()
      .max(40)
      .optional()
      .describe('Expiry; by default it is valid until revoked')
      .meta({ format: 'date-time' }),
  });
  return fields
    .check(
      rule<z.output<typeof fields>>((body, report) => {
        if (body.expires_at === undefined) return;
        const at = parseMoment(body.expires_at)?.at;
        if (at === undefined) report('expires_at', 'invalid_time', 'must be a date-time such as 2027-01-31T09:30:00Z');
        else if (at <= now) report('expires_at', 'in_the_past', 'must be later than now');
      }),
    )
    .transform(({ name, scopes, expires_at: end }) => ({
      name,
      scopes: [...new Set(scopes)],
      expiresAt: end === undefined ? null : (parseMoment(end)?.at ?? null),
    }));
};

export const createTokenResponse = accessToken
  .extend({ access_token: z.string().describe('The token; shown only once') })
  .meta({ id: 'CreatedAccessToken' });

/** Body of `POST /v1/token/revoke`. */
export const revokeTokenRequest = z.strictObject({ id: tokenId });
export const revokeTokenResponse = z.object({ id: tokenId, revoked_at: instantText });
