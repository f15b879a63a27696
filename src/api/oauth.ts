import { z } from 'zod';

/** Lifetime of a token issued for client credentials, in seconds. */
export const CLIENT_TOKEN_SECONDS = 3600;

/** Form of `POST /oauth/token` (RFC 6749, section 4.4.2); the client can also authenticate in the header. */
export const oauthTokenForm = z.object({
  grant_type: z.string(),
  client_id: z.string().max(200).optional(),
  client_secret: z.string().max(200).optional(),
  scope: z.string().max(1000).optional(),
});

/** RFC 6749, section 5.1. */
export interface OAuthToken {
  access_token: string;
  token_type: 'Bearer';
  expires_in: number;
  /** Separated by spaces. */
  scope: string;
}

/** RFC 6749, section 5.2. */
export type OAuthError = 'invalid_request' | 'invalid_client' | 'unsupported_grant_type' | 'invalid_scope';
