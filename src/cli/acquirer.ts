import { text } from 'node:stream/consumers';
import type { Command } from 'commander';
import { type AccountStore, type AccountWithRoutes, createAccountStore } from '../acquirers/account-store.ts';
import {
  type AccountActions,
  auditedCredentials,
  configurableAdapters,
  createAccountActions,
  toAcquirerEntry,
  toHealthEntry,
  readableCredentials,
} from '../acquirers/accounts.ts';
import { readNotificationStats } from '../acquirers/inbox.ts';
import type { Route } from '../acquirers/schema.ts';
import { listStoredHealth } from '../acquirers/stored-health.ts';
import { Problem } from '../api/problem-error.ts';
import type { UnitOfWork } from '../database/database.ts';
import { formatInstant, type Instant } from '../shared/time.ts';
import { OperatorError } from '../system/operator-error.ts';
import { withCellPrefix, systemRandom } from '../system/random.ts';
import { parseSealingKeys } from '../system/sealed.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName, parseIdOption, parsePositiveInteger } from './options.ts';
import { outputOption, type Output, print, printList } from './output.ts';
import { type CommandContext, requireMerchant, withDatabase } from './with-database.ts';

const CREDENTIALS_HINT = 'as a JSON object on standard input, so that credentials never appear in the command line';

export function registerAcquirerCommands(program: Command): void {
  const acquirer = program.command('acquirer').description('acquirer accounts and their routes');

  acquirer
    .command('adapters')
    .description('list the acquirers of this release, with the credentials that they need')
    .addHelpText('after', examples('npx paylatch acquirer adapters'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      const list = configurableAdapters.map(toAcquirerEntry);
      await printList('adapters', list, {
        output,
        columns: {
          name: ({ name }) => name,
          credentials: ({ credentials }) =>
            credentials.map((field) => field.name + (field.optional ? ' (optional)' : '')).join(', '),
        },
      });
    });

  acquirer
    .command('add')
    .description(`add an account; reads its credentials ${CREDENTIALS_HINT}`)
    .addHelpText(
      'after',
      examples(
        'npx paylatch acquirer add --adapter adyen --name "Adyen Europe" < credentials.json',
        'npx paylatch acquirer add --adapter xendit --name "Xendit Thailand" --merchant 1 < credentials.json',
      ),
    )
    .requiredOption('--adapter <name>', 'the acquirer, see `acquirer adapters`', parseAdapterName)
    .requiredOption('--name <name>', 'a name for the account', parseDisplayName(60))
    .option('--merchant <id>', 'restrict the account to this merchant; all merchants by default', parseIdOption)
    .addOption(outputOption())
    .action(async ({ adapter, name, merchant, output }: AddOptions) => {
      await withAccounts(async ({ context, actions }) => {
        if (merchant !== undefined) await requireMerchant(context.database, merchant);
        const credentials = await readCredentials();
        const account = await context.database.inTransaction(async (unit) => {
          const merchantId = merchant ?? null;
          const added = await actions.add(unit, { merchantId, acquirer: adapter, name, credentials, routes: [] });
          await record(context, unit, added, 'addAcquirerAccount', { adapter, name, merchantId });
          return added;
        });
        print({ account: account.key, adapter, name, webhook_url: actions.webhookUrl(account) }, output);
      });
    });

  acquirer
    .command('list')
    .description('list the accounts, with their routes, webhook URLs and received webhooks')
    .addHelpText('after', examples('npx paylatch acquirer list --output json'))
    .addOption(outputOption())
    .action(async ({ output }: { output: Output }) => {
      await withAccounts(async ({ context: { database }, actions, store }) => {
        const list = await store.list(database);
        const stats = await Promise.all(list.map(async ({ key }) => await readNotificationStats(database, key)));
        const health = await Promise.all(list.map(async ({ key }) => await listStoredHealth(database, key)));
        const accounts = list.map((account, index) => ({
          ...{ account: account.key, adapter: account.adapter, name: account.name, merchant_id: account.merchantId },
          disabled_at: formatOptionalInstant(account.disabledAt),
          webhook_url: actions.webhookUrl(account),
          routes: account.routes.map(({ paymentMethod, country, currency, priority }) => ({
            ...{ payment_method: paymentMethod, country, currency, priority },
          })),
          last_webhook_at: formatOptionalInstant(stats[index]?.lastReceivedAt),
          pending_webhooks: stats[index]?.pending ?? 0,
          health: (health[index] ?? []).map(({ process: name, measuredAt, figures }) => ({
            ...{ process: name, measured_at: formatInstant(measuredAt) },
            ...toHealthEntry(figures),
          })),
        }));
        await printList('accounts', accounts, {
          output,
          columns: {
            account: ({ account }) => account,
            adapter: ({ adapter }) => adapter,
            name: ({ name }) => name,
            merchant: ({ merchant_id: merchantId }) => merchantId ?? 'all',
            state: ({ disabled_at: disabledAt }) => (disabledAt === null ? 'enabled' : 'disabled'),
            health: ({ health }) => health.map(formatHealth).join('; ') || null,
            'last webhook': ({ last_webhook_at: lastWebhookAt }) => lastWebhookAt,
            routes: ({ routes }) =>
              routes
                .map((route) => `${route.payment_method} ${route.country} ${route.currency} ${route.priority}`)
                .join(', ') || null,
          },
        });
      });
    });

  acquirer
    .command('route')
    .description('route a payment method to an account')
    .addHelpText(
      'after',
      examples(
        'npx paylatch acquirer route --account KEY --method credit_card --priority 1',
        'npx paylatch acquirer route --account KEY --method qr_code --country THA --currency THB',
        'npx paylatch acquirer route --account KEY --method qr_code --country THA --currency THB --remove',
      ),
    )
    .requiredOption('--account <key>', 'the account, see `acquirer list`')
    .requiredOption('--method <code>', 'a payment method code, such as credit_card')
    .option('--country <code>', 'ISO 3166-1 alpha-3; all countries by default', '*')
    .option('--currency <code>', 'ISO 4217; all currencies by default', '*')
    .option('--priority <number>', 'the account with the lowest number is tried first', parsePositiveInteger, 1)
    .option('--remove', 'remove the route')
    .addOption(outputOption())
    .action(async ({ account: key, method, country, currency, priority, remove: isRemoved, output }: RouteOptions) => {
      await withAccounts(async ({ context, actions }) => {
        const account = await actions.require(key);
        const route = { paymentMethod: method, country: country.toUpperCase(), currency: currency.toUpperCase() };
        const isSame = (each: Route) =>
          each.paymentMethod === route.paymentMethod &&
          each.country === route.country &&
          each.currency === route.currency;
        const others = account.routes.filter((each) => !isSame(each));
        if (isRemoved && others.length === account.routes.length)
          throw new Problem('not_found', 'The account has no such route.');
        const routes = isRemoved ? others : [...others, { ...route, priority }];
        await context.database.inTransaction(async (unit) => {
          await actions.update(unit, account, { routes });
          await record(context, unit, account, 'setAcquirerRoutes', { routes });
        });
        print({ account: key, routes: routes.length }, output);
      });
    });

  acquirer
    .command('credentials')
    .description(`replace an account’s credentials, read ${CREDENTIALS_HINT}`)
    .addHelpText('after', examples('npx paylatch acquirer credentials --account KEY < credentials.json'))
    .requiredOption('--account <key>', 'the account, see `acquirer list`')
    .addOption(outputOption())
    .action(async ({ account: key, output }: AccountOptions) => {
      await withAccounts(async ({ context, store, actions }) => {
        const account = await actions.require(key);
        const credentials = await readCredentials();
        await context.database.inTransaction(async (unit) => {
          await actions.setCredentials(unit, account, credentials);
          // `setCredentials` has validated them: every value is a string.
          const parsed = credentials as Record<string, string>;
          const before = auditedCredentials(account, readableCredentials(store, account), parsed);
          const after = auditedCredentials(account, parsed);
          await record(
            context,
            unit,
            account,
            'setAcquirerCredentials',
            { credentials: after },
            { credentials: before },
          );
        });
        print({ account: key, replaced: true }, output);
      });
    });

  acquirer
    .command('check')
    .description('test an account’s credentials with the acquirer, without charging anything')
    .addHelpText('after', examples('npx paylatch acquirer check --account KEY'))
    .requiredOption('--account <key>', 'the account, see `acquirer list`')
    .addOption(outputOption())
    .action(async ({ account: key, output }: AccountOptions) => {
      await withAccounts(async ({ actions }) => {
        const { result, detail } = await actions.checkAccount(await actions.require(key));
        print({ account: key, result, detail }, output);
        if (result !== 'ok') process.exitCode = 1;
      });
    });

  for (const isDisabled of [true, false]) {
    const verb = isDisabled ? 'disable' : 'enable';
    acquirer
      .command(verb)
      .description(
        isDisabled
          ? 'disable an account for new payments; open payments and refunds continue'
          : 'enable an account for new payments again',
      )
      .addHelpText('after', examples(`npx paylatch acquirer ${verb} --account KEY`))
      .requiredOption('--account <key>', 'the account, see `acquirer list`')
      .addOption(outputOption())
      .action(async ({ account: key, output }: AccountOptions) => {
        await withAccounts(async ({ context, actions }) => {
          const account = await actions.require(key);
          await context.database.inTransaction(async (unit) => {
            await actions.update(unit, account, { isEnabled: !isDisabled });
            await record(context, unit, account, `${verb}AcquirerAccount`, null);
          });
          print({ account: key, enabled: !isDisabled }, output);
        });
      });
  }
}

interface AccountOptions {
  account: string;
  output: Output;
}

interface AddOptions {
  adapter: string;
  name: string;
  merchant?: number;
  output: Output;
}

interface RouteOptions extends AccountOptions {
  method: string;
  country: string;
  currency: string;
  priority: number;
  remove?: true;
}

async function withAccounts(
  run: (accounts: { context: CommandContext; store: AccountStore; actions: AccountActions }) => Promise<void>,
): Promise<void> {
  await withDatabase(async (context) => {
    const { config, database, clock } = context;
    const { environment, publicUrl } = config;
    const common = { clock, random: withCellPrefix(systemRandom, config.cell), environment };
    const store = createAccountStore({ ...common, sealingKeys: parseSealingKeys(config) });
    await run({ context, store, actions: createAccountActions({ ...common, database, publicUrl, store }) });
  });
}

async function record(
  { clock }: CommandContext,
  unit: UnitOfWork,
  { key, merchantId }: Pick<AccountWithRoutes, 'key' | 'merchantId'>,
  action: string,
  after: unknown,
  before: unknown = null,
): Promise<void> {
  await recordChange(unit, clock, { merchantId, action, subject: `acquirer account ${key}`, before, after });
}

function parseAdapterName(name: string): string {
  const names = configurableAdapters.map((each) => each.name);
  if (names.includes(name)) return name;
  throw new OperatorError(`Unknown acquirer ${name}. Use one of: ${names.join(', ')}.`);
}

async function readCredentials(): Promise<unknown> {
  if (process.stdin.isTTY) process.stderr.write('Enter the credentials as JSON, then press Enter and Ctrl-D:\n');
  try {
    return JSON.parse(await text(process.stdin));
  } catch {
    // The parser's message quotes the text, which contains secrets.
    throw new OperatorError('The credentials are not valid JSON.');
  }
}

function formatHealth({
  circuit,
  success_rate: successRate,
  median_ms: medianMs,
}: ReturnType<typeof toHealthEntry>): string {
  return `circuit ${circuit}, ${Math.round((successRate ?? 0) * 1000) / 10}% of calls with a response, median ${Math.round(medianMs ?? 0)} ms`;
}

function formatOptionalInstant(at: Instant | null | undefined): string | null {
  return at === null || at === undefined ? null : formatInstant(at);
}
