import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { AccountOnChain } from '../chains/connect.ts';
import { chainNames, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { differenceToJson } from '../reconciliation/job.ts';
import { needsOperator, type Reconciliation, reconcile } from '../reconciliation/reconcile.ts';
import { type CoinScan, scanCoins } from '../reconciliation/scan.ts';
import { settleDifference } from '../reconciliation/settle-difference.ts';
import { openAccount, readAccount } from '../wallets/accounts.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../system/log.ts';
import { OperatorError } from '../system/operator-error.ts';
import { packageRoot } from '../system/root.ts';
import { connectedAccount, connectedAccounts } from './accounts.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { line } from './options.ts';
import { print } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

type Result = Reconciliation & { scan: Omit<CoinScan, 'differences'> | null };

export function registerReconcileCommand(program: Command): void {
  const command = program
    .command('reconcile')
    // Both take --chain and --json.
    .enablePositionalOptions()
    .description('compare the ledger with the chains, wallet by wallet, and list every difference')
    .addHelpText('after', '\nChanges nothing. Exit code 1 where a difference has to be looked at.')
    .addHelpText(
      'after',
      examples(
        'npx paylatch reconcile',
        'npx paylatch reconcile --chain bitcoin --json',
        'npx paylatch reconcile --chain bitcoin --scan',
      ),
    )
    .option('--chain <name>', 'only this chain, such as bitcoin')
    .option('--scan', 'have nodes search all unspent outputs for coins that the books lack; takes minutes')
    .option('--json', 'print JSON')
    .action(async ({ chain: name, json, scan = false }: { chain?: string; json?: boolean; scan?: boolean }) => {
      await withDatabase(async (context) => {
        const accounts =
          name === undefined ? await connectedAccounts(context) : [await connectedAccount(context, name)];
        if (accounts.length === 0) throw new OperatorError('No chain is set up here.');
        const results: Result[] = [];
        try {
          for (const each of accounts) results.push(await compare(context, each, scan));
        } finally {
          for (const { chain } of accounts) await chain.close();
        }
        process.stdout.write(
          json ? `${JSON.stringify({ chains: results.map(toJson) })}\n` : results.map(toText).join(''),
        );
        if (results.some(({ unsettled }) => unsettled > 0)) process.exitCode = 1;
      });
    });
  registerSettle(command);
}

interface SettleOptions {
  chain: string;
  address: string;
  code: string;
  missing?: bigint;
  surplus?: bigint;
  reason: string;
  json?: boolean;
}

function registerSettle(reconcileCommand: Command): void {
  reconcileCommand
    .command('settle')
    .description('write off what a wallet holds less than the ledger says, or book what it holds more')
    .addHelpText(
      'after',
      '\nRecords a difference that reconcile has listed, with its amount in the smallest unit. It cannot be undone.',
    )
    .addHelpText(
      'after',
      examples(
        'npx paylatch reconcile settle --chain ethereum --address 0x… --code usdt --missing 15000000 --reason "Moved by hand"',
      ),
    )
    .requiredOption('--chain <name>', chainNames.join(', '))
    .requiredOption('--address <address>', 'the wallet')
    .requiredOption('--code <code>', 'the currency, such as usdt')
    .option('--missing <amount>', 'what the chain has less than the ledger', amountOf)
    .option('--surplus <amount>', 'what the chain has more than the ledger', amountOf)
    .requiredOption('--reason <text>', 'for the audit log', line(500))
    .option('--json', 'print JSON')
    .action(async ({ chain: name, address, code, missing, surplus, reason, json }: SettleOptions) => {
      if ((missing === undefined) === (surplus === undefined))
        throw new InvalidArgumentError('Give --missing or --surplus, as reconcile shows the difference.');
      const difference = surplus ?? -(missing ?? 0n);
      const service = await openService();
      try {
        const { context } = service.invoices;
        const connected = context.chains.all.find((each) => each.name === name);
        if (!connected) throw new OperatorError(`The chain ${name} is not set up here.`);
        const shown = { address, code: code as CryptoCurrencyCode, difference };
        const settled = await settleDifference(context, connected, shown, async (unit, done) => {
          const before = { code, ledger: done.ledger.toString(), chain: done.onChain.toString() };
          const after = { code, ledger: done.onChain.toString(), written_off: done.writtenOff.toString(), reason };
          const { merchantId, address: subject } = done;
          await recordChange(unit, context.clock, { merchantId, action: 'settleDifference', subject, before, after });
        });
        print(
          {
            ...{ chain: name, address: settled.address, code, ledger: settled.onChain.toString() },
            ...{ difference: difference.toString(), written_off: settled.writtenOff.toString() },
          },
          json,
        );
      } finally {
        await service.close();
      }
    });
}

/** A deposit that is written off is an event, which takes the whole service; its log goes where errors go. */
async function openService() {
  const config = readConfig(process.env);
  const [{ createService }, { loadPages }] = await Promise.all([import('../app.ts'), import('../startup/pages.ts')]);
  const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
  return await createService({ config, log: createLog(config.logLevel, process.stderr), pages });
}

function amountOf(given: string): bigint {
  if (!/^[1-9]\d{0,77}$/.test(given)) throw new InvalidArgumentError('It is a whole number of the smallest unit.');
  return BigInt(given);
}

async function compare(
  { database, config }: CommandContext,
  account: AccountOnChain,
  isScan: boolean,
): Promise<Result> {
  const { name, accountKey } = account;
  const search = async () => {
    const { nextIndex } = await readAccount(database, await openAccount(database, name, accountKey));
    return await scanCoins(database, account, { nextIndex, gapLimit: config.addressGapLimit, onProgress });
  };
  const onProgress = (percent: number) => process.stderr.write(`${name}: ${percent} % of all unspent outputs …\n`);
  const scan = isScan ? await search() : null;
  if (isScan && !scan) process.stderr.write(`${name} needs no scan: balances are compared address by address.\n`);
  const found = await reconcile(database, account);
  if (!scan) return { ...found, scan };
  const { differences: coins, ...rest } = scan;
  const differences = [...found.differences, ...coins];
  return { ...found, differences, unsettled: differences.filter(needsOperator).length, scan: rest };
}

function toJson({ totals, differences, ...result }: Result) {
  return {
    ...result,
    totals: totals.map(({ code, ledger, chain, accounts }) => ({
      ...{ code, ledger: ledger.toString(), chain: chain.toString() },
      accounts: Object.fromEntries(Object.entries(accounts).map(([account, sum]) => [account, sum.toString()])),
    })),
    differences: differences.map(differenceToJson),
  };
}

function toText({ chain, height, wallets, totals, differences, unsettled, scan }: Result): string {
  const lines = [
    `${chain} at block ${height}: ${wallets} wallets, ${differences.length} differences, ${unsettled} unsettled`,
    ...(scan ? [`  scan at block ${scan.height}: ${scan.addresses} addresses, ${scan.coins} coins`] : []),
  ];
  for (const { code, ledger, chain: held, accounts } of totals) {
    lines.push(`  ${code.padEnd(5)} chain ${held}  ledger ${ledger}`);
    for (const [account, sum] of Object.entries(accounts)) lines.push(`        ${account.padEnd(13)} ${sum}`);
  }
  for (const { address, merchantId, code, ledger, chain: held, explanation, detail } of differences)
    lines.push(
      `  ${explanation ?? 'UNEXPLAINED'}  ${address ?? ''}${merchantId === null ? '' : ` (merchant ${merchantId})`} ${code}: chain ${held}, ledger ${ledger}\n    ${detail}`,
    );
  return `${lines.join('\n')}\n`;
}
