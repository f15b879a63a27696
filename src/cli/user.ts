import { merchantsOf, merchantsServedBy } from '../auth/users.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type PersonRole, personRoles } from '../shared/roles.ts';
import { emailAddress } from '../api/people.ts';
import { formatInstant } from '../shared/time.ts';
import { invitationLink, invite, listInvitations, takeBackInvitation } from '../auth/invitations.ts';
import { createPasswords } from '../auth/passwords.ts';
import {
  endBeyondRole,
  findPersonByEmail,
  giveRole,
  listManagers,
  listPeople,
  makePerson,
  removeMember,
  roleAt,
  updatePerson,
} from '../auth/users.ts';
import { resetAccount } from '../auth/reset-account.ts';
import { endSessions } from '../auth/sessions.ts';
import { OperatorError } from '../system/operator-error.ts';
import { Problem } from '../api/problem-error.ts';
import { systemRandom } from '../system/random.ts';
import { recordChange } from './audit.ts';
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
    .description('list the people of a merchant, or the managers of the service, and who is invited')
    .addHelpText('after', examples('npx paylatch user list --merchant 1', 'npx paylatch user list'))
    .option('--merchant <id>', 'the merchant’s ID; without it, managers are listed', wholeNumber)
    .option('--json', 'print JSON')
    .action(async ({ merchant, json }: { merchant?: number; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        if (merchant !== undefined) await requireMerchant(database, merchant);
        const found = merchant === undefined ? await listManagers(database) : await listPeople(database, merchant);
        const people = found.map(({ id, email, name, role, last_seen_at: seen }) => ({
          ...{ id, email, name, role },
          last_seen_at: seen === null ? null : formatInstant(seen),
          invited_until: null as string | null,
        }));
        const invited = (await listInvitations(database, merchant ?? null, clock.now())).map(
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
    .command('remove')
    .description('remove a person from a merchant, or a manager from the service; ends their invitation too')
    .addHelpText(
      'after',
      examples(
        'npx paylatch user remove --merchant 1 --email ada@shop.example',
        'npx paylatch user remove --email staff@pay.example',
      ),
    )
    .option('--merchant <id>', 'the merchant’s ID; without it, a manager is removed', wholeNumber)
    .requiredOption('--email <address>', 'with what they sign in', readEmail)
    .option('--json', 'print JSON')
    .action(async ({ merchant, email, json }: { merchant?: number; email: string; json?: boolean }) => {
      await withDatabase(async (context) => {
        if (merchant !== undefined) await requireMerchant(context.database, merchant);
        await remove(context, merchant ?? null, email);
        print({ email, ...(merchant !== undefined && { merchant_id: merchant }), removed: true }, json);
      });
    });

  user
    .command('reset')
    .description(
      'restore access: ends password, passkeys, second factor and sessions, and prints a link to set new ones',
    )
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
  const merchantId = role === 'manager' ? null : (merchant ?? null);
  const made = await database.inTransaction(async (unit) => {
    await recordChange(unit, clock, { merchantId, action: 'invitePerson', subject: email, after: { role } });
    return await invite(unit, {
      ...{ merchantId, email, role, clock, random: systemRandom },
      invitedBy: 'the command line',
    });
  });
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
  return await database.inTransaction(async (unit) => {
    const known = await findPersonByEmail(unit, email);
    const id = known?.id ?? (await makePerson(unit, { email, name: name ?? nameFrom(email), now }));
    await updatePerson(unit, id, { passwordHash, ...(name !== undefined && { name }) }, now);
    const merchantId = merchant ?? null;
    await giveRole(unit, id, { merchantId, role }, now);
    await recordChange(unit, clock, { merchantId, action: 'addPerson', subject: email, after: { role } });
    return id;
  });
}

/** Ends what the person is there, and an invitation to it. */
async function remove({ database, clock }: CommandContext, merchantId: number | null, email: string): Promise<void> {
  const now = clock.now();
  await database.inTransaction(async (unit) => {
    const invited = (await listInvitations(unit, merchantId, now)).filter((each) => each.email === email);
    for (const { id } of invited) await takeBackInvitation(unit, merchantId, id, now);
    const person = await findPersonByEmail(unit, email);
    const isThere =
      person !== null &&
      (merchantId === null
        ? person.isManager
        : (await roleAt(unit, { id: person.id, isManager: false }, merchantId)) !== null);
    if (!isThere && invited.length === 0) throw new Problem('not_found', `There is nobody called ${email} to remove.`);
    await recordChange(unit, clock, { merchantId, action: 'removePerson', subject: email });
    if (!person || !isThere) return;
    if (merchantId !== null) return await removeMember(unit, merchantId, person.id, now);
    await updatePerson(unit, person.id, { isManager: false }, now);
    await endSessions(unit, person.id, { allBut: null }, now);
    for (const each of await merchantsServedBy(unit, person.id)) await endBeyondRole(unit, each, person.id, now);
  });
}

async function reset({ config, database, clock }: CommandContext, email: string) {
  const made = await database.inTransaction(async (unit) => {
    const invitation = await resetAccount(unit, { email, clock, random: systemRandom });
    const person = await findPersonByEmail(unit, email);
    const merchants = [...(person?.isManager ? [null] : []), ...(await merchantsOf(unit, person?.id ?? 0))];
    for (const merchantId of merchants)
      await recordChange(unit, clock, { merchantId, action: 'resetPerson', subject: email });
    return invitation;
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
