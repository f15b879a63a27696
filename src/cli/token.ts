import { type Command, Option } from 'commander';
import { type TokenRole, tokenRoles } from '../contract/access-token.ts';
import { createToken } from '../merchants/tokens.ts';
import { systemRandom } from '../platform/random.ts';
import { merchantId, print, requireMerchant, withDatabase } from './with-database.ts';

export function registerTokenCommands(program: Command): void {
  program
    .command('token')
    .description('access tokens')
    .command('create')
    .description('make an access token; it is shown this once')
    .requiredOption('--merchant <id>', 'the merchant’s ID', merchantId)
    .addOption(new Option('--role <role>', 'what it may set').choices([...tokenRoles]).default('merchant'))
    .option('--json', 'print JSON')
    .action(async ({ merchant, role, json }: { merchant: number; role: TokenRole; json?: boolean }) => {
      await withDatabase(async ({ config, database, clock }) => {
        await requireMerchant(database, merchant);
        const token = await database.inUnit(
          async (unit) =>
            await createToken(unit, {
              environment: config.environment,
              random: systemRandom,
              clock,
              merchantId: merchant,
              role,
            }),
        );
        print({ access_token: token, merchant_id: merchant, role, environment: config.environment }, json);
      });
    });
}
