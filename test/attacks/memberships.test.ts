import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import fc from 'fast-check';
import { allScopes, type TokenScope } from '../../src/shared/scopes.ts';
import { type UserRole, scopesOfRole } from '../../src/shared/roles.ts';
import { resetAccount } from '../../src/auth/reset-account.ts';
import { Problem } from '../../src/api/problem-error.ts';
import { systemRandom } from '../../src/system/random.ts';
import { Attempts, openUnlimitedFixture } from '../support/attacks.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { type Browser, makeUser, openBrowser, PASSWORD } from '../support/users.ts';
import type { FixtureResponse, Fixture } from '../support/fixture.ts';

/** The participants: owners of two merchants, a manager, and two users without a merchant. */
const everybody = ['ann', 'joe', 'bob', 'manager', 'eve', 'kim'] as const;
type Name = (typeof everybody)[number];
type Place = 0 | 1;
type MerchantRole = Exclude<UserRole, 'manager'>;

type Step =
  | { do: 'invite'; by: Name; place: Place; name: Name; role: MerchantRole }
  | { do: 'join'; by: Name; which: number }
  | { do: 'accept'; by: Name; which: number }
  | { do: 'set role'; by: Name; place: Place; name: Name; role: MerchantRole }
  | { do: 'remove'; by: Name; place: Place; name: Name }
  | { do: 'make token'; by: Name; place: Place }
  | { do: 'use token'; which: number; name: Name; role: MerchantRole }
  | { do: 'reset'; name: Name }
  | { do: 'sign in'; name: Name; which: number };

const name = fc.constantFrom(...everybody);
const inviting = fc.oneof({ weight: 3, arbitrary: fc.constantFrom<Name>('ann', 'joe', 'bob', 'manager') }, name);
const place = fc.constantFrom<Place>(0, 0, 1);
const role = fc.constantFrom<MerchantRole>('owner', 'operator', 'viewer');
/** Counted from the newest. */
const which = fc.oneof({ weight: 2, arbitrary: fc.constant(0) }, fc.nat(8));
const kind = <Kind extends Step['do']>(what: Kind) => fc.constant(what);

const step: fc.Arbitrary<Step> = fc.oneof(
  { weight: 5, arbitrary: fc.record({ do: kind('invite'), by: inviting, place, name, role }) },
  { weight: 4, arbitrary: fc.record({ do: kind('join'), by: name, which }) },
  { weight: 3, arbitrary: fc.record({ do: kind('accept'), by: name, which }) },
  { weight: 2, arbitrary: fc.record({ do: kind('set role'), by: inviting, place, name: inviting, role }) },
  { weight: 2, arbitrary: fc.record({ do: kind('remove'), by: inviting, place, name: inviting }) },
  { weight: 2, arbitrary: fc.record({ do: kind('make token'), by: inviting, place }) },
  { weight: 2, arbitrary: fc.record({ do: kind('use token'), which, name, role }) },
  { weight: 2, arbitrary: fc.record({ do: kind('reset'), name }) },
  { weight: 1, arbitrary: fc.record({ do: kind('sign in'), name, which }) },
);

const examples: Step[][] = [
  [
    { do: 'invite', by: 'ann', place: 0, name: 'bob', role: 'owner' },
    { do: 'accept', by: 'bob', which: 0 },
    { do: 'invite', by: 'bob', place: 0, name: 'eve', role: 'operator' },
    { do: 'make token', by: 'bob', place: 0 },
    { do: 'set role', by: 'ann', place: 0, name: 'bob', role: 'viewer' },
    { do: 'use token', which: 0, name: 'kim', role: 'viewer' },
    { do: 'join', by: 'eve', which: 0 },
    { do: 'remove', by: 'joe', place: 0, name: 'ann' },
  ],
];
const FIXED = { seed: 1, runs: 4, examples };

interface Account {
  /** Null after a reset. */
  password: string | null;
  isManager: boolean;
  browser: Browser;
  isSignedIn: boolean;
}

interface Invited {
  secret: string;
  place: Place | null;
  name: Name;
  role: UserRole;
  /** Null for the command line. */
  by: Name | null;
  isReset: boolean;
  isOpen: boolean;
}

interface Token {
  secret: string;
  place: Place;
  by: Name;
  isOver: boolean;
}

/** Scopes of each token created by `make token`. */
const tokenScopes: readonly TokenScope[] = ['transaction:read', 'team:manage'];

let played = 0;

/** The model: it runs the same steps as the service, and both are compared after each. */
class Play {
  readonly #fixture: Fixture;
  readonly #attempts: Attempts;
  readonly #run = (played += 1);
  readonly #merchants: number[] = [];
  readonly #accounts = new Map<Name, Account>();
  readonly #ids = new Map<Name, number>();
  readonly #roles: [Map<Name, MerchantRole>, Map<Name, MerchantRole>] = [new Map(), new Map()];
  readonly #invitations: Invited[] = [];
  readonly #tokens: Token[] = [];
  readonly #passwords: string[] = [PASSWORD];

  constructor(fixture: Fixture, attempts: Attempts) {
    this.#fixture = fixture;
    this.#attempts = attempts;
  }

  async begin(): Promise<void> {
    for (const each of ['Kettle', 'Teapot'])
      this.#merchants.push((await this.#fixture.makeMerchant(`${each} ${this.#run}`)).id);
    await this.#makeOwner('ann', 0);
    await this.#makeOwner('bob', 1);
    await this.#makeOwner('joe', 0);
    await this.#make('manager', 'manager', 0);
  }

  async #makeOwner(person: Name, where: Place): Promise<void> {
    await this.#make(person, 'owner', where);
    this.#roles[where].set(person, 'owner');
  }

  async #make(person: Name, as: 'owner' | 'manager', where: Place): Promise<void> {
    const merchant = this.#merchant(where);
    const { id } = await makeUser(this.#fixture, as, { merchant, email: this.#email(person) });
    this.#ids.set(person, id);
    const account = { password: PASSWORD, isManager: as === 'manager', browser: openBrowser(this.#fixture) };
    this.#accounts.set(person, { ...account, isSignedIn: false });
    await this.#signIn(person, PASSWORD);
  }

  #merchant(where: Place): number {
    return this.#merchants[where] ?? 0;
  }

  #email(person: Name): string {
    return `${person}-${this.#run}@people.example`;
  }

  #role(person: Name, where: Place): UserRole | null {
    return this.#accounts.get(person)?.isManager === true ? 'manager' : (this.#roles[where].get(person) ?? null);
  }

  #owners(where: Place): number {
    return [...this.#roles[where].values()].filter((each) => each === 'owner').length;
  }

  /** Revokes a user's tokens and invitations when their role changes or ends. */
  #endBeyond(person: Name, where: Place): void {
    const held = this.#role(person, where);
    const scopes = allScopes(held === null ? [] : scopesOfRole[held]);
    if (tokenScopes.every((scope) => scopes.has(scope))) return;
    for (const each of this.#tokens) if (each.by === person && each.place === where) each.isOver = true;
    for (const each of this.#invitations) if (each.by === person && each.place === where) each.isOpen = false;
  }

  /** Null if the change would leave no owner. */
  #changeRole(person: Name, where: Place, to: MerchantRole | null): 'last_owner' | null {
    const isOwner = this.#roles[where].get(person) === 'owner';
    if (isOwner && to !== 'owner' && this.#owners(where) === 1) return 'last_owner';
    if (to === null) this.#roles[where].delete(person);
    else this.#roles[where].set(person, to);
    this.#endBeyond(person, where);
    return null;
  }

  #expect(response: FixtureResponse, refusal: string | null, what: Step): void {
    const said = response.status === 200 ? null : String(response.body?.code ?? response.status);
    this.#attempts.add(said === refusal, () => `${JSON.stringify(what)}: ${response.text}, not ${refusal}`);
  }

  /** The reason that a user may not manage a merchant's team; null if they may. */
  #teamRefusal(by: Name, where: Place): string | null {
    const account = this.#accounts.get(by);
    if (account?.isSignedIn !== true) return 'unauthorized';
    const held = this.#role(by, where);
    if (held === null) return 'not_found';
    return held === 'owner' || held === 'manager' ? null : 'forbidden';
  }

  async #sendRequest(by: Name, where: Place, path: string, body: unknown): Promise<FixtureResponse> {
    const browser = this.#accounts.get(by)?.browser ?? openBrowser(this.#fixture);
    return await browser.request(path, { merchant: this.#merchant(where), body });
  }

  async #signIn(person: Name, password: string): Promise<boolean> {
    const account = this.#accounts.get(person);
    const browser = openBrowser(this.#fixture);
    const body = { email: this.#email(person), password };
    const { status } = await browser.request('/account/sign-in/password', { body });
    const isRight = account?.password === password;
    this.#attempts.add(isRight === (status === 200), () => `${person} signs in: ${status}, right: ${isRight}`);
    if (account && isRight) Object.assign(account, { browser, isSignedIn: true });
    return isRight;
  }

  #newest<Each>(all: readonly Each[], index: number): Each | undefined {
    return all.length === 0 ? undefined : all[all.length - 1 - (index % all.length)];
  }

  #invited(made: FixtureResponse, invited: Omit<Invited, 'secret' | 'isReset' | 'isOpen'>): void {
    for (const each of this.#invitations)
      if (each.place === invited.place && each.name === invited.name && !each.isReset) each.isOpen = false;
    const secret = new URL(made.body.link).hash.slice(1);
    this.#invitations.push({ ...invited, secret, isReset: false, isOpen: true });
  }

  /** Returns whether the step was accepted. */
  async play(what: Step): Promise<boolean> {
    const isAccepted = await this.#do(what);
    const rows = await db(this.#fixture.service().database)
      .selectFrom('memberships')
      .innerJoin('people', 'people.id', 'memberships.person_id')
      .select(['memberships.merchant_id', 'people.email', 'memberships.role'])
      .where('memberships.merchant_id', 'in', this.#merchants)
      .execute();
    const found = rows.map((row) => `${row.merchant_id} ${row.email} ${row.role}`).sort();
    const right = ([0, 1] as const)
      .flatMap((where) =>
        [...this.#roles[where]].map(([person, held]) => `${this.#merchant(where)} ${this.#email(person)} ${held}`),
      )
      .sort();
    this.#attempts.addUnchanged(1, found, right, JSON.stringify(what));
    for (const where of [0, 1] as const) assert.ok(this.#owners(where) > 0, 'a merchant without an owner');
    return isAccepted;
  }

  async #do(what: Step): Promise<boolean> {
    switch (what.do) {
      case 'invite': {
        const { by, place: where, name: person, role: to } = what;
        const made = await this.#sendRequest(by, where, '/v1/people/invite', { email: this.#email(person), role: to });
        const refusal = this.#teamRefusal(by, where);
        this.#expect(made, refusal, what);
        if (refusal === null) this.#invited(made, { place: where, name: person, role: to, by });
        return refusal === null;
      }
      case 'join':
        return await this.#join(what);
      case 'accept': {
        const invitation = this.#newest(this.#invitations, what.which);
        if (!invitation) return false;
        const account = this.#accounts.get(what.by);
        const browser = account?.browser ?? openBrowser(this.#fixture);
        const response = await browser.request('/account/invitation/accept', {
          body: { invitation: invitation.secret },
        });
        const refusal =
          account?.isSignedIn !== true
            ? 'unauthorized'
            : !invitation.isOpen
              ? 'invitation_invalid'
              : invitation.name !== what.by
                ? 'forbidden'
                : this.#take(invitation);
        this.#expect(response, refusal, what);
        return refusal === null;
      }
      case 'set role':
      case 'remove': {
        const { by, place: where, name: person } = what;
        const to = what.do === 'remove' ? null : what.role;
        // An unknown id, for participants without an account.
        const id = this.#ids.get(person) ?? 999_999_999;
        const response = await this.#sendRequest(by, where, to === null ? '/v1/people/remove' : '/v1/people/role', {
          ...{ id },
          ...(to !== null && { role: to }),
        });
        const refusal =
          this.#teamRefusal(by, where) ??
          (this.#roles[where].has(person) ? this.#changeRole(person, where, to) : 'not_found');
        this.#expect(response, refusal, what);
        return refusal === null;
      }
      case 'make token': {
        const { by, place: where } = what;
        const response = await this.#sendRequest(by, where, '/v1/tokens', { name: 'Script', scopes: tokenScopes });
        const refusal = this.#teamRefusal(by, where);
        this.#expect(response, refusal, what);
        if (refusal === null)
          this.#tokens.push({ secret: response.body.access_token, place: where, by, isOver: false });
        return refusal === null;
      }
      case 'use token':
        return await this.#useToken(what);
      case 'reset':
        return await this.#reset(what);
      case 'sign in':
        return await this.#signIn(what.name, this.#newest(this.#passwords, what.which) ?? PASSWORD);
    }
  }

  /** The holder of a link tries to take over the account of its email address. */
  async #join(what: Extract<Step, { do: 'join' }>): Promise<boolean> {
    const invitation = this.#newest(this.#invitations, what.which);
    if (!invitation) return false;
    const { secret, name: person, isReset } = invitation;
    const known = this.#accounts.get(person);
    const read = await openBrowser(this.#fixture).request('/account/invitation', { body: { invitation: secret } });
    // The response must not reveal whether an account exists, or its state.
    if (invitation.isOpen && !isReset)
      this.#attempts.addUnchanged(
        1,
        read.body,
        {
          ...{ email: this.#email(person), role: invitation.role, isReset: false },
          merchantName: `${invitation.place === 0 ? 'Kettle' : 'Teapot'} ${this.#run}`,
        },
        'an invitation tells more',
      );
    const password = `three teapots on tray ${this.#run} ${this.#passwords.length}`;
    const browser = openBrowser(this.#fixture);
    const response = await browser.request('/account/invitation/password', {
      body: { invitation: secret, name: 'Somebody', password },
    });
    const refusal = !invitation.isOpen ? 'invitation_invalid' : known && !isReset ? 'account_exists' : null;
    this.#expect(response, refusal, what);
    this.#passwords.push(password);
    if (refusal !== null) return false;
    this.#accounts.set(person, { password, isManager: known?.isManager ?? false, browser, isSignedIn: true });
    const { body: account } = await browser.request('/account/session');
    this.#ids.set(person, Number(account.person.id));
    this.#take(invitation);
    return true;
  }

  #take(invitation: Invited): 'last_owner' | null {
    const { place: where, name: person, role: to, isReset } = invitation;
    if (!isReset && where !== null && to !== 'manager') {
      const refusal = this.#changeRole(person, where, to);
      if (refusal) return refusal;
    }
    invitation.isOpen = false;
    return null;
  }

  async #useToken(what: Extract<Step, { do: 'use token' }>): Promise<boolean> {
    const token = this.#newest(this.#tokens, what.which);
    if (!token) return false;
    const { secret, place: where, by, isOver } = token;
    const made = await this.#fixture.request('/v1/people/invite', {
      token: secret,
      body: { email: this.#email(what.name), role: what.role },
    });
    // It has fewer rights than any role and allows no access.
    this.#expect(made, isOver ? 'unauthorized' : 'forbidden', what);
    const read = await this.#fixture.request('/v1/transactions', { token: secret });
    this.#attempts.add(
      read.status === (isOver ? 401 : 200),
      () => `a token of ${by} at ${where}, over: ${isOver}: ${read.text}`,
    );
    return true;
  }

  async #reset(what: Extract<Step, { do: 'reset' }>): Promise<boolean> {
    const { name: person } = what;
    const { clock } = this.#fixture;
    const { database } = this.#fixture.service();
    const account = this.#accounts.get(person);
    const isUser = account?.isManager === true || this.#roles.some((roles) => roles.has(person));
    const made = await database
      .inTransaction(
        async (unit) => await resetAccount(unit, { email: this.#email(person), clock, random: systemRandom }),
      )
      .catch((error: unknown) => {
        if (error instanceof Problem) return null;
        throw error;
      });
    this.#attempts.add((made !== null) === isUser, () => `reset of ${person}, a user: ${isUser}`);
    if (!made || !account) return false;
    for (const each of this.#invitations) if (each.name === person) each.isOpen = false;
    Object.assign(account, { password: null, isSignedIn: false });
    const invited = { place: null, name: person, role: 'manager' as const, by: null };
    this.#invitations.push({ ...invited, secret: made.secret, isReset: true, isOpen: true });
    return true;
  }

  /** Checks that exactly the expected sessions, tokens and links work. */
  async end(): Promise<void> {
    for (const person of everybody) {
      const session = await this.#accounts.get(person)?.browser.request('/account/session');
      const isIn = this.#accounts.get(person)?.isSignedIn === true;
      this.#attempts.add((session?.status === 200) === isIn, () => `the session of ${person}: ${session?.text}`);
      for (const password of this.#passwords.slice(-4)) await this.#signIn(person, password);
    }
  }
}

describe('invitations, roles and resets', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openUnlimitedFixture();
  });
  after(async () => await fixture.close());

  test('grant no more than an owner granted, in any order', async (context) => {
    const attempts = new Attempts('random sequences of invitations, joins, roles, removals, tokens and resets');
    const sequences = fc.array(step, { minLength: 15, maxLength: 40 });
    const play = async (steps: Step[], tally: StepCounts) => {
      const team = new Play(fixture, attempts);
      await team.begin();
      for (const each of steps) tally.count(each.do, await team.play(each));
      await team.end();
      attempts.check();
    };
    await runSequences(context, { sequences, fixed: FIXED, steps: step, kindOf: (each) => each.do, play });
    attempts.report(context);
  });
});
