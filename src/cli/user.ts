import { listMerchantIds, listMerchantIdsByCreator } from '../auth/users.ts';
import { type Command, InvalidArgumentError, Option } from 'commander';
import { type UserRole, userRoles } from '../shared/roles.ts';
import { emailAddress } from '../api/people.ts';
import { formatInstant } from '../shared/time.ts';
import { invitationLink, createInvitation, listInvitations, revokeInvitation } from '../auth/invitations.ts';
import { createPasswords } from '../auth/passwords.ts';
import {
  revokeBeyondRole,
  findUserByEmail,
  assignRole,
  listManagers,
  listMembers,
  createUser,
  removeMember,
  findRole,
  updateUser,
} from '../auth/users.ts';
import { resetAccount } from '../auth/reset-account.ts';
import { endSessions } from '../auth/sessions.ts';
import { OperatorError } from '../system/operator-error.ts';
import { Problem } from '../api/problem-error.ts';
import { systemRandom } from '../system/random.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName, parseIdOption } from './options.ts';
import { outputOption, type Output, print, printList } from './output.ts';
import { type CommandContext, requireMerchant, withDatabase } from './with-database.ts';

interface CreateUserOptions {
  merchant?: number;
  email: string;
  role: UserRole;
  name?: string;
  password?: string;
}

export function registerUserCommands(program: Command): void {
  const user = program.command('user').description('users of the account area');

  user
    .command('create')
    .description('invite a user: prints a one-time link to send to them')
    .addHelpText(
      'after',
      examples(
        'npx paylatch user create --merchant 1 --email ada@shop.example --role owner',
        'npx paylatch user create --email staff@pay.example --role manager',
      ),
    )
    .option('--merchant <id>', 'the merchant’s ID; omit it for a manager', parseIdOption)
    .requiredOption('--email <address>', 'the user’s email address', parseEmail)
    .addOption(new Option('--role <role>', 'the user’s role').choices([...userRoles]).makeOptionMandatory())
    .addOption(
      new Option('--name <name>', 'the user’s name; by default the local part of the email address').argParser(
        parseDisplayName(100),
      ),
    )
    .option('--password <password>', 'sandbox only: create the user with this password instead of an invitation')
    .addOption(outputOption())
    .action(async ({ output, ...created }: CreateUserOptions & { output: Output }) => {
      const { merchant, email, role } = created;
      await withDatabase(async (context) => {
        if (merchant !== undefined) await requireMerchant(context.database, merchant);
        else if (role !== 'manager') throw new OperatorError('Set --merchant; only the role manager works without it.');
        const merchantField = role === 'manager' ? {} : { merchant_id: merchant };
        if (created.password === undefined) {
          const { link, expiresAt } = await inviteUser(context, created);
          print({ email, role, ...merchantField, invitation: link, expires_at: expiresAt }, output);
          return;
        }
        const id = await createUserWithPassword(context, { ...created, password: created.password });
        print({ id, email, role, ...merchantField, sign_in: `${context.config.publicUrl}/account` }, output);
      });
    });

  user
    .command('list')
    .description('list the users of a merchant, or the managers of the service, and pending invitations')
    .addHelpText('after', examples('npx paylatch user list --merchant 1', 'npx paylatch user list'))
    .option('--merchant <id>', 'the merchant’s ID; without it, managers are listed', parseIdOption)
    .addOption(outputOption())
    .action(async ({ merchant, output }: { merchant?: number; output: Output }) => {
      await withDatabase(async ({ database, clock }) => {
        if (merchant !== undefined) await requireMerchant(database, merchant);
        const found = merchant === undefined ? await listManagers(database) : await listMembers(database, merchant);
        const users = found.map(({ id, email, name, role, last_seen_at: seen }) => ({
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
        await printList('users', [...users, ...invited], {
          output,
          columns: {
            id: ({ id }) => id,
            email: ({ email }) => email,
            name: ({ name }) => name || null,
            role: ({ role }) => role,
            'last seen': ({ id, last_seen_at: at }) => (id === null ? null : (at ?? 'never')),
            'invited until': ({ invited_until: until }) => until,
          },
        });
      });
    });

  user
    .command('remove')
    .description('remove a user from a merchant, or a manager from the service; revokes their invitation too')
    .addHelpText(
      'after',
      examples(
        'npx paylatch user remove --merchant 1 --email ada@shop.example',
        'npx paylatch user remove --email staff@pay.example',
      ),
    )
    .option('--merchant <id>', 'the merchant’s ID; without it, a manager is removed', parseIdOption)
    .requiredOption('--email <address>', 'the user’s email address', parseEmail)
    .addOption(outputOption())
    .action(async ({ merchant, email, output }: { merchant?: number; email: string; output: Output }) => {
      await withDatabase(async (context) => {
        if (merchant !== undefined) await requireMerchant(context.database, merchant);
        await removeUser(context, merchant ?? null, email);
        print({ email, ...(merchant !== undefined && { merchant_id: merchant }), removed: true }, output);
      });
    });

  user
    .command('reset')
    .description(
      'restore access: removes password, passkeys, second factor and sessions, and prints a link to set new ones',
    )
    .addHelpText('after', examples('npx paylatch user reset --email ada@shop.example'))
    .requiredOption('--email <address>', 'the user’s email address', parseEmail)
    .addOption(outputOption())
    .action(async ({ email, output }: { email: string; output: Output }) => {
      await withDatabase(async (context) => {
        const { link, expiresAt } = await resetUser(context, email);
        print({ email, invitation: link, expires_at: expiresAt }, output);
      });
    });
}

async function inviteUser({ config, database, clock }: CommandContext, { merchant, email, role }: CreateUserOptions) {
  const merchantId = role === 'manager' ? null : (merchant ?? null);
  const invitation = await database.inTransaction(async (unit) => {
    await recordChange(unit, clock, { merchantId, action: 'invitePerson', subject: email, after: { role } });
    return await createInvitation(unit, {
      ...{ merchantId, email, role, clock, random: systemRandom },
      invitedBy: 'the command line',
    });
  });
  return { link: invitationLink(config.publicUrl, invitation.secret), expiresAt: formatInstant(invitation.expiresAt) };
}

/** For the sandbox: in production only the user knows their password. */
async function createUserWithPassword(
  { config, database, clock }: CommandContext,
  { merchant, email, role, name, password }: CreateUserOptions & { password: string },
): Promise<number> {
  if (config.environment !== 'sandbox')
    throw new OperatorError('--password works only in the sandbox. Without it, an invitation is created.');
  const passwordHash = await createPasswords(systemRandom).hash(password);
  const now = clock.now();
  return await database.inTransaction(async (unit) => {
    const known = await findUserByEmail(unit, email);
    const id = known?.id ?? (await createUser(unit, { email, name: name ?? defaultName(email), now }));
    await updateUser(unit, id, { passwordHash, ...(name !== undefined && { name }) }, now);
    const merchantId = merchant ?? null;
    await assignRole(unit, id, { merchantId, role }, now);
    await recordChange(unit, clock, { merchantId, action: 'addPerson', subject: email, after: { role } });
    return id;
  });
}

/** Removes a user's role and pending invitations. */
async function removeUser(
  { database, clock }: CommandContext,
  merchantId: number | null,
  email: string,
): Promise<void> {
  const now = clock.now();
  await database.inTransaction(async (unit) => {
    const invited = (await listInvitations(unit, merchantId, now)).filter((each) => each.email === email);
    for (const { id } of invited) await revokeInvitation(unit, merchantId, id, now);
    const user = await findUserByEmail(unit, email);
    const hasRole =
      user !== null &&
      (merchantId === null
        ? user.isManager
        : (await findRole(unit, { id: user.id, isManager: false }, merchantId)) !== null);
    if (!hasRole && invited.length === 0)
      throw new Problem('not_found', `No user or invitation has the email address ${email}.`);
    await recordChange(unit, clock, { merchantId, action: 'removePerson', subject: email });
    if (!user || !hasRole) return;
    if (merchantId !== null) return await removeMember(unit, merchantId, user.id, now);
    await updateUser(unit, user.id, { isManager: false }, now);
    await endSessions(unit, user.id, { allBut: null }, now);
    for (const each of await listMerchantIdsByCreator(unit, user.id)) await revokeBeyondRole(unit, each, user.id, now);
  });
}

async function resetUser({ config, database, clock }: CommandContext, email: string) {
  const issued = await database.inTransaction(async (unit) => {
    const invitation = await resetAccount(unit, { email, clock, random: systemRandom });
    const user = await findUserByEmail(unit, email);
    const merchants = [...(user?.isManager ? [null] : []), ...(await listMerchantIds(unit, user?.id ?? 0))];
    for (const merchantId of merchants)
      await recordChange(unit, clock, { merchantId, action: 'resetPerson', subject: email });
    return invitation;
  });
  return { link: invitationLink(config.publicUrl, issued.secret), expiresAt: formatInstant(issued.expiresAt) };
}

function parseEmail(input: string): string {
  const result = emailAddress.safeParse(input);
  if (!result.success) throw new InvalidArgumentError('It must be an email address.');
  return result.data;
}

function defaultName(email: string): string {
  return email.slice(0, email.indexOf('@'));
}
