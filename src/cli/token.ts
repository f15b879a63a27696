import { type Command, InvalidArgumentError, Option } from 'commander';
import { type TokenRole, tokenRoles, type TokenScope, tokenScopes, usualScopes } from '../shared/scopes.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import { createClient, listClients, revokeClient } from '../auth/oauth-clients.ts';
import { issueToken, listTokens, revokeToken } from '../auth/tokens.ts';
import { Problem } from '../api/problem-error.ts';
import { systemRandom } from '../system/random.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { line, wholeNumber } from './options.ts';
import { print, printList } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface Rights {
  merchant: number;
  role: TokenRole;
  scopes: TokenScope[];
  name: string;
  json?: boolean;
}

export function registerTokenCommands(program: Command): void {
  const token = program.command('token').description('access tokens, which live until they are revoked');

  const createCommand = token.command('create').description('make an access token; it is shown this once');
  withRights(
    createCommand,
    'npx paylatch token create --merchant 1 --scopes link:write,transaction:read --name "Till 7"',
  ).action(async ({ merchant, role, scopes, name, json }: Rights) => {
    await withDatabase(async ({ config: { environment }, database, clock }) => {
      await requireMerchant(database, merchant);
      const options = { environment, random: systemRandom, clock, merchantId: merchant, role, scopes, name };
      const made = await database.inTransaction(async (unit) => {
        const { row, token } = await issueToken(unit, options);
        const after = { name, role, scopes: row.scopes };
        const subject = `token ${row.id}`;
        await recordChange(unit, clock, { merchantId: merchant, action: 'createAccessToken', subject, after });
        return token;
      });
      print({ access_token: made, merchant_id: merchant, role, environment, scopes: scopes.join(' ') }, json);
    });
  });

  token
    .command('list')
    .description('list the tokens of a merchant that can be used, newest first')
    .addHelpText('after', examples('npx paylatch token list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .option('--json', 'print JSON')
    .action(async ({ merchant, json }: { merchant: number; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        await requireMerchant(database, merchant);
        const tokens = (await listTokens(database, merchant, clock.now())).map(
          ({ id, name, role, scopes, ...row }) => ({
            id,
            name,
            role,
            scopes,
            created_at: time(row.created_at),
            last_used_at: time(row.last_used_at),
            expires_at: time(row.expires_at),
          }),
        );
        await printList('tokens', tokens, {
          asJson: json,
          lineOf: ({ id, role, name, last_used_at: used, scopes }) =>
            `${id}  ${role}  ${name || '-'}  last used ${used ?? 'never'}  ${scopes}`,
        });
      });
    });

  token
    .command('revoke')
    .description('end an access token at once')
    .addHelpText('after', examples('npx paylatch token revoke --merchant 1 --id 7'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .requiredOption('--id <id>', 'the token’s ID, as the list shows it', wholeNumber)
    .option('--json', 'print JSON')
    .action(async ({ merchant, id, json }: { merchant: number; id: number; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        await database.inTransaction(async (unit) => {
          const isDone = await revokeToken(unit, merchant, id, clock.now());
          if (!isDone) throw new Problem('not_found', `Merchant ${merchant} has no token ${id} that could be used.`);
          const change = { merchantId: merchant, action: 'revokeAccessToken', subject: `token ${id}` };
          await recordChange(unit, clock, change);
        });
        print({ revoked: id }, json);
      });
    });

  const client = program
    .command('client')
    .description('programs that get tokens by POST /oauth/token, for an hour each');

  const createClientCommand = client.command('create').description('make a client; its secret is shown this once');
  withRights(
    createClientCommand,
    'npx paylatch client create --merchant 1 --scopes transaction:read --name "Books"',
  ).action(async ({ merchant, role, scopes, name, json }: Rights) => {
    await withDatabase(async ({ database, clock }) => {
      await requireMerchant(database, merchant);
      const options = { merchantId: merchant, role, scopes, name, random: systemRandom, now: clock.now() };
      const made = await database.inTransaction(async (unit) => {
        const created = await createClient(unit, options);
        const after = { name, role, scopes: scopes.join(' ') };
        const subject = created.clientId;
        await recordChange(unit, clock, { merchantId: merchant, action: 'createClient', subject, after });
        return created;
      });
      const { clientId, clientSecret } = made;
      print(
        { client_id: clientId, client_secret: clientSecret, merchant_id: merchant, role, scopes: scopes.join(' ') },
        json,
      );
    });
  });

  client
    .command('list')
    .description('list the clients of a merchant, newest first')
    .addHelpText('after', examples('npx paylatch client list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .option('--json', 'print JSON')
    .action(async ({ merchant, json }: { merchant: number; json?: boolean }) => {
      await withDatabase(async ({ database }) => {
        await requireMerchant(database, merchant);
        const clients = (await listClients(database, merchant)).map(
          ({ client_id, name, role, scopes, created_at }) => ({
            client_id,
            name,
            role,
            scopes,
            created_at: time(created_at),
          }),
        );
        await printList('clients', clients, {
          asJson: json,
          lineOf: ({ client_id: id, role, name, scopes }) => `${id}  ${role}  ${name || '-'}  ${scopes}`,
        });
      });
    });

  client
    .command('revoke')
    .description('end a client, and every token that it has got, at once')
    .addHelpText('after', examples('npx paylatch client revoke --merchant 1 --id client_…'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .requiredOption('--id <client_id>', 'the client_id')
    .option('--json', 'print JSON')
    .action(async ({ merchant, id, json }: { merchant: number; id: string; json?: boolean }) => {
      await withDatabase(async ({ database, clock }) => {
        await database.inTransaction(async (unit) => {
          const isDone = await revokeClient(unit, merchant, id, clock.now());
          if (!isDone) throw new Problem('not_found', `Merchant ${merchant} has no client ${id}.`);
          await recordChange(unit, clock, { merchantId: merchant, action: 'revokeClient', subject: id });
        });
        print({ revoked: id }, json);
      });
    });
}

function withRights(command: Command, example: string): Command {
  return command
    .addHelpText('after', examples(example))
    .requiredOption('--merchant <id>', 'the merchant’s ID', wholeNumber)
    .addOption(new Option('--role <role>', 'what it may set').choices([...tokenRoles]).default('merchant'))
    .addOption(
      new Option(
        '--scopes <scopes>',
        `what it may do, separated by commas, unless it is to be the usual: ${tokenScopes.join(', ')}`,
      )
        .argParser(readScopes)
        .default(usualScopes, 'all but withdrawal:write, callback:manage, token:manage and team:manage'),
    )
    .addOption(new Option('--name <name>', 'what you call it').argParser(line(60)).default('', 'none'))
    .option('--json', 'print JSON');
}

function readScopes(text: string): TokenScope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean) as TokenScope[];
  if (scopes.length === 0) throw new InvalidArgumentError('Name at least one.');
  const unknown = scopes.filter((scope) => !tokenScopes.includes(scope));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown: ${unknown.join(', ')}.`);
  return scopes;
}

function time(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
