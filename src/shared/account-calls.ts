/*
 * Calls of the account area, shared by its pages and the service, without the schemas of `src/api/account.ts`, which
 * are larger than a page.
 */

/** Header that names the merchant; optional for users with one merchant. */
export const MERCHANT_HEADER = 'Paylatch-Merchant';

/** Length of a password; more than the eight characters that suffice with a second factor (NIST SP 800-63B-4, section 3.1.1.2). */
export const PASSWORD_LENGTH = { min: 12, max: 128 } as const;

const get = <Path extends string>(path: Path) => ({ method: 'GET', path }) as const;
const post = <Path extends string>(path: Path) => ({ method: 'POST', path }) as const;

/** Method and path of every call under `/account/`. */
export const accountEndpoints = {
  passwordSignIn: post('/account/sign-in/password'),
  secondFactorSignIn: post('/account/sign-in/second-factor'),
  passkeySignInOptions: post('/account/sign-in/passkey/options'),
  passkeySignIn: post('/account/sign-in/passkey'),
  secondFactorStepUp: post('/account/step-up/second-factor'),
  passkeyStepUpOptions: post('/account/step-up/passkey/options'),
  passkeyStepUp: post('/account/step-up/passkey'),
  passwordStepUp: post('/account/step-up/password'),
  signOut: post('/account/sign-out'),
  readInvitation: post('/account/invitation'),
  acceptInvitation: post('/account/invitation/accept'),
  joinWithPassword: post('/account/invitation/password'),
  joinWithPasskeyOptions: post('/account/invitation/passkey/options'),
  joinWithPasskey: post('/account/invitation/passkey'),
  readAccount: get('/account/session'),
  rename: post('/account/name'),
  readSecurity: get('/account/protection'),
  addPasskeyOptions: post('/account/passkeys/options'),
  addPasskey: post('/account/passkeys/add'),
  removePasskey: post('/account/passkeys/remove'),
  setPassword: post('/account/password'),
  beginSecondFactor: post('/account/second-factor/begin'),
  confirmSecondFactor: post('/account/second-factor/confirm'),
  removeSecondFactor: post('/account/second-factor/remove'),
  endSessions: post('/account/sessions/end'),
  readNotifications: get('/account/notifications'),
  setNotification: post('/account/notifications'),
} as const;

export type AccountCallName = keyof typeof accountEndpoints;
