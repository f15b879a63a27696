import { db } from './schema.ts';
import { createHmac } from 'node:crypto';
import type { AuthenticationResponseJSON, RegistrationResponseJSON } from '@simplewebauthn/server';
import { MINUTE } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Database, UnitOfWork } from '../database/database.ts';
import { Problem } from '../api/problem-error.ts';
import type { Random } from '../system/random.ts';

/** How long somebody may take to find their key. */
const CHALLENGE_LIFETIME = 5 * MINUTE;
const CHALLENGE_BYTES = 32;

/** A passkey that was just made, in the form in which it is kept. */
export interface NewPasskey {
  credentialId: string;
  publicKey: string;
  counter: number;
  transports: string;
  isSynced: boolean;
}

/** What a challenge was asked for: an answer to it is taken for nothing else. */
type MakingPurpose = `add for person ${number}` | `join by invitation ${number}`;
type AskingPurpose = 'sign in' | `step up session ${number}`;
export type PasskeyPurpose = MakingPurpose | AskingPurpose;

type Options = Record<string, unknown>;

/** Public key credentials (W3C WebAuthn Level 3), of which people prove that they have the key, and are themselves. */
export interface Passkeys {
  /** What `navigator.credentials.create` is to be asked. */
  makingOptions(purpose: MakingPurpose, of: { email: string; name: string; personId: number | null }): Promise<Options>;
  /** Verifies what it answered. */
  verifyMade(purpose: MakingPurpose, response: unknown): Promise<NewPasskey>;
  keep(unit: UnitOfWork, personId: number, name: string, passkey: NewPasskey): Promise<void>;
  /** What `navigator.credentials.get` is to be asked: for a passkey of `personId`, or any passkey of ours. */
  askingOptions(purpose: AskingPurpose, personId: number | null): Promise<Options>;
  /** Verifies what it answered; whose passkey it is. Of `personId` only, where that is given. */
  verifyAnswer(purpose: AskingPurpose, response: unknown, personId: number | null): Promise<number>;
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
  /** Loaded when it is needed first: it takes as long as all the rest of a start. */
  const library = async () => await import('@simplewebauthn/server');

  const newChallenge = async (purpose: PasskeyPurpose) => {
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
  /** Each is taken once, whatever comes of it. */
  const takeChallenge = async (challenge: string, purpose: PasskeyPurpose): Promise<boolean> => {
    const { numDeletedRows } = await db(database)
      .deleteFrom('passkey_challenges')
      .where('challenge', '=', challenge)
      .where('purpose', '=', purpose)
      .where('expires_at', '>', clock.now())
      .executeTakeFirstOrThrow();
    return numDeletedRows === 1n;
  };
  /** The library tells what is wrong with an answer by throwing whatever it may; what the database says goes on. */
  const verify = async <Verified extends { verified: boolean }>(
    purpose: PasskeyPurpose,
    run: (expectedChallenge: (challenge: string) => Promise<boolean>) => Promise<Verified>,
  ): Promise<Verified & { verified: true }> => {
    const faults: unknown[] = [];
    const verified = await run(
      async (challenge) =>
        await takeChallenge(challenge, purpose).catch((error: unknown) => {
          faults.push(error);
          throw error;
        }),
    ).catch(() => null);
    if (faults.length > 0) throw faults[0];
    if (!verified?.verified) throw refused();
    return verified as Verified & { verified: true };
  };
  const idsOf = async (personId: number | null) =>
    personId === null
      ? []
      : await db(database)
          .selectFrom('passkeys')
          .select(['credential_id', 'transports'])
          .where('person_id', '=', personId)
          .execute();

  return {
    async makingOptions(purpose, { email, name, personId }) {
      const { generateRegistrationOptions } = await library();
      const known = await idsOf(personId);
      return (await generateRegistrationOptions({
        rpName: 'Paylatch',
        rpID,
        userName: email,
        userDisplayName: name,
        // The same for the same person, and nothing that could be read (section 14.6.1).
        userID: new Uint8Array(createHmac('sha256', options.serviceKey).update(`passkeys of ${email}`).digest()),
        challenge: await newChallenge(purpose),
        attestationType: 'none',
        excludeCredentials: asCredentials(known),
        authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
      })) as unknown as Options;
    },

    async verifyMade(purpose, response) {
      const { verifyRegistrationResponse } = await library();
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

    async keep(unit, personId, name, passkey) {
      const { numInsertedOrUpdatedRows } = await db(unit)
        .insertInto('passkeys')
        .values({
          person_id: personId,
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
      if (numInsertedOrUpdatedRows !== 1n) throw refused();
    },

    async askingOptions(purpose, personId) {
      const { generateAuthenticationOptions } = await library();
      return (await generateAuthenticationOptions({
        rpID,
        challenge: await newChallenge(purpose),
        ...(personId !== null && { allowCredentials: asCredentials(await idsOf(personId)) }),
        userVerification: 'required',
      })) as unknown as Options;
    },

    async verifyAnswer(purpose, response, personId) {
      const given = response as AuthenticationResponseJSON;
      const row = await db(database)
        .selectFrom('passkeys')
        .select(['id', 'person_id', 'credential_id', 'public_key', 'counter', 'transports'])
        .where('credential_id', '=', given.id)
        .executeTakeFirst();
      if (!row || (personId !== null && row.person_id !== personId)) throw refused();
      const { verifyAuthenticationResponse } = await library();
      const credential = {
        id: row.credential_id,
        publicKey: new Uint8Array(Buffer.from(row.public_key, 'base64url')),
        counter: row.counter,
        transports: transportsOf(row.transports),
      };
      const verified = await verify(
        purpose,
        async (expectedChallenge) =>
          await verifyAuthenticationResponse({
            response: given,
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

function asCredentials(rows: readonly { credential_id: string; transports: string }[]) {
  return rows.map((row) => ({ id: row.credential_id, transports: transportsOf(row.transports) }));
}

function transportsOf(text: string) {
  return text.split(' ').filter(Boolean) as ('usb' | 'internal')[];
}

function refused(): Problem {
  return new Problem('passkey_refused', 'The passkey is not known here, or its answer came too late. Try again.');
}
