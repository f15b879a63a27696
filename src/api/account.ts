import { z } from 'zod';
import { type AccountCallName, accountEndpoints, PASSWORD_LENGTH } from '../shared/account-calls.ts';
import { userRoles } from '../shared/roles.ts';
import { notificationsRequest, notificationsResponse } from './mail.ts';
import { emailAddress } from './people.ts';
import { instantText, displayName, text } from './text.ts';

/*
 * Sign-in and account security of the account area. Actions for a merchant use the merchant API, with the session
 * cookie instead of a token, and the merchant in a header.
 */

/** A new password; any characters. */
const newPassword = z.string().min(PASSWORD_LENGTH.min).max(PASSWORD_LENGTH.max);
const enteredPassword = z.string().min(1).max(PASSWORD_LENGTH.max);

/** Six digits of an authenticator app (RFC 6238), or a recovery code; spaces and hyphens are allowed. */
const secondFactorCode = z.string().min(6).max(32);

const identifier = z.int().min(1);
/** JSON forms of WebAuthn Level 3, section 5.1, validated by the library that verifies them. */
const credentialOptions = z.record(z.string(), z.unknown());
const credentialResponse = z.looseObject({ id: z.string().max(2048), type: z.literal('public-key') });

/** The next step of a sign-in. `passkey`: the user must sign in with a passkey; a password alone starts no session. */
const signInStep = z.enum(['done', 'second_factor', 'set_up_second_factor', 'passkey']);
export type SignInStep = z.infer<typeof signInStep>;
const stepResponse = z.object({ next: signInStep });

const signedInMerchant = z.object({ id: identifier, name: z.string(), role: z.enum(userRoles) });

/** The signed-in user and their merchants. */
const account = z.object({
  person: z.object({ id: identifier, email: z.string(), name: z.string(), isManager: z.boolean() }),
  /** Ordered by name. For managers, the first hundred; `GET /v1/merchants` returns the rest. */
  merchants: z.array(signedInMerchant),
  environment: z.enum(['sandbox', 'production']),
  /** True if the user should add a passkey or a second factor. */
  isWeaklyProtected: z.boolean(),
  sendsEmail: z.boolean(),
});
export type Account = z.infer<typeof account>;

const invitation = z.object({
  email: z.string(),
  role: z.enum(userRoles),
  /** Null for managers, who have access to all merchants. */
  merchantName: z.string().nullable(),
  /** True if it restores access to an account. Otherwise a user with an account signs in and accepts. */
  isReset: z.boolean(),
});
export type Invitation = z.infer<typeof invitation>;

const passkey = z.object({
  id: identifier,
  name: z.string(),
  /** True if a service syncs it to the user's other devices. */
  isSynced: z.boolean(),
  createdAt: instantText,
  lastUsedAt: instantText.nullable(),
});

const session = z.object({
  id: identifier,
  isCurrent: z.boolean(),
  method: z.enum(['passkey', 'password']),
  address: z.string(),
  userAgent: z.string(),
  createdAt: instantText,
  lastUsedAt: instantText,
  expiresAt: instantText,
});

/** Credentials and sessions of a user. */
const accountSecurity = z.object({
  passkeys: z.array(passkey),
  hasPassword: z.boolean(),
  hasSecondFactor: z.boolean(),
  recoveryCodesLeft: z.int(),
  sessions: z.array(session),
});
export type AccountSecurity = z.infer<typeof accountSecurity>;

/** Body and 200 response of a call. */
interface AccountCall {
  body?: z.ZodType;
  response: z.ZodType;
}

const emptyResponse = z.object({});

function call<Name extends AccountCallName, Schemas extends AccountCall>(name: Name, schemas: Schemas) {
  return { ...accountEndpoints[name], ...schemas };
}

/** Every call under `/account/`. */
export const accountCalls = {
  passwordSignIn: call('passwordSignIn', {
    body: z.strictObject({ email: emailAddress, password: enteredPassword }),
    response: stepResponse,
  }),
  secondFactorSignIn: call('secondFactorSignIn', {
    body: z.strictObject({ code: secondFactorCode }),
    response: stepResponse,
  }),
  passkeySignInOptions: call('passkeySignInOptions', {
    body: z.strictObject({}),
    response: z.object({ options: credentialOptions }),
  }),
  passkeySignIn: call('passkeySignIn', {
    body: z.strictObject({ response: credentialResponse }),
    response: stepResponse,
  }),
  /*
   * Step-up: each confirms the identity of a signed-in user for the next five minutes. Without it, passkeys,
   * the second factor and the password cannot be changed.
   */
  secondFactorStepUp: call('secondFactorStepUp', {
    body: z.strictObject({ code: secondFactorCode }),
    response: emptyResponse,
  }),
  passkeyStepUpOptions: call('passkeyStepUpOptions', {
    body: z.strictObject({}),
    response: z.object({ options: credentialOptions }),
  }),
  passkeyStepUp: call('passkeyStepUp', {
    body: z.strictObject({ response: credentialResponse }),
    response: emptyResponse,
  }),
  /** For users with neither a second factor nor a passkey. */
  passwordStepUp: call('passwordStepUp', {
    body: z.strictObject({ password: enteredPassword }),
    response: emptyResponse,
  }),
  signOut: call('signOut', { body: z.strictObject({}), response: emptyResponse }),

  readInvitation: call('readInvitation', {
    body: z.strictObject({ invitation: text(128) }),
    response: invitation,
  }),
  /** For a signed-in user who was invited to another merchant. */
  acceptInvitation: call('acceptInvitation', {
    body: z.strictObject({ invitation: text(128) }),
    response: stepResponse,
  }),
  joinWithPassword: call('joinWithPassword', {
    body: z.strictObject({ invitation: text(128), name: displayName(100), password: newPassword }),
    response: stepResponse,
  }),
  joinWithPasskeyOptions: call('joinWithPasskeyOptions', {
    body: z.strictObject({ invitation: text(128), name: displayName(100) }),
    response: z.object({ options: credentialOptions }),
  }),
  joinWithPasskey: call('joinWithPasskey', {
    body: z.strictObject({ invitation: text(128), name: displayName(100), response: credentialResponse }),
    response: stepResponse,
  }),

  readAccount: call('readAccount', { response: account }),
  rename: call('rename', {
    body: z.strictObject({ name: displayName(100) }),
    response: emptyResponse,
  }),
  readSecurity: call('readSecurity', { response: accountSecurity }),
  addPasskeyOptions: call('addPasskeyOptions', {
    body: z.strictObject({}),
    response: z.object({ options: credentialOptions }),
  }),
  addPasskey: call('addPasskey', {
    body: z.strictObject({ name: displayName(60), response: credentialResponse }),
    response: accountSecurity,
  }),
  removePasskey: call('removePasskey', {
    body: z.strictObject({ id: identifier }),
    response: accountSecurity,
  }),
  /** `current` is required if the user has a password. */
  setPassword: call('setPassword', {
    body: z.strictObject({ current: enteredPassword.nullable(), password: newPassword }),
    response: accountSecurity,
  }),
  /** Secret for an authenticator app, as base32 and as an `otpauth:` URI; active once a code is confirmed. */
  beginSecondFactor: call('beginSecondFactor', {
    body: z.strictObject({}),
    response: z.object({ secret: z.string(), uri: z.string() }),
  }),
  /** The recovery codes are shown only once. */
  confirmSecondFactor: call('confirmSecondFactor', {
    body: z.strictObject({ code: secondFactorCode }),
    response: z.object({ recoveryCodes: z.array(z.string()) }),
  }),
  removeSecondFactor: call('removeSecondFactor', {
    body: z.strictObject({}),
    response: accountSecurity,
  }),
  /** All other sessions if `id` is omitted. */
  endSessions: call('endSessions', {
    body: z.strictObject({ id: identifier.nullable() }),
    response: accountSecurity,
  }),
  readNotifications: call('readNotifications', { response: notificationsResponse }),
  setNotification: call('setNotification', { body: notificationsRequest, response: notificationsResponse }),
} as const;
