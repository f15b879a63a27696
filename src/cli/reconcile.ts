import { join } from 'node:path';
import { type Command, InvalidArgumentError } from 'commander';
import type { ChainAccount } from '../chains/family.ts';
import { chains, cryptoCurrencyCodes, type CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { differenceToJson } from '../reconciliation/job.ts';
import { needsOperator, type Reconciliation, reconcile } from '../reconciliation/reconcile.ts';
import { type UtxoScan, scanOutputs } from '../reconciliation/scan.ts';
import { resolveDifference } from '../reconciliation/resolve-difference.ts';
import { openAccount, readAccount } from '../wallets/accounts.ts';
import { readConfig } from '../config.ts';
import { createLog } from '../system/log.ts';
import { OperatorError } from '../system/operator-error.ts';
import { packageRoot } from '../system/root.ts';
import { chainOption, connectedAccount, connectedAccounts, exampleChain } from './accounts.ts';
import { recordChange } from './audit.ts';
import { examples } from './examples.ts';
import { parseDisplayName } from './options.ts';
import { outputOption, type Output, print } from './output.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

type Result = Reconciliation & { scan: Omit<UtxoScan, 'differences'> | null };

export function registerReconcileCommand(program: Command): void {
  const command = program
    .command('reconcile')
    // The subcommand has --chain and --output too.
    .enablePositionalOptions()
    .description('compare the ledger with the chains, wallet by wallet, and list every difference')
    .addHelpText('after', '\nChanges nothing. Exits with 1 if a difference needs review.')
    .addHelpText(
      'after',
      examples(
        'npx paylatch reconcile',
        `npx paylatch reconcile --chain ${exampleChain} --output json`,
        `npx paylatch reconcile --chain ${exampleChain} --scan`,
      ),
    )
    .option('--chain <name>', `only this chain, such as ${exampleChain}`)
    .option('--scan', 'scan all unspent outputs for coins missing from the ledger; takes minutes')
    .addOption(outputOption())
    .action(async ({ chain: name, output, scan = false }: { chain?: string; output: Output; scan?: boolean }) => {
      await withDatabase(async (context) => {
        const accounts =
          name === undefined ? await connectedAccounts(context) : [await connectedAccount(context, name)];
        if (accounts.length === 0) throw new OperatorError('No chain is configured.');
        const results: Result[] = [];
        try {
          for (const each of accounts) results.push(await compare(context, each, scan));
        } finally {
          for (const { chain } of accounts) await chain.close();
        }
        process.stdout.write(
          output === 'json' ? `${JSON.stringify({ chains: results.map(toJson) })}\n` : results.map(toText).join(''),
        );
        if (results.some(({ unresolved }) => unresolved > 0)) process.exitCode = 1;
      });
    });
  registerResolveCommand(command);
}

interface ResolveOptions {
  chain: string;
  address: string;
  code: string;
  missing?: bigint;
  surplus?: bigint;
  reason: string;
  output: Output;
}

function registerResolveCommand(reconcileCommand: Command): void {
  reconcileCommand
    .command('resolve')
    .description('write off an amount missing from a wallet, or post a surplus')
    .addHelpText('after', '\nRecords a difference listed by reconcile, in the smallest unit. This cannot be undone.')
    .addHelpText(
      'after',
      examples(
        `npx paylatch reconcile resolve --chain ${exampleChain} --address ADDRESS --code ${chains[exampleChain].feeCode} --missing 15000000 --reason "Moved manually"`,
      ),
    )
    .addOption(chainOption())
    .requiredOption('--address <address>', 'the wallet')
    .requiredOption('--code <code>', cryptoCurrencyCodes.join(', '))
    .option('--missing <amount>', 'amount by which the chain is below the ledger', parseAmount)
    .option('--surplus <amount>', 'amount by which the chain is above the ledger', parseAmount)
    .requiredOption('--reason <text>', 'for the audit log', parseDisplayName(500))
    .addOption(outputOption())
    .action(async ({ chain: name, address, code, missing, surplus, reason, output }: ResolveOptions) => {
      if ((missing === undefined) === (surplus === undefined))
        throw new InvalidArgumentError('Set either --missing or --surplus to the difference shown by reconcile.');
      const difference = surplus ?? -(missing ?? 0n);
      const service = await openService();
      try {
        const { context } = service.invoices;
        const connected = context.chains.all.find((each) => each.name === name);
        if (!connected) throw new OperatorError(`The chain ${name} is not configured.`);
        const shown = { address, code: code as CryptoCurrencyCode, difference };
        const resolved = await resolveDifference(context, connected, shown, async (unit, done) => {
          const before = { code, ledger: done.ledger.toString(), chain: done.onChain.toString() };
          const after = { code, ledger: done.onChain.toString(), written_off: done.writtenOff.toString(), reason };
          const { merchantId, address: subject } = done;
          await recordChange(unit, context.clock, { merchantId, action: 'resolveDifference', subject, before, after });
        });
        print(
          {
            ...{ chain: name, address: resolved.address, code, ledger: resolved.onChain.toString() },
            ...{ difference: difference.toString(), written_off: resolved.writtenOff.toString() },
          },
          output,
        );
      } finally {
        await service.close();
      }
    });
}

/** Writing off a deposit emits an event, which needs the whole service. It logs to standard error. */
async function openService() {
  const config = readConfig(process.env);
  const [{ createService }, { loadPages }] = await Promise.all([import('../app.ts'), import('../startup/pages.ts')]);
  const pages = loadPages(join(packageRoot(), 'dist', 'pages'));
  return await createService({ config, log: createLog(config.logLevel, process.stderr), pages });
}

function parseAmount(input: string): bigint {
  if (!/^[1-9]\d{0,77}$/.test(input))
    throw new InvalidArgumentError('It must be a positive integer in the smallest unit.');
  return BigInt(input);
}

async function compare({ database, config }: CommandContext, account: ChainAccount, isScan: boolean): Promise<Result> {
  const { name, accountKey } = account;
  const search = async () => {
    const { nextIndex } = await readAccount(database, await openAccount(database, name, accountKey));
    return await scanOutputs(database, account, { nextIndex, gapLimit: config.addressGapLimit, onProgress });
  };
  const onProgress = (percent: number) => process.stderr.write(`${name}: ${percent}% of all unspent outputs …\n`);
  const scan = isScan ? await search() : null;
  if (isScan && !scan) process.stderr.write(`${name} needs no scan: balances are compared by address.\n`);
  const found = await reconcile(database, account);
  if (!scan) return { ...found, scan };
  const { differences: coins, ...rest } = scan;
  const differences = [...found.differences, ...coins];
  return { ...found, differences, unresolved: differences.filter(needsOperator).length, scan: rest };
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

function toText({ chain, height, wallets, totals, differences, unresolved, scan }: Result): string {
  const lines = [
    `${chain} at block ${height}: wallets ${wallets}, differences ${differences.length}, unresolved ${unresolved}`,
    ...(scan ? [`  scan at block ${scan.height}: addresses ${scan.addresses}, coins ${scan.coins}`] : []),
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
