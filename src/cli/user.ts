import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PersonRole, personRoles } from '../contract/person.ts';
import { emailAddress } from '../contract/people.ts';
import { formatInstant } from '../contract/time.ts';
import { invitationLink, invite, listInvitations } from '../people/invitations.ts';
import { createPasswords } from '../people/passwords.ts';
import { findPersonByEmail, giveRole, listPeople, makePerson, updatePerson } from '../people/people.ts';
import { endSessions } from '../people/sessions.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { Problem } from '../platform/problem.ts';
import { systemRandom } from '../platform/random.ts';
import { examples } from './examples.ts';
import { line, wholeNumber } from './options.ts';
import { print, printList } from './output.ts';
import { type CommandContext, requireMerchant, withDatabase } from './with-database.ts';

interface Created {
  merchant?: number;
  email: string;
  role: PersonRole;
  name?: string;
  password?: string;
  json?: boolean;
}

export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('people who sign in to the account area');

  user
    .command('create')
    .description('invite somebody by a link that you send them; it is shown this once')
    .addHelpText(
      'after',
      examples(
        'npx paylatch user create --merchant 1 --email ada@shop.example --role owner',
        'npx paylatch user create --email staff@pay.example --role manager',
      ),
    )
    .option('--merchant <id>', 'the merchant’s ID; of all merchants for a manager', wholeNumber)
    .requiredOption('--email <address>', 'with what they sign in', readEmail)
    .addOption(new Option('--role <role>', 'what they may do').choices([...personRoles]).makeOptionMandatory())
    .addOption(
      new Option('--name <name>', 'what they are called; the beginning of the address unless given').argParser(
        line(100),
      ),
    )
    .option('--password <password>', 'in the sandbox: no invitation, they can sign in with it at once')
    .option('--json', 'print JSON')
    .action(async ({ json, ...created }: Created) => {
      const { merchant, email, role } = created;
      await withDatabase(async (context) => {
        if (merchant !== undefined) await requireMerchant(context.database, merchant);
        else if (role !== 'manager')
          throw new OperatorError('Name the merchant with --merchant; only a manager has none.');
        const whose = role === 'manager' ? {} : { merchant_id: merchant };
        if (created.password === undefined) {
          const { link, expiresAt } = await inviteBy(context, created);
          print({ email, role, ...whose, invitation: link, expires_at: expiresAt }, json);
          return;
        }
        const id = await makeAtOnce(context, { ...created, password: created.password });
        print({ id, email, role, ...whose, sign_in: `${context.config.publicUrl}/account` }, json);
      });
    });

  user
    .command('list')
    .description('list the people of a merchant, and who is invited')
    .addHelpText('after', examples('npx paylatch user list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .option('--json', 'print JSON')
    .action(async ({ merchant, json }: { merchant: number; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        await requireMerchant(database, merchant);
        const people = (await listPeople(database, merchant)).map(({ id, email, name, role, last_seen_at: seen }) => ({
          ...{ id, email, name, role },
          last_seen_at: seen === null ? null : formatInstant(seen),
          invited_until: null as string | null,
        }));
        const invited = (await listInvitations(database, merchant, clock.now())).map(
          ({ email, role, expires_at: at }) => ({
            ...{ id: null, email, name: '', role },
            last_seen_at: null,
            invited_until: formatInstant(at),
          }),
        );
        await printList('users', [...people, ...invited], {
          asJson: json,
          lineOf: (each) =>
            each.invited_until === null
              ? `${each.id}  ${each.role}  ${each.email}  ${each.name}  last seen ${each.last_seen_at ?? 'never'}`
              : `-  ${each.role}  ${each.email}  invited until ${each.invited_until}`,
        });
      });
    });

  user
    .command('reset')
    .description('for who has lost every way in: takes password, passkeys and second factor away, and invites anew')
    .addHelpText('after', examples('npx paylatch user reset --email ada@shop.example'))
    .requiredOption('--email <address>', 'with what they sign in', readEmail)
    .option('--json', 'print JSON')
    .action(async ({ email, json }: { email: string; json?: boolean }) => {
      await withDatabase(async (context) => {
        const { link, expiresAt } = await reset(context, email);
        print({ email, invitation: link, expires_at: expiresAt }, json);
      });
    });
}

async function inviteBy({ config, database, clock }: CommandContext, { merchant, email, role }: Created) {
  const made = await database.inUnit(
    async (unit) =>
      await invite(unit, {
        merchantId: role === 'manager' ? null : (merchant ?? null),
        ...{ email, role, clock, random: systemRandom },
        invitedBy: 'the command line',
      }),
  );
  return { link: invitationLink(config.publicUrl, made.secret), expiresAt: formatInstant(made.expiresAt) };
}

/** For trying things out: elsewhere nobody but the person knows their password. */
async function makeAtOnce(
  { config, database, clock }: CommandContext,
  { merchant, email, role, name, password }: Created & { password: string },
): Promise<number> {
  if (config.environment !== 'sandbox')
    throw new OperatorError('--password is for the sandbox only: without it an invitation is made.');
  const passwordHash = await createPasswords(systemRandom).hash(password);
  const now = clock.now();
  return await database.inUnit(async (unit) => {
    const known = await findPersonByEmail(unit, email);
    const id = known?.id ?? (await makePerson(unit, { email, name: name ?? nameFrom(email), now }));
    await updatePerson(unit, id, { passwordHash, ...(name !== undefined && { name }) }, now);
    await giveRole(unit, id, { merchantId: merchant ?? null, role }, now);
    return id;
  });
}

async function reset({ config, database, clock }: CommandContext, email: string) {
  const now = clock.now();
  const made = await database.inUnit(async (unit) => {
    const person = await findPersonByEmail(unit, email);
    if (!person) throw new Problem('not_found', `Nobody signs in as ${email}.`);
    await unit.query.deleteFrom('passkeys').where('person_id', '=', person.id).execute();
    await unit.query.deleteFrom('recovery_codes').where('person_id', '=', person.id).execute();
    await updatePerson(unit, person.id, { passwordHash: null, secondFactor: null, newSecondFactor: null }, now);
    await endSessions(unit, person.id, { allBut: null }, now);
    const membership = await unit.query
      .selectFrom('memberships')
      .select(['merchant_id', 'role'])
      .where('person_id', '=', person.id)
      .orderBy('id')
      .limit(1)
      .executeTakeFirst();
    if (!person.isManager && !membership) throw new Problem('not_found', `${email} has no part in any merchant.`);
    return await invite(unit, {
      merchantId: person.isManager ? null : (membership?.merchant_id ?? null),
      role: person.isManager ? 'manager' : (membership?.role ?? 'viewer'),
      ...{ email, clock, random: systemRandom },
      invitedBy: 'the command line',
    });
  });
  return { link: invitationLink(config.publicUrl, made.secret), expiresAt: formatInstant(made.expiresAt) };
}

function readEmail(given: string): string {
  const result = emailAddress.safeParse(given);
  if (!result.success) throw new InvalidArgumentError('It is no e-mail address.');
  return result.data;
}

function nameFrom(email: string): string {
  return email.slice(0, email.indexOf('@'));
}
