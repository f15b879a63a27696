import type { Command } from 'commander';
import { connectChains } from '../chains/connect.ts';
import { printable } from '../invoices/reconcile-job.ts';
import { type Reconciliation, reconcile } from '../invoices/reconcile.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { systemRandom } from '../platform/random.ts';
import { loadSigningKey } from '../platform/service-key.ts';
import { examples } from './examples.ts';
import { type CommandContext, withDatabase } from './with-database.ts';

export function registerReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description('compare the ledger with the chains, wallet by wallet, and list every difference')
    .addHelpText('after', '\nChanges nothing. Exit code 1 where a difference has no explanation.')
    .addHelpText('after', examples('npx paylatch reconcile', 'npx paylatch reconcile --chain btc --json'))
    .option('--chain <code>', 'only the chain of this currency, such as btc or eth')
    .option('--json', 'print JSON')
    .action(async ({ chain: code, json }: { chain?: string; json?: boolean }) => {
      await withDatabase(async (context) => {
        const all = await chainsOf(context);
        const connected = all.filter(
          ({ chain: { currencies } }) => code === undefined || currencies.some((each) => each === code),
        );
        if (connected.length === 0) throw new OperatorError(`No chain with ${code ?? 'a currency'} is set up here.`);
        const results: Reconciliation[] = [];
        try {
          for (const each of connected) results.push(await reconcile(context.database, each));
        } finally {
          for (const { chain } of all) await chain.close();
        }
        process.stdout.write(
          json ? `${JSON.stringify({ chains: results.map(toJson) })}\n` : results.map(toText).join(''),
        );
        if (results.some(({ unexplained }) => unexplained > 0)) process.exitCode = 1;
      });
    });
}

/** Those with a node; in the sandbox the simulated ones in place of the others. */
async function chainsOf({ config, database, clock }: CommandContext) {
  const accounts = await connectChains(config, clock);
  if (config.environment !== 'sandbox') return accounts;
  const { connectSimulated } = await import('../chains/simulated/connect.ts');
  const serviceKey = await loadSigningKey(database, systemRandom, config.secretKey);
  const options = { database, clock, random: systemRandom, serviceKey, canSign: false };
  const missing = (['bitcoin', 'ethereum'] as const).filter((name) => accounts.every((each) => each.name !== name));
  return [...accounts, ...(await Promise.all(missing.map((name) => connectSimulated({ ...options, name }))))];
}

function toJson({ totals, differences, ...result }: Reconciliation) {
  return {
    ...result,
    totals: totals.map(({ code, ledger, chain, accounts }) => ({
      ...{ code, ledger: ledger.toString(), chain: chain.toString() },
      accounts: Object.fromEntries(Object.entries(accounts).map(([account, sum]) => [account, sum.toString()])),
    })),
    differences: differences.map(printable),
  };
}

function toText({ chain, height, wallets, totals, differences, unexplained }: Reconciliation): string {
  const lines = [
    `${chain} at block ${height}: ${wallets} wallets, ${differences.length} differences, ${unexplained} unexplained`,
  ];
  for (const { code, ledger, chain: held, accounts } of totals) {
    lines.push(`  ${code.padEnd(5)} chain ${held}  ledger ${ledger}`);
    for (const [account, sum] of Object.entries(accounts)) lines.push(`        ${account.padEnd(13)} ${sum}`);
  }
  for (const { address, code, ledger, chain: held, explanation, detail } of differences)
    lines.push(
      `  ${explanation ?? 'UNEXPLAINED'}  ${address ?? ''} ${code}: chain ${held}, ledger ${ledger}\n    ${detail}`,
    );
  return `${lines.join('\n')}\n`;
}
