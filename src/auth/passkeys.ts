import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';

/** Time for the user to complete a passkey ceremony. */
const CHALLENGE_LIFETIME = 5 * MINUTE;
const CHALLENGE_BYTES = 32;

/** A new passkey, in its stored form. */
interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
  isSynced: boolean;
}

/** The purpose of a challenge. A response is valid only for this purpose. */
type RegistrationPurpose = `add for person ${number}` | `join by invitation ${number}`;
type AuthenticationPurpose = 'sign in' | `step up session ${number}`;
type PasskeyPurpose = RegistrationPurpose | AuthenticationPurpose;

type Options = Record<string, unknown>;

/** Public key credentials with user verification (W3C WebAuthn Level 3). */
export interface Passkeys {
  /** Options for `navigator.credentials.create`. */
  registrationOptions(
    purpose: RegistrationPurpose,
    user: { email: string; name: string; userId: number | null },
  ): Promise<Options>;
  /** Verifies its response. */
  verifyRegistration(purpose: RegistrationPurpose, response: unknown): Promise<NewPasskey>;
  store(unit: UnitOfWork, userId: number, name: string, passkey: NewPasskey): Promise<void>;
  /** Options for `navigator.credentials.get`: for a passkey of `userId`, or any passkey of the service. */
  authenticationOptions(purpose: AuthenticationPurpose, userId: number | null): Promise<Options>;
  /** Verifies its response, optionally only for `userId`; returns the passkey's user. */
  verifyAuthentication(purpose: AuthenticationPurpose, response: unknown, userId: number | null): Promise<number>;
}

export function createPasskeys(options: {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
  serviceKey: Uint8Array;
}): Passkeys {
  const { database, clock, random } = options;
  const { origin: expectedOrigin, hostname: rpID } = new URL(options.publicUrl);
  /** Loaded on first use: loading takes as long as the rest of the startup. */
  const loadLibrary = async () => await import('@simplewebauthn/server');

  const createChallenge = async (purpose: PasskeyPurpose) => {
    const challenge = new Uint8Array(random.bytes(CHALLENGE_BYTES));
    await db(database)
      .insertInto('passkey_challenges')
      .values({
        challenge: Buffer.from(challenge).toString('base64url'),
        purpose,
        expires_at: clock.now() + CHALLENGE_LIFETIME,
      })
      .execute();
    return challenge;
  };
  /** Consumes a challenge, even if the verification then fails. */
  const consumeChallenge = async (challenge: string, purpose: PasskeyPurpose): Promise<boolean> => {
    const { numDeletedRows } = await db(database)
      .deleteFrom('passkey_challenges')
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  };
  /** The library throws arbitrary errors for invalid responses, which are replaced; database errors pass through. */
  const verify = async <Verified extends { verified: boolean }>(
    purpose: PasskeyPurpose,
    run: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<Verified>,
  ): Promise<Verified & { verified: true }> => {
    const databaseErrors: unknown[] = [];
    const verified = await run(
      async (challenge) =>
        await consumeChallenge(challenge, purpose).catch((error: unknown) => {
          databaseErrors.push(error);
          throw error;
        }),
    ).catch(() => null);
    if (databaseErrors.length > 0) throw databaseErrors[0];
    if (!verified?.verified) throw passkeyRejected();
    return verified as Verified & { verified: true };
  };
  const listCredentials = async (userId: number | null) =>
    userId === null
      ? []
      : await db(database)
          .selectFrom('passkeys')
          .select(['credential_id', 'transports'])
          .where('person_id', '=', userId)
          .execute();

  return {
    async registrationOptions(purpose, { email, name, userId }) {
      const { generateRegistrationOptions } = await loadLibrary();
      const registered = await listCredentials(userId);
      return (await generateRegistrationOptions({
        rpName: 'Paylatch',
        rpID,
        userName: email,
        userDisplayName: name,
        // Stable per user, without personal data (section 14.6.1).
        userID: new Uint8Array(createHmac('sha256', options.serviceKey).update(`passkeys of ${email}`).digest()),
        challenge: await createChallenge(purpose),
        attestationType: 'none',
        excludeCredentials: toCredentials(registered),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })) as unknown as Options;
    },

    async verifyRegistration(purpose, response) {
      const { verifyRegistrationResponse } = await loadLibrary();
      const verified = await verify(
        purpose,
        async (expectedChallenge) =>
          await verifyRegistrationResponse({
            response: response as RegistrationResponseJSON,
            ...{ expectedChallenge, expectedOrigin, expectedRPID: rpID },
          }),
      );
      const { credential, credentialBackedUp } = verified.registrationInfo;
      return {
        credentialId: credential.id,
        publicKey: Buffer.from(credential.publicKey).toString('base64url'),
        counter: credential.counter,
        transports: (credential.transports ?? []).filter((each) => /^[a-z-]{1,20}$/.test(each)).join(' '),
        isSynced: credentialBackedUp,
      };
    },

    async store(unit, userId, name, passkey) {
      const { numInsertedOrUpdatedRows } = await db(unit)
        .insertInto('passkeys')
        .values({
          person_id: userId,
          credential_id: passkey.credentialId,
          public_key: passkey.publicKey,
          counter: passkey.counter,
          transports: passkey.transports,
          is_synced: passkey.isSynced ? 1 : 0,
          name,
          created_at: clock.now(),
          last_used_at: null,
        })
        .onConflict((conflict) => conflict.column('credential_id').doNothing())
        .executeTakeFirstOrThrow();
      if (numInsertedOrUpdatedRows !== 1n) throw passkeyRejected();
    },

    async authenticationOptions(purpose, userId) {
      const { generateAuthenticationOptions } = await loadLibrary();
      return (await generateAuthenticationOptions({
        rpID,
        challenge: await createChallenge(purpose),
        ...(userId !== null && { allowCredentials: toCredentials(await listCredentials(userId)) }),
        userVerification: 'required',
      })) as unknown as Options;
    },

    async verifyAuthentication(purpose, response, userId) {
      const assertion = response as AuthenticationResponseJSON;
      const row = await db(database)
        .selectFrom('passkeys')
        .select(['id', 'person_id', 'credential_id', 'public_key', 'counter', 'transports'])
        .where('credential_id', '=', assertion.id)
        .executeTakeFirst();
      if (!row || (userId !== null && row.person_id !== userId)) throw passkeyRejected();
      const { verifyAuthenticationResponse } = await loadLibrary();
      const credential = {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
        transports: parseTransports(row.transports),
      };
      const verified = await verify(
        purpose,
        async (expectedChallenge) =>
          await verifyAuthenticationResponse({
            response: assertion,
            ...{ expectedChallenge, expectedOrigin, expectedRPID: rpID, credential },
          }),
      );
      const { newCounter, credentialBackedUp } = verified.authenticationInfo;
      await db(database)
        .updateTable('passkeys')
        .set({ counter: newCounter, is_synced: credentialBackedUp ? 1 : 0, last_used_at: clock.now() })
        .where('id', '=', row.id)
        .execute();
      return row.person_id;
    },
  };
}

function toCredentials(rows: readonly { credential_id: string; transports: string }[]) {
  return rows.map((row) => ({ id: row.credential_id, transports: parseTransports(row.transports) }));
}

function parseTransports(text: string) {
  return text.split(' ').filter(Boolean) as ('usb' | 'internal')[];
}

function passkeyRejected(): Problem {
  return new Problem('passkey_rejected', 'The passkey is unknown, or the request expired. Try again.');
}
