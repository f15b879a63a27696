import { type Command, InvalidArgumentError, Option } from 'commander';
import {
  type TokenRole,
  tokenRoles,
  type TokenScope,
  tokenScopes,
  defaultScopes,
  optInScopes,
} from '../shared/scopes.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import { createOAuthClient, listOAuthClients, revokeOAuthClient } from '../auth/oauth-clients.ts';
import { issueToken, listTokens, revokeToken } from '../auth/tokens.ts';
import { Problem } from '../api/problem-error.ts';
import { formatId } from '../system/cell.ts';
import { withCellPrefix, systemRandom } from '../system/random.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName, parseIdOption } from './options.ts';
import { outputOption, type Output, print, printList } from './output.ts';
import { requireMerchant, withDatabase } from './with-database.ts';

interface CreateOptions {
  merchant: number;
  role: TokenRole;
  scopes: TokenScope[];
  name: string;
  output: Output;
}

export function registerTokenCommands(program: Command): void {
  const token = program.command('token').description('access tokens, which are valid until revoked');

  const createCommand = token.command('create').description('create an access token; it is shown only once');
  addCreateOptions(
    createCommand,
    'npx paylatch token create --merchant 1 --scopes link:write,transaction:read --name "Till 7"',
  ).action(async ({ merchant, role, scopes, name, output }: CreateOptions) => {
    await withDatabase(async ({ config: { environment, cell }, database, clock }) => {
      await requireMerchant(database, merchant);
      const options = {
        environment,
        random: withCellPrefix(systemRandom, cell),
        clock,
        merchantId: merchant,
        role,
        scopes,
        name,
      };
      const accessToken = await database.inTransaction(async (unit) => {
        const { row, token } = await issueToken(unit, options);
        const after = { name, role, scopes: row.scopes };
        const subject = `token ${row.id}`;
        await recordChange(unit, clock, { merchantId: merchant, action: 'createAccessToken', subject, after });
        return token;
      });
      print({ access_token: accessToken, merchant_id: merchant, role, environment, scopes: scopes.join(' ') }, output);
    });
  });

  token
    .command('list')
    .description('list a merchant’s valid tokens, newest first')
    .addHelpText('after', examples('npx paylatch token list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .addOption(outputOption())
    .action(async ({ merchant, output }: { merchant: number; output: Output }) => {
      await withDatabase(async ({ database, clock }) => {
        await requireMerchant(database, merchant);
        const tokens = (await listTokens(database, merchant, clock.now())).map(
          ({ id, name, role, scopes, ...row }) => ({
            id,
            name,
            role,
            scopes,
            created_at: formatNullable(row.created_at),
            last_used_at: formatNullable(row.last_used_at),
            expires_at: formatNullable(row.expires_at),
          }),
        );
        await printList('tokens', tokens, {
          output,
          columns: {
            id: ({ id }) => id,
            name: ({ name }) => name || null,
            role: ({ role }) => role,
            created: ({ created_at: at }) => at,
            'last used': ({ last_used_at: at }) => at ?? 'never',
            expires: ({ expires_at: at }) => at,
            scopes: ({ scopes }) => scopes,
          },
        });
      });
    });

  token
    .command('revoke')
    .description('revoke an access token immediately')
    .addHelpText('after', examples('npx paylatch token revoke --merchant 1 --id 7'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--id <id>', 'the token’s ID, see `token list`', parseIdOption)
    .addOption(outputOption())
    .action(async ({ merchant, id, output }: { merchant: number; id: number; output: Output }) => {
      await withDatabase(async ({ database, clock }) => {
        await database.inTransaction(async (unit) => {
          const isDone = await revokeToken(unit, merchant, id, clock.now());
          if (!isDone)
            throw new Problem('not_found', `Merchant ${formatId(merchant)} has no valid token ${formatId(id)}.`);
          const change = { merchantId: merchant, action: 'revokeAccessToken', subject: `token ${id}` };
          await recordChange(unit, clock, change);
        });
        print({ revoked: id }, output);
      });
    });

  const client = program
    .command('client')
    .description('OAuth clients, which get one-hour tokens from POST /oauth/token');

  const createClientCommand = client.command('create').description('create a client; its secret is shown only once');
  addCreateOptions(
    createClientCommand,
    'npx paylatch client create --merchant 1 --scopes transaction:read --name "Books"',
  ).action(async ({ merchant, role, scopes, name, output }: CreateOptions) => {
    await withDatabase(async ({ config, database, clock }) => {
      await requireMerchant(database, merchant);
      const random = withCellPrefix(systemRandom, config.cell);
      const options = { merchantId: merchant, role, scopes, name, random, now: clock.now() };
      const createdClient = await database.inTransaction(async (unit) => {
        const created = await createOAuthClient(unit, options);
        const after = { name, role, scopes: scopes.join(' ') };
        const subject = created.clientId;
        await recordChange(unit, clock, { merchantId: merchant, action: 'createClient', subject, after });
        return created;
      });
      const { clientId, clientSecret } = createdClient;
      print(
        { client_id: clientId, client_secret: clientSecret, merchant_id: merchant, role, scopes: scopes.join(' ') },
        output,
      );
    });
  });

  client
    .command('list')
    .description('list the clients of a merchant, newest first')
    .addHelpText('after', examples('npx paylatch client list --merchant 1'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .addOption(outputOption())
    .action(async ({ merchant, output }: { merchant: number; output: Output }) => {
      await withDatabase(async ({ database }) => {
        await requireMerchant(database, merchant);
        const clients = (await listOAuthClients(database, merchant)).map(
          ({ client_id, name, role, scopes, created_at }) => ({
            client_id,
            name,
            role,
            scopes,
            created_at: formatNullable(created_at),
          }),
        );
        await printList('clients', clients, {
          output,
          columns: {
            'client id': ({ client_id: id }) => id,
            name: ({ name }) => name || null,
            role: ({ role }) => role,
            created: ({ created_at: at }) => at,
            scopes: ({ scopes }) => scopes,
          },
        });
      });
    });

  client
    .command('revoke')
    .description('revoke a client and all its tokens immediately')
    .addHelpText('after', examples('npx paylatch client revoke --merchant 1 --id client_…'))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .requiredOption('--id <client_id>', 'the client_id')
    .addOption(outputOption())
    .action(async ({ merchant, id, output }: { merchant: number; id: string; output: Output }) => {
      await withDatabase(async ({ database, clock }) => {
        await database.inTransaction(async (unit) => {
          const isDone = await revokeOAuthClient(unit, merchant, id, clock.now());
          if (!isDone) throw new Problem('not_found', `Merchant ${formatId(merchant)} has no client ${id}.`);
          await recordChange(unit, clock, { merchantId: merchant, action: 'revokeClient', subject: id });
        });
        print({ revoked: id }, output);
      });
    });
}

function addCreateOptions(command: Command, example: string): Command {
  return command
    .addHelpText('after', examples(example))
    .requiredOption('--merchant <id>', 'the merchant’s ID', parseIdOption)
    .addOption(new Option('--role <role>', 'the token’s role').choices([...tokenRoles]).default('merchant'))
    .addOption(
      new Option('--scopes <scopes>', `comma-separated scopes: ${tokenScopes.join(', ')}`)
        .argParser(parseScopes)
        .default(defaultScopes, `all but ${optInScopes.join(', ')}`),
    )
    .addOption(new Option('--name <name>', 'a label').argParser(parseDisplayName(60)).default('', 'none'))
    .addOption(outputOption());
}

function parseScopes(text: string): TokenScope[] {
  const scopes = text
    .split(',')
    .map((scope) => scope.trim())
    .filter(Boolean) as TokenScope[];
  if (scopes.length === 0) throw new InvalidArgumentError('Set at least one scope.');
  const unknown = scopes.filter((scope) => !tokenScopes.includes(scope));
  if (unknown.length > 0) throw new InvalidArgumentError(`Unknown scopes: ${unknown.join(', ')}.`);
  return scopes;
}

function formatNullable(instant: Instant | null): string | null {
  return instant === null ? null : formatInstant(instant);
}
