import { flag, generated, integer, record, type RecordOf, type TableOf, text } from '../database/record.ts';
import type { Generated } from 'kysely';
import type { Instant } from '../shared/time.ts';
import { tablesOf } from '../database/tables-of.ts';

export interface AccessTokenTable {
  id: Generated<number>;
  merchant_id: number;
  role: 'merchant' | 'manager';
  /** SHA-256 of the token in hex; the token itself is not kept. */
  hash: string;
  /** Space-separated, as in RFC 6749. */
  scopes: string;
  created_at: Instant;
  last_used_at: Instant | null;
  revoked_at: Instant | null;
  /** What its owner calls it. */
  name: string;
  /** null for one that lives until it is revoked. */
  expires_at: Instant | null;
  /** The client that has got it for its secret. */
  oauth_client_id: number | null;
  /** `person 3`, also where they created it with a token of theirs; null for the command line and clients. */
  created_by: string | null;
  /** The token that created it: it ends with that one. */
  parent_token_id: number | null;
}

/** A program that gets short-lived tokens for a secret of its own (RFC 6749, section 4.4). */
export interface OAuthClientTable {
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
export const personRecord = record({
  id: generated(),
  /** In lower case. */
  email: text(),
  name: text(),
  /** The service's own staff, managers of all merchants. */
  is_manager: flag(),
  /** As `passwords.ts` writes it; null without a password. */
  password_hash: text().nullable(),
  /** The authenticator's secret, sealed; null without a second factor. */
  second_factor: text().nullable(),
  /** The last time step whose code was accepted: no code counts twice (RFC 6238, section 5.2). */
  second_factor_step: integer(),
  /** An authenticator's secret that awaits its first code, sealed. */
  new_second_factor: text().nullable(),
  created_at: integer(),
  updated_at: integer(),
});
export interface Person extends RecordOf<typeof personRecord> {}

export interface MembershipTable {
  id: Generated<number>;
  merchant_id: number;
  person_id: number;
  role: 'owner' | 'operator' | 'viewer';
  created_at: Instant;
}

/** A public key credential (WebAuthn Level 3). */
export interface PasskeyTable {
  id: Generated<number>;
  person_id: number;
  /** base64url, as is the key (COSE). */
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

/** Asked of an authenticator, and taken once. */
export interface PasskeyChallengeTable {
  challenge: string;
  /** For what, and of whom. */
  purpose: string;
  expires_at: Instant;
}

export interface RecoveryCodeTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 in hex. */
  hash: string;
  used_at: Instant | null;
}

export interface SessionTable {
  id: Generated<number>;
  person_id: number;
  /** SHA-256 of what the cookie holds, in hex. */
  hash: string;
  method: 'passkey' | 'password';
  /** What must be done before it is good for anything. */
  step: 'done' | 'second_factor' | 'set_up_second_factor';
  address: string;
  user_agent: string;
  created_at: Instant;
  last_used_at: Instant;
  expires_at: Instant;
  ended_at: Instant | null;
  /** The last full proof of identity; null where the sign-in was not one. */
  stepped_up_at: Instant | null;
}

export interface InvitationTable {
  id: Generated<number>;
  /** Null for a manager. */
  merchant_id: number | null;
  email: string;
  role: 'owner' | 'operator' | 'viewer' | 'manager';
  /** SHA-256 of what the link holds, in hex. */
  hash: string;
  invited_by: string;
  created_at: Instant;
  expires_at: Instant;
  /** Also when it was taken back: it is good for nothing any more. */
  accepted_at: Instant | null;
  /** 1 where it restores access to an existing account; others only add a role to one. */
  is_reset: number;
}

export interface AuthTables {
  access_tokens: AccessTokenTable;
  oauth_clients: OAuthClientTable;
  people: TableOf<typeof personRecord>;
  memberships: MembershipTable;
  passkeys: PasskeyTable;
  passkey_challenges: PasskeyChallengeTable;
  recovery_codes: RecoveryCodeTable;
  sessions: SessionTable;
  invitations: InvitationTable;
}

export const { db, statement, combinedStatement } = tablesOf<AuthTables>();
