import type { Person } from './schema.ts';
import { findMerchant } from '../merchants/merchants.ts';
import { Hono } from 'hono';
import type { z } from 'zod';
import { accountCalls } from '../api/account.ts';
import type { AccountCallName } from '../shared/account-calls.ts';
import { unauthorized } from '../operations/principal.ts';
import type { UnitOfWork } from '../database/database.ts';
import { readBody } from '../http/body.ts';
import type { HttpContext, HttpEnv } from '../http/context.ts';
import { Problem } from '../api/problem-error.ts';
import { actorOf, type Origin, originOf, writeAuditEntry } from '../audit/audit-log.ts';
import type { PeopleContext } from './context.ts';
import { readSessionCookie, requireOwnPage, writeSessionCookie } from './cookie.ts';
import { acceptInvitation, findInvitation, type Invitation } from './invitations.ts';
import { accountExists, findPersonByEmail, isProtected, listMemberships, makePerson, updatePerson } from './users.ts';
import {
  beginSecondFactor,
  confirmSecondFactor,
  isWeaklyProtected,
  readProtection,
  removePasskey,
  removeSecondFactor,
} from './protection.ts';
import { endSessions, findSession, type Session } from './sessions.ts';
import {
  begin,
  type Begun,
  changePassword,
  countTry,
  goOn,
  requirePerson,
  requireSteppedUp,
  requireStrength,
  signInByPassword,
  signInBySecondFactor,
  signInFailed,
  stepUpByPasskey,
  stepUpByPassword,
  stepUpBySecondFactor,
} from './sign-in.ts';

type Calls = typeof accountCalls;
type BodyOf<Name extends AccountCallName> = Calls[Name] extends { body: z.ZodType }
  ? z.output<Calls[Name]['body']>
  : undefined;
type AnswerOf<Name extends AccountCallName> = z.input<Calls[Name]['answer']>;

/** Who must have sent it: nobody in particular, somebody on their way in, or somebody who is in. */
type Sender = 'anybody' | 'on_the_way' | 'signed_in';

interface Received<Name extends AccountCallName> {
  http: HttpContext;
  origin: Origin;
  body: BodyOf<Name>;
  /** There unless anybody may send it. */
  session: Session;
}

/** How people come into the account area, and look after how they do. */
export function accountRoutes(context: PeopleContext): Hono<HttpEnv> {
  const { database, clock, https } = context;
  const routes = new Hono<HttpEnv>();

  const serve = <Name extends AccountCallName>(
    name: Name,
    sender: Sender,
    handle: (received: Received<Name>) => Promise<AnswerOf<Name>>,
  ) => {
    const { method, path, ...described } = accountCalls[name] as (typeof accountCalls)[AccountCallName] & {
      body?: z.ZodType;
    };
    routes.on(method, path, async (http) => {
      if (method !== 'GET') requireOwnPage(http);
      const session = sender === 'anybody' ? null : await requireSession(http, sender);
      const body = described.body ? await readBody(http, described.body) : undefined;
      const answer = await handle({ http, origin: originOf(http), body, session } as Received<Name>);
      return http.json(answer as object);
    });
  };

  const requireSession = async (http: HttpContext, sender: Sender): Promise<Session> => {
    const secret = readSessionCookie(http, https);
    const session = secret === null ? null : await findSession(database, clock, secret);
    if (!session || (sender === 'signed_in' && session.step !== 'done'))
      throw unauthorized('Sign in: there is no session, or it is over.');
    return session;
  };

  const note = async (
    on: UnitOfWork | typeof database,
    http: HttpContext,
    personId: number | null,
    action: string,
    more: { subject?: string; outcome?: string; merchantId?: number | null } = {},
  ) => {
    await writeAuditEntry(on, {
      ...actorOf(http, personId),
      merchantId: more.merchantId ?? null,
      action,
      subject: more.subject ?? null,
      before: null,
      after: null,
      outcome: more.outcome ?? 'done',
      at: clock.now(),
    });
  };

  /** Writes down what came of an attempt of somebody known, a refusal too. */
  const noteOutcome = async <Outcome>(
    http: HttpContext,
    { personId }: Session,
    action: string,
    subject: string,
    attempt: () => Promise<Outcome>,
  ): Promise<Outcome> => {
    const outcome = await attempt().catch(async (error: unknown) => {
      if (error instanceof Problem) await note(database, http, personId, action, { subject, outcome: error.code });
      throw error;
    });
    await note(database, http, personId, action, { subject });
    return outcome;
  };

  /** Gives the browser its cookie, and tells it what comes next. */
  const letIn = (http: HttpContext, { secret, next }: Begun) => {
    if (secret !== null) writeSessionCookie(http, https, secret);
    return { next };
  };

  serve('passwordSignIn', 'anybody', async ({ http, origin, body }) => {
    const begun = await signInByPassword(context, body, origin).catch(async (error: unknown) => {
      const known = await findPersonByEmail(database, body.email);
      if (error instanceof Problem)
        await note(database, http, known?.id ?? null, 'sign_in', { subject: 'password', outcome: error.code });
      throw error;
    });
    await note(database, http, begun.personId, 'sign_in', { subject: 'password' });
    return letIn(http, begun);
  });

  serve('secondFactorSignIn', 'on_the_way', async ({ http, origin, body, session }) => {
    if (session.step !== 'second_factor') throw unauthorized('No second factor is asked for.');
    const begun = await noteOutcome(
      http,
      session,
      'sign_in',
      'second factor',
      async () => await signInBySecondFactor(context, session, body.code, origin),
    );
    return letIn(http, begun);
  });

  serve('passkeySignInOptions', 'anybody', async ({ origin }) => {
    await countTry(context, origin, null);
    return { options: await context.passkeys.askingOptions('sign in', null) };
  });

  serve('passkeySignIn', 'anybody', async ({ http, origin, body }) => {
    await countTry(context, origin, null);
    const personId = await context.passkeys.verifyAnswer('sign in', body.response, null);
    const person = await requirePerson(context, personId);
    const begun = await database.inTransaction(async (unit) => await begin(context, unit, person, 'passkey', origin));
    await note(database, http, personId, 'sign_in', { subject: 'passkey' });
    return letIn(http, begun);
  });

  serve('secondFactorStepUp', 'signed_in', async ({ http, origin, body, session }) => {
    await noteOutcome(
      http,
      session,
      'step_up',
      'second factor',
      async () => await stepUpBySecondFactor(context, session, body.code, origin),
    );
    return {};
  });

  serve('passkeyStepUpOptions', 'signed_in', async ({ origin, session }) => {
    await countTry(context, origin, null);
    return { options: await context.passkeys.askingOptions(`step up session ${session.id}`, session.personId) };
  });

  serve('passkeyStepUp', 'signed_in', async ({ http, origin, body, session }) => {
    await noteOutcome(
      http,
      session,
      'step_up',
      'passkey',
      async () => await stepUpByPasskey(context, session, body.response, origin),
    );
    return {};
  });

  serve('passwordStepUp', 'signed_in', async ({ http, origin, body, session }) => {
    await noteOutcome(
      http,
      session,
      'step_up',
      'password',
      async () => await stepUpByPassword(context, session, body.password, origin),
    );
    return {};
  });

  serve('signOut', 'anybody', async ({ http }) => {
    const secret = readSessionCookie(http, https);
    const session = secret === null ? null : await findSession(database, clock, secret);
    if (session) {
      await database.inTransaction(async (unit) => {
        await endSessions(unit, session.personId, { id: session.id }, clock.now());
        await note(unit, http, session.personId, 'sign_out');
      });
    }
    writeSessionCookie(http, https, null);
    return {};
  });

  serve('readInvitation', 'anybody', async ({ origin, body }) => {
    await countTry(context, origin, null);
    const { email, role, merchantId, isReset } = await findInvitation(database, body.invitation, clock.now());
    const merchant = merchantId === null ? null : await findMerchant(database, merchantId);
    return { email, role, merchantName: merchant?.name ?? null, isReset };
  });

  /**
   * The account that an invitation leads to; null where one is to be created. Only an invitation that restores
   * access may set a password or passkey for an account that exists: with any other, its owner signs in and
   * accepts. Whether that account can be signed in to at present makes no difference, so that nobody learns it.
   */
  const accountToEnter = async (on: Pick<typeof database, 'query'>, invitation: Invitation): Promise<number | null> => {
    const person = await findPersonByEmail(on, invitation.email);
    if (person && !invitation.isReset) throw accountExists(invitation.email);
    return person?.id ?? null;
  };

  serve('acceptInvitation', 'signed_in', async ({ http, body, session }) => {
    const person = await requirePerson(context, session.personId);
    await database.inTransaction(async (unit) => {
      const invitation = await findInvitation(unit, body.invitation, clock.now());
      if (invitation.email !== person.email)
        throw new Problem('forbidden', `The invitation is for ${invitation.email}. Sign in as that person.`);
      await acceptInvitation(unit, invitation, person.id, clock.now());
      await note(unit, http, person.id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
    });
    return { next: 'done' as const };
  });

  serve('joinWithPassword', 'anybody', async ({ http, origin, body }) => {
    await countTry(context, origin, null);
    const found = await findInvitation(database, body.invitation, clock.now());
    // First, so that a password that would be refused anyway does not reveal whether the account exists.
    requireStrength(body.password, [found.email, body.name]);
    await accountToEnter(database, found);
    const passwordHash = await context.passwords.hash(body.password);
    const begun = await database.inTransaction(async (unit) => {
      const now = clock.now();
      const invitation = await findInvitation(unit, body.invitation, now);
      const { email } = invitation;
      const id = (await accountToEnter(unit, invitation)) ?? (await makePerson(unit, { email, name: body.name, now }));
      await updatePerson(unit, id, { name: body.name, passwordHash }, now);
      await acceptInvitation(unit, invitation, id, now);
      await note(unit, http, id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
      return await begin(context, unit, { id, secondFactor: null }, 'password', origin);
    });
    return letIn(http, begun);
  });

  serve('joinWithPasskeyOptions', 'anybody', async ({ origin, body }) => {
    await countTry(context, origin, null);
    const { id, email } = await findInvitation(database, body.invitation, clock.now());
    const of = { email, name: body.name, personId: null };
    return { options: await context.passkeys.makingOptions(`join by invitation ${id}`, of) };
  });

  serve('joinWithPasskey', 'anybody', async ({ http, origin, body }) => {
    const found = await findInvitation(database, body.invitation, clock.now());
    await accountToEnter(database, found);
    const made = await context.passkeys.verifyMade(`join by invitation ${found.id}`, body.response);
    const begun = await database.inTransaction(async (unit) => {
      const now = clock.now();
      const invitation = await findInvitation(unit, body.invitation, now);
      const { email } = invitation;
      const id = (await accountToEnter(unit, invitation)) ?? (await makePerson(unit, { email, name: body.name, now }));
      await context.passkeys.keep(unit, id, 'First passkey', made);
      await acceptInvitation(unit, invitation, id, now);
      await note(unit, http, id, 'join', { subject: invitation.role, merchantId: invitation.merchantId });
      return await begin(context, unit, { id, secondFactor: null }, 'passkey', origin);
    });
    return letIn(http, begun);
  });

  serve('readAccount', 'signed_in', async ({ session }) => {
    const person = await requirePerson(context, session.personId);
    const memberships = await listMemberships(database, person);
    return {
      person: { id: person.id, email: person.email, name: person.name, isManager: person.isManager },
      merchants: memberships.map(({ merchantId, merchantName, role }) => ({
        id: merchantId,
        name: merchantName,
        role,
      })),
      environment: context.environment,
      isWeaklyProtected: await isWeaklyProtected(context, person),
    };
  });

  serve('rename', 'signed_in', async ({ http, body, session }) => {
    await database.inTransaction(async (unit) => {
      await updatePerson(unit, session.personId, { name: body.name }, clock.now());
      await note(unit, http, session.personId, 'rename', { subject: body.name });
    });
    return {};
  });

  serve('readProtection', 'signed_in', async ({ session }) => await readProtection(context, session));

  serve('addPasskeyOptions', 'signed_in', async ({ session }) => {
    requireSteppedUp(context, session);
    const { id, email, name } = await requirePerson(context, session.personId);
    return { options: await context.passkeys.makingOptions(`add for person ${id}`, { email, name, personId: id }) };
  });

  serve('addPasskey', 'signed_in', async ({ http, body, session }) => {
    requireSteppedUp(context, session);
    const { personId } = session;
    const made = await context.passkeys.verifyMade(`add for person ${personId}`, body.response);
    await database.inTransaction(async (unit) => {
      await context.passkeys.keep(unit, personId, body.name, made);
      await note(unit, http, personId, 'add_passkey', { subject: body.name });
    });
    return await readProtection(context, session);
  });

  serve('removePasskey', 'signed_in', async ({ http, body, session }) => {
    requireSteppedUp(context, session);
    const person = await requirePerson(context, session.personId);
    await database.inTransaction(async (unit) => {
      await removePasskey(unit, person, body.id);
      await note(unit, http, person.id, 'remove_passkey', { subject: String(body.id) });
    });
    return await readProtection(context, session);
  });

  serve('setPassword', 'signed_in', async ({ http, origin, body, session }) => {
    const person = await requirePerson(context, session.personId);
    if (await isProtected(database, person)) requireSteppedUp(context, session);
    const { passwordHash } = person;
    if (passwordHash !== null) {
      await countTry(context, origin, person.email);
      if (!(await context.passwords.isRight(body.current ?? '', passwordHash))) {
        await note(database, http, person.id, 'set_password', { outcome: 'sign_in_failed' });
        throw signInFailed();
      }
    }
    requireStrength(body.password, [person.email, person.name]);
    const hash = await context.passwords.hash(body.password);
    await database.inTransaction(async (unit) => {
      await changePassword(context, unit, { personId: person.id, hash, keep: session.id });
      await note(unit, http, person.id, 'set_password');
    });
    return await readProtection(context, session);
  });

  /** Also who must set one up before anything else, unless that was done since. */
  const requireMayEnrol = async (session: Session): Promise<Person> => {
    const person = await requirePerson(context, session.personId);
    if (session.step === 'done') requireSteppedUp(context, session);
    else if (session.step === 'second_factor' || (await isProtected(database, person)))
      throw unauthorized('Finish signing in with your second factor or passkey first.');
    return person;
  };

  serve('beginSecondFactor', 'on_the_way', async ({ session }) => {
    return await beginSecondFactor(context, await requireMayEnrol(session));
  });

  serve('confirmSecondFactor', 'on_the_way', async ({ http, origin, body, session }) => {
    const person = await requireMayEnrol(session);
    await countTry(context, origin, person.email);
    const { recoveryCodes, begun } = await database.inTransaction(async (unit) => {
      const codes = await confirmSecondFactor(context, unit, person, body.code);
      await endSessions(unit, person.id, { allBut: session.id }, clock.now());
      await note(unit, http, person.id, 'set_second_factor');
      if (session.step === 'done') return { recoveryCodes: codes, begun: null };
      return { recoveryCodes: codes, begun: await goOn(context, unit, session, origin) };
    });
    if (begun) letIn(http, begun);
    return { recoveryCodes };
  });

  serve('removeSecondFactor', 'signed_in', async ({ http, session }) => {
    requireSteppedUp(context, session);
    await database.inTransaction(async (unit) => {
      await removeSecondFactor(context, unit, session.personId);
      await note(unit, http, session.personId, 'remove_second_factor');
    });
    return await readProtection(context, session);
  });

  serve('endSessions', 'signed_in', async ({ http, body, session }) => {
    const which = body.id === null ? { allBut: session.id } : { id: body.id };
    await database.inTransaction(async (unit) => {
      await endSessions(unit, session.personId, which, clock.now());
      await note(unit, http, session.personId, 'end_sessions', {
        subject: body.id === null ? 'others' : String(body.id),
      });
    });
    return await readProtection(context, session);
  });

  return routes;
}
