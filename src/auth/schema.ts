import { flag, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

export interface AccessTokenTable {
  id: Generated<number>;
  merchant_id: number;
  role: 'merchant' | 'manager';
  /** SHA-256 of the token in hex; the token itself is not stored. */
  hash: string;
  /** Space-separated, as in RFC 6749. */
  scopes: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  /** A label chosen by its creator. */
  name: string;
  /** Null if it does not expire. */
  expires_at: Instant | null;
  /** The OAuth client that requested it. */
  oauth_client_id: number | null;
  /** `person 3`, even if they used a token to create it; null for the command line and OAuth clients. */
  created_by: string | null;
  /** The token that created it; revoked together with it. */
  parent_token_id: number | null;
}

/** An OAuth client, which receives short-lived tokens (RFC 6749, section 4.4). */
interface OAuthClientTable {
  id: Generated<number>;
  merchant_id: number;
  client_id: string;
  /** SHA-256 of the secret in hex. */
  secret_hash: string;
  role: 'merchant' | 'manager';
  scopes: string;
  name: string;
  created_at: Instant;
  revoked_at: Instant | null;
}

/** A user of the account area. */
export const userRecord = record({
  id: generated(),
  /** In lower case. */
  email: text(),
  name: text(),
  /** The service's own staff, managers of all merchants. */
  is_manager: flag(),
  /** Format of `passwords.ts`; null without a password. */
  password_hash: text().nullable(),
  /** The sealed authenticator secret; null without a second factor. */
  second_factor: text().nullable(),
  /** The last time step with an accepted code: codes are single-use (RFC 6238, section 5.2). */
  second_factor_step: integer(),
  /** A sealed authenticator secret that awaits its first code. */
  new_second_factor: text().nullable(),
  /** Language of emails, in BCP 47: the browser's at the last sign-in. */
  locale: text().nullable(),
  created_at: integer(),
  updated_at: integer(),
});
export interface User extends RecordOf<typeof userRecord> {}

interface MembershipTable {
  id: Generated<number>;
  merchant_id: number;
  person_id: number;
  role: 'owner' | 'operator' | 'viewer';
  created_at: Instant;
}

/** A public key credential (WebAuthn Level 3). */
interface PasskeyTable {
  id: Generated<number>;
  person_id: number;
  /** base64url, like the public key (COSE). */
  credential_id: string;
  public_key: string;
  counter: number;
  /** Separated by spaces. */
  transports: string;
  is_synced: number;
  name: string;
  created_at: Instant;
  last_used_at: Instant | null;
}

/** A single-use challenge for an authenticator. */
interface PasskeyChallengeTable {
  challenge: string;
  /** The ceremony and user, see `PasskeyPurpose`. */
  purpose: string;
  expires_at: Instant;
}

interface RecoveryCodeTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 in hex. */
  hash: string;
  used_at: Instant | null;
}

interface SessionTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 of the cookie's secret, in hex. */
  hash: string;
  method: 'passkey' | 'password';
  /** The pending sign-in step, or `done`. */
  step: 'done' | 'second_factor' | 'set_up_second_factor';
  address: string;
  user_agent: string;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  /** Time of the last full confirmation of identity; null if the sign-in was weaker. */
  stepped_up_at: Instant | null;
}

interface InvitationTable {
  id: Generated<number>;
  /** Null for a manager. */
  merchant_id: number | null;
  email: string;
  role: 'owner' | 'operator' | 'viewer' | 'manager';
  /** SHA-256 of the link's secret, in hex. */
  hash: string;
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
  /** Also set on revocation; the invitation is then invalid. */
  accepted_at: Instant | null;
  /** 1 if it restores access to an existing account; others only add a role to one. */
  is_reset: number;
}

export interface AuthTables {
  access_tokens: AccessTokenTable;
  oauth_clients: OAuthClientTable;
  people: TableOf<typeof userRecord>;
  memberships: MembershipTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  recovery_codes: RecoveryCodeTable;
  sessions: SessionTable;
  invitations: InvitationTable;
}

export const { db, statement } = tablesOf<AuthTables>();
