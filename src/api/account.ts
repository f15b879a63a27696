import { z } from 'zod';
import { personRoles } from '../shared/roles.ts';
import { emailAddress } from './people.ts';
import { instantText, displayName, text } from './text.ts';

/*
 * How people come into the account area, and look after how they do. What they do there for a merchant goes
 * over the merchant's API like everybody's, with the session's cookie in place of a token and the merchant
 * named in a header.
 */

/** Names the merchant that a request of somebody who has signed in is about; may be left out by who has one only. */
export const MERCHANT_HEADER = 'Paylatch-Merchant';

/** Characters of a password; more than the eight that are enough beside a second factor (NIST SP 800-63B-4, section 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

/** Chosen by a person; any characters. */
export const newPassword = z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max);
const givenPassword = z.string().min(1).max(PASSWORD_LENGTH.max);

/** Six digits of an authenticator (RFC 6238), or a recovery code; spaces and hyphens between them are nobody's mistake. */
const secondFactorCode = z.string().min(6).max(32);

const identifier = z.int().min(1);
/** The JSON forms of WebAuthn Level 3, section 5.1: they are looked into by the library that verifies them. */
const credentialOptions = z.record(z.string(), z.unknown());
const credentialResponse = z.looseObject({ id: z.string().max(2048), type: z.literal('public-key') });

/** What is to be done before the person is in; `passkey`: sign in with it, a password alone begins no session. */
export const signInStep = z.enum(['done', 'second_factor', 'set_up_second_factor', 'passkey']);
export type SignInStep = z.infer<typeof signInStep>;
const stepAnswer = z.object({ next: signInStep });

const signedInMerchant = z.object({ id: identifier, name: z.string(), role: z.enum(personRoles) });

/** Who has signed in, and where they may look. */
export const account = z.object({
  person: z.object({ id: identifier, email: z.string(), name: z.string(), isManager: z.boolean() }),
  /** By name; of a manager, the first hundred: the rest are found by `GET /v1/merchants`. */
  merchants: z.array(signedInMerchant),
  environment: z.enum(['sandbox', 'production']),
  /** Whether the person should be asked to add a passkey or a second factor. */
  isWeaklyProtected: z.boolean(),
});
export type Account = z.infer<typeof account>;

export const invitation = z.object({
  email: z.string(),
  role: z.enum(personRoles),
  /** Null for a manager, who is one for all. */
  merchantName: z.string().nullable(),
  /** Whether it restores access to an account. For any other, who has an account signs in and accepts. */
  isReset: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

const passkey = z.object({
  id: identifier,
  name: z.string(),
  /** Whether it is kept by a service that copies it to the person's other devices. */
  isSynced: z.boolean(),
  createdAt: instantText,
  lastUsedAt: instantText.nullable(),
});

const session = z.object({
  id: identifier,
  isThisOne: z.boolean(),
  method: z.enum(['passkey', 'password']),
  address: z.string(),
  userAgent: z.string(),
  createdAt: instantText,
  lastUsedAt: instantText,
  expiresAt: instantText,
});

/** How a person's account is protected, and where it is open. */
export const protection = z.object({
  passkeys: z.array(passkey),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  sessions: z.array(session),
});
export type Protection = z.infer<typeof protection>;

/** One call: what is sent, and what is answered with 200. Problems are problem documents as everywhere. */
interface AccountCall {
  method: 'GET' | 'POST';
  path: string;
  body?: z.ZodType;
  answer: z.ZodType;
}

const done = z.object({});

function call<Described extends AccountCall>(described: Described): Described {
  return described;
}

/** Everything under `/account/` that is no page. */
export const accountCalls = {
  passwordSignIn: call({
    method: 'POST',
    path: '/account/sign-in/password',
    body: z.strictObject({ email: emailAddress, password: givenPassword }),
    answer: stepAnswer,
  }),
  secondFactorSignIn: call({
    method: 'POST',
    path: '/account/sign-in/second-factor',
    body: z.strictObject({ code: secondFactorCode }),
    answer: stepAnswer,
  }),
  passkeySignInOptions: call({
    method: 'POST',
    path: '/account/sign-in/passkey/options',
    body: z.strictObject({}),
    answer: z.object({ options: credentialOptions }),
  }),
  passkeySignIn: call({
    method: 'POST',
    path: '/account/sign-in/passkey',
    body: z.strictObject({ response: credentialResponse }),
    answer: stepAnswer,
  }),
  /*
   * Step-up: each confirms the identity of a signed-in person for the next five minutes. Without it, passkeys,
   * the second factor and the password cannot be changed.
   */
  secondFactorStepUp: call({
    method: 'POST',
    path: '/account/step-up/second-factor',
    body: z.strictObject({ code: secondFactorCode }),
    answer: done,
  }),
  passkeyStepUpOptions: call({
    method: 'POST',
    path: '/account/step-up/passkey/options',
    body: z.strictObject({}),
    answer: z.object({ options: credentialOptions }),
  }),
  passkeyStepUp: call({
    method: 'POST',
    path: '/account/step-up/passkey',
    body: z.strictObject({ response: credentialResponse }),
    answer: done,
  }),
  /** For people with neither a second factor nor a passkey. */
  passwordStepUp: call({
    method: 'POST',
    path: '/account/step-up/password',
    body: z.strictObject({ password: givenPassword }),
    answer: done,
  }),
  signOut: call({ method: 'POST', path: '/account/sign-out', body: z.strictObject({}), answer: done }),

  readInvitation: call({
    method: 'POST',
    path: '/account/invitation',
    body: z.strictObject({ invitation: text(128) }),
    answer: invitation,
  }),
  /** For somebody who is known, has signed in, and was invited to one more merchant. */
  acceptInvitation: call({
    method: 'POST',
    path: '/account/invitation/accept',
    body: z.strictObject({ invitation: text(128) }),
    answer: stepAnswer,
  }),
  joinWithPassword: call({
    method: 'POST',
    path: '/account/invitation/password',
    body: z.strictObject({ invitation: text(128), name: displayName(100), password: newPassword }),
    answer: stepAnswer,
  }),
  joinWithPasskeyOptions: call({
    method: 'POST',
    path: '/account/invitation/passkey/options',
    body: z.strictObject({ invitation: text(128), name: displayName(100) }),
    answer: z.object({ options: credentialOptions }),
  }),
  joinWithPasskey: call({
    method: 'POST',
    path: '/account/invitation/passkey',
    body: z.strictObject({ invitation: text(128), name: displayName(100), response: credentialResponse }),
    answer: stepAnswer,
  }),

  readAccount: call({ method: 'GET', path: '/account/session', answer: account }),
  rename: call({
    method: 'POST',
    path: '/account/name',
    body: z.strictObject({ name: displayName(100) }),
    answer: done,
  }),
  readProtection: call({ method: 'GET', path: '/account/protection', answer: protection }),
  addPasskeyOptions: call({
    method: 'POST',
    path: '/account/passkeys/options',
    body: z.strictObject({}),
    answer: z.object({ options: credentialOptions }),
  }),
  addPasskey: call({
    method: 'POST',
    path: '/account/passkeys/add',
    body: z.strictObject({ name: displayName(60), response: credentialResponse }),
    answer: protection,
  }),
  removePasskey: call({
    method: 'POST',
    path: '/account/passkeys/remove',
    body: z.strictObject({ id: identifier }),
    answer: protection,
  }),
  /** `current` is asked of who has a password already. */
  setPassword: call({
    method: 'POST',
    path: '/account/password',
    body: z.strictObject({ current: givenPassword.nullable(), password: newPassword }),
    answer: protection,
  }),
  /** A secret for an authenticator, as base32 and as an `otpauth:` address; it counts once a code of it was given. */
  beginSecondFactor: call({
    method: 'POST',
    path: '/account/second-factor/begin',
    body: z.strictObject({}),
    answer: z.object({ secret: z.string(), uri: z.string() }),
  }),
  /** The recovery codes are shown this once. */
  confirmSecondFactor: call({
    method: 'POST',
    path: '/account/second-factor/confirm',
    body: z.strictObject({ code: secondFactorCode }),
    answer: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  removeSecondFactor: call({
    method: 'POST',
    path: '/account/second-factor/remove',
    body: z.strictObject({}),
    answer: protection,
  }),
  /** All others where no `id` is given. */
  endSessions: call({
    method: 'POST',
    path: '/account/sessions/end',
    body: z.strictObject({ id: identifier.nullable() }),
    answer: protection,
  }),
} as const;

export type AccountCallName = keyof typeof accountCalls;
