import type { User } from './schema.ts';
import { findMerchant } from '../merchants/merchants.ts';
import { Hono } from 'hono';
import type { z } from 'zod';
import { accountCalls } from '../api/account.ts';
import type { AccountCallName } from '../shared/account-calls.ts';
import { unauthorized } from '../operations/principal.ts';
import type { UnitOfWork } from '../database/database.ts';
import { readBody } from '../http/body.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { sendJson } from '../http/json.ts';
import { Problem } from '../api/problem-error.ts';
import { actorOf, type Origin, clientOf, writeAuditEntry } from '../audit/audit-log.ts';
import type { AuthContext } from './context.ts';
import { readSessionCookie, requireSameOrigin, writeSessionCookie } from './cookie.ts';
import { acceptInvitation, findInvitation, type Invitation } from './invitations.ts';
import {
  accountExists,
  findUserByEmail,
  hasStrongCredential,
  listMemberships,
  createUser,
  updateUser,
} from './users.ts';
import {
  startSecondFactorSetup,
  confirmSecondFactor,
  hasOnlyPassword,
  readCredentials,
  removePasskey,
  removeSecondFactor,
} from './credentials.ts';
import { readNotifications, setNotification } from '../mail/opt-outs.ts';
import { endSessions, findSession, type Session } from './sessions.ts';
import {
  createSignInSession,
  type SignInResult,
  changePassword,
  countConfirmation,
  countSignInAttempt,
  completeSignIn,
  requireUser,
  requireSteppedUp,
  requireStrongPassword,
  signInWithPassword,
  signInWithSecondFactor,
  signInFailed,
  stepUpWithPasskey,
  stepUpWithPassword,
  stepUpWithSecondFactor,
} from './sign-in.ts';

type Calls = typeof accountCalls;
type BodyOf<Name extends AccountCallName> = Calls[Name] extends { body: z.ZodType }
  ? z.output<Calls[Name]['body']>
  : undefined;
type ResponseOf<Name extends AccountCallName> = z.input<Calls[Name]['response']>;

/** Required authentication: none, a session with a pending step, or a full session. */
type AuthLevel = 'public' | 'pending' | 'signed_in';

interface AccountCall<Name extends AccountCallName> {
  http: HttpContext;
  origin: Origin;
  body: BodyOf<Name>;
  /** Missing for anonymous calls. */
  session: Session;
}

/** True for rejected attempts. Those over a rate limit write nothing: anyone could fill the audit log with them. */
function isAudited(error: unknown): error is Problem {
  return error instanceof Problem && error.code !== 'rate_limited';
}

/** Routes for sign-in and for managing credentials. */
export function accountRoutes(context: AuthContext): Hono<HttpEnv> {
  const { database, clock, https } = context;
  const routes = new Hono<HttpEnv>();

  const serve = <Name extends AccountCallName>(
    name: Name,
    authLevel: AuthLevel,
    handle: (call: AccountCall<Name>) => Promise<ResponseOf<Name>>,
  ) => {
    const { method, path, ...schemas } = accountCalls[name] as (typeof accountCalls)[AccountCallName] & {
      body?: z.ZodType;
    };
    routes.on(method, path, async (http) => {
      if (method !== 'GET') requireSameOrigin(http);
      const readSession = async () => (authLevel === 'public' ? null : await requireSession(http, authLevel));
      const sender = await readSession();
      const body = schemas.body ? await readBody(http, schemas.body) : undefined;
      // The session may have ended before the last byte of the body arrived.
      const session = schemas.body ? await readSession() : sender;
      const result = await handle({ http, origin: clientOf(http), body, session } as AccountCall<Name>);
      return sendJson(http, result);
    });
  };

  const requireSession = async (http: HttpContext, authLevel: AuthLevel): Promise<Session> => {
    const secret = readSessionCookie(http, https);
    const session = secret === null ? null : await findSession(database, clock, secret);
    if (!session || (authLevel === 'signed_in' && session.step !== 'done'))
      throw unauthorized('There is no session, or it has expired. Sign in.');
    return session;
  };

  const audit = async (
    runner: UnitOfWork | typeof database,
    http: HttpContext,
    userId: number | null,
    action: string,
    details: { subject?: string; outcome?: string; merchantId?: number | null } = {},
  ) => {
    await writeAuditEntry(runner, {
      ...actorOf(http, userId),
      merchantId: details.merchantId ?? null,
      action,
      subject: details.subject ?? null,
      before: null,
      after: null,
      outcome: details.outcome ?? 'done',
      at: clock.now(),
    });
  };

  /** Runs an action and audits its outcome, including rejections. */
  const auditOutcome = async <Outcome>(
    http: HttpContext,
    { userId }: Session,
    action: string,
    subject: string,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await attempt().catch(async (error: unknown) => {
      if (isAudited(error)) await audit(database, http, userId, action, { subject, outcome: error.code });
      throw error;
    });
    await audit(database, http, userId, action, { subject });
    return outcome;
  };

  /** Sets the session cookie and returns the next step. */
  const startSession = (http: HttpContext, { secret, next }: SignInResult) => {
    if (secret !== null) writeSessionCookie(http, https, secret);
    return { next };
  };

  serve('passwordSignIn', 'public', async ({ http, origin, body }) => {
    const result = await signInWithPassword(context, body, origin).catch(async (error: unknown) => {
      if (isAudited(error)) {
        const user = await findUserByEmail(database, body.email);
        await audit(database, http, user?.id ?? null, 'sign_in', { subject: 'password', outcome: error.code });
      }
      throw error;
    });
    await audit(database, http, result.userId, 'sign_in', { subject: 'password' });
    return startSession(http, result);
  });

  serve('secondFactorSignIn', 'pending', async ({ http, origin, body, session }) => {
    if (session.step !== 'second_factor') throw unauthorized('This session is not waiting for a second factor.');
    const attempt = async () => await signInWithSecondFactor(context, session, body.code, origin);
    const result = await auditOutcome(http, session, 'sign_in', 'second factor', attempt);
    return startSession(http, result);
  });

  serve('passkeySignInOptions', 'public', async ({ origin }) => {
    await context.enforceRateLimit('page', origin.address);
    return { options: await context.passkeys.authenticationOptions('sign in', null) };
  });

  serve('passkeySignIn', 'public', async ({ http, origin, body }) => {
    await countSignInAttempt(context, origin, null);
    const userId = await context.passkeys.verifyAuthentication('sign in', body.response, null);
    const user = await requireUser(context, userId);
    const result = await database.inTransaction(
      async (unit) => await createSignInSession(context, unit, user, 'passkey', origin),
    );
    await audit(database, http, userId, 'sign_in', { subject: 'passkey' });
    return startSession(http, result);
  });

  serve('secondFactorStepUp', 'signed_in', async ({ http, body, session }) => {
    const attempt = async () => await stepUpWithSecondFactor(context, session, body.code);
    await auditOutcome(http, session, 'step_up', 'second factor', attempt);
    return {};
  });

  serve('passkeyStepUpOptions', 'signed_in', async ({ origin, session }) => {
    await context.enforceRateLimit('page', origin.address);
    return { options: await context.passkeys.authenticationOptions(`step up session ${session.id}`, session.userId) };
  });

  serve('passkeyStepUp', 'signed_in', async ({ http, body, session }) => {
    const attempt = async () => await stepUpWithPasskey(context, session, body.response);
    await auditOutcome(http, session, 'step_up', 'passkey', attempt);
    return {};
  });

  serve('passwordStepUp', 'signed_in', async ({ http, body, session }) => {
    const attempt = async () => await stepUpWithPassword(context, session, body.password);
    await auditOutcome(http, session, 'step_up', 'password', attempt);
    return {};
  });

  serve('signOut', 'public', async ({ http }) => {
    const secret = readSessionCookie(http, https);
    const session = secret === null ? null : await findSession(database, clock, secret);
    if (session) {
      await database.inTransaction(async (unit) => {
        await endSessions(unit, session.userId, { id: session.id }, clock.now());
        await audit(unit, http, session.userId, 'sign_out');
      });
    }
    writeSessionCookie(http, https, null);
    return {};
  });

  serve('readInvitation', 'public', async ({ origin, body }) => {
    await countSignInAttempt(context, origin, null);
    const { email, role, merchantId, isReset } = await findInvitation(database, body.invitation, clock.now());
    const merchant = merchantId === null ? null : await findMerchant(database, merchantId);
    return { email, role, merchantName: merchant?.name ?? null, isReset };
  });

  /**
   * The existing account for an invitation; null if one must be created. Only a reset invitation may set a password
   * or passkey for an existing account; with any other, its owner signs in and accepts. The result does not depend
   * on whether that account has credentials, so it does not reveal that.
   */
  const findExistingAccount = async (
    reader: Pick<typeof database, 'query'>,
    invitation: Invitation,
  ): Promise<number | null> => {
    const user = await findUserByEmail(reader, invitation.email);
    if (user && !invitation.isReset) throw accountExists(invitation.email);
    return user?.id ?? null;
  };

  serve('acceptInvitation', 'signed_in', async ({ http, body, session }) => {
    const user = await requireUser(context, session.userId);
    await database.inTransaction(async (unit) => {
      const invitation = await findInvitation(unit, body.invitation, clock.now());
      if (invitation.email !== user.email)
        throw new Problem('forbidden', `The invitation is for ${invitation.email}. Sign in with that account.`);
      await acceptInvitation(unit, invitation, user.id, clock.now());
      await audit(unit, http, user.id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
    });
    return { next: 'done' as const };
  });

  serve('joinWithPassword', 'public', async ({ http, origin, body }) => {
    await countSignInAttempt(context, origin, null);
    const invitation = await findInvitation(database, body.invitation, clock.now());
    // Checked first, so that a weak password does not reveal whether the account exists.
    requireStrongPassword(body.password, [invitation.email, body.name]);
    await findExistingAccount(database, invitation);
    const passwordHash = await context.passwords.hash(body.password);
    const result = await database.inTransaction(async (unit) => {
      const now = clock.now();
      const invitation = await findInvitation(unit, body.invitation, now);
      const { email } = invitation;
      const id =
        (await findExistingAccount(unit, invitation)) ?? (await createUser(unit, { email, name: body.name, now }));
      await updateUser(unit, id, { name: body.name, passwordHash }, now);
      await acceptInvitation(unit, invitation, id, now);
      await audit(unit, http, id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
      return await createSignInSession(context, unit, { id, secondFactor: null }, 'password', origin);
    });
    return startSession(http, result);
  });

  serve('joinWithPasskeyOptions', 'public', async ({ origin, body }) => {
    await countSignInAttempt(context, origin, null);
    const { id, email } = await findInvitation(database, body.invitation, clock.now());
    const user = { email, name: body.name, userId: null };
    return { options: await context.passkeys.registrationOptions(`join by invitation ${id}`, user) };
  });

  serve('joinWithPasskey', 'public', async ({ http, origin, body }) => {
    const invitation = await findInvitation(database, body.invitation, clock.now());
    await findExistingAccount(database, invitation);
    const credential = await context.passkeys.verifyRegistration(`join by invitation ${invitation.id}`, body.response);
    const result = await database.inTransaction(async (unit) => {
      const now = clock.now();
      const invitation = await findInvitation(unit, body.invitation, now);
      const { email } = invitation;
      const id =
        (await findExistingAccount(unit, invitation)) ?? (await createUser(unit, { email, name: body.name, now }));
      await context.passkeys.store(unit, id, 'First passkey', credential);
      await acceptInvitation(unit, invitation, id, now);
      await audit(unit, http, id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
      return await createSignInSession(context, unit, { id, secondFactor: null }, 'passkey', origin);
    });
    return startSession(http, result);
  });

  serve('readAccount', 'signed_in', async ({ session }) => {
    const user = await requireUser(context, session.userId);
    const memberships = await listMemberships(database, user);
    return {
      person: { id: user.id, email: user.email, name: user.name, isManager: user.isManager },
      merchants: memberships.map(({ merchantId, merchantName, role }) => ({
        id: merchantId,
        name: merchantName,
        role,
      })),
      environment: context.environment,
      isWeaklyProtected: await hasOnlyPassword(context, user),
      sendsEmail: context.mailer.isOn,
    };
  });

  serve('rename', 'signed_in', async ({ http, body, session }) => {
    await database.inTransaction(async (unit) => {
      await updateUser(unit, session.userId, { name: body.name }, clock.now());
      await audit(unit, http, session.userId, 'rename', { subject: body.name });
    });
    return {};
  });

  serve('readSecurity', 'signed_in', async ({ session }) => await readCredentials(context, session));

  serve('addPasskeyOptions', 'signed_in', async ({ session }) => {
    requireSteppedUp(context, session);
    const { id, email, name } = await requireUser(context, session.userId);
    return { options: await context.passkeys.registrationOptions(`add for person ${id}`, { email, name, userId: id }) };
  });

  serve('addPasskey', 'signed_in', async ({ http, body, session }) => {
    requireSteppedUp(context, session);
    const { userId } = session;
    const credential = await context.passkeys.verifyRegistration(`add for person ${userId}`, body.response);
    await database.inTransaction(async (unit) => {
      await context.passkeys.store(unit, userId, body.name, credential);
      await audit(unit, http, userId, 'add_passkey', { subject: body.name });
    });
    return await readCredentials(context, session);
  });

  serve('removePasskey', 'signed_in', async ({ http, body, session }) => {
    requireSteppedUp(context, session);
    const { userId } = session;
    await database.inTransaction(async (unit) => {
      await removePasskey(unit, userId, body.id);
      await audit(unit, http, userId, 'remove_passkey', { subject: String(body.id) });
    });
    return await readCredentials(context, session);
  });

  serve('setPassword', 'signed_in', async ({ http, body, session }) => {
    const user = await requireUser(context, session.userId);
    if (await hasStrongCredential(database, user)) requireSteppedUp(context, session);
    const { passwordHash } = user;
    if (passwordHash !== null) {
      await countConfirmation(context, user.id);
      if (!(await context.passwords.verify(body.current ?? '', passwordHash))) {
        await audit(database, http, user.id, 'set_password', { outcome: 'sign_in_failed' });
        throw signInFailed();
      }
    }
    requireStrongPassword(body.password, [user.email, user.name]);
    const hash = await context.passwords.hash(body.password);
    await database.inTransaction(async (unit) => {
      await changePassword(context, unit, { userId: user.id, hash, keepSessionId: session.id });
      await audit(unit, http, user.id, 'set_password');
    });
    return await readCredentials(context, session);
  });

  /** Allows full sessions after a step-up, and sessions that must set up their first second factor. */
  const requireEnrollmentAllowed = async (session: Session): Promise<User> => {
    const user = await requireUser(context, session.userId);
    if (session.step === 'done') requireSteppedUp(context, session);
    else if (session.step === 'second_factor' || (await hasStrongCredential(database, user)))
      throw unauthorized('Finish signing in with your second factor or passkey first.');
    return user;
  };

  serve('beginSecondFactor', 'pending', async ({ session }) => {
    return await startSecondFactorSetup(context, await requireEnrollmentAllowed(session));
  });

  serve('confirmSecondFactor', 'pending', async ({ http, origin, body, session }) => {
    const user = await requireEnrollmentAllowed(session);
    await countConfirmation(context, user.id);
    const { recoveryCodes, result } = await database.inTransaction(async (unit) => {
      const codes = await confirmSecondFactor(context, unit, user, body.code);
      await endSessions(unit, user.id, { allBut: session.id }, clock.now());
      await audit(unit, http, user.id, 'set_second_factor');
      if (session.step === 'done') return { recoveryCodes: codes, result: null };
      return { recoveryCodes: codes, result: await completeSignIn(context, unit, session, origin) };
    });
    if (result) startSession(http, result);
    return { recoveryCodes };
  });

  serve('removeSecondFactor', 'signed_in', async ({ http, session }) => {
    requireSteppedUp(context, session);
    await database.inTransaction(async (unit) => {
      await removeSecondFactor(context, unit, session.userId);
      await audit(unit, http, session.userId, 'remove_second_factor');
    });
    return await readCredentials(context, session);
  });

  const notificationsOf = async (userId: number) => ({
    is_set_up: context.mailer.isOn,
    kinds: await readNotifications(database, userId),
  });

  serve('readNotifications', 'signed_in', async ({ session }) => await notificationsOf(session.userId));

  serve('setNotification', 'signed_in', async ({ http, body, session }) => {
    const { userId } = session;
    await database.inTransaction(async (unit) => {
      await setNotification(unit, { userId, kind: body.kind, isOn: body.is_on, now: clock.now() });
      const subject = `${body.kind} ${body.is_on ? 'on' : 'off'}`;
      await audit(unit, http, userId, 'set_notification', { subject });
    });
    return await notificationsOf(userId);
  });

  serve('endSessions', 'signed_in', async ({ http, body, session }) => {
    const selection = body.id === null ? { allBut: session.id } : { id: body.id };
    await database.inTransaction(async (unit) => {
      await endSessions(unit, session.userId, selection, clock.now());
      await audit(unit, http, session.userId, 'end_sessions', {
        subject: body.id === null ? 'others' : String(body.id),
      });
    });
    return await readCredentials(context, session);
  });

  return routes;
}
