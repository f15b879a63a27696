import type { Command } from 'commander';
import { printable } from '../invoices/reconcile-job.ts';
import { type Reconciliation, reconcile } from '../invoices/reconcile.ts';
import { OperatorError } from '../platform/operator-error.ts';
import { connectedAccount, connectedAccounts } from './accounts.ts';
import { examples } from './examples.ts';
import { withDatabase } from './with-database.ts';

export function registerReconcileCommand(program: Command): void {
  program
    .command('reconcile')
    .description('compare the ledger with the chains, wallet by wallet, and list every difference')
    .addHelpText('after', '\nChanges nothing. Exit code 1 where a difference has no explanation.')
    .addHelpText('after', examples('npx paylatch reconcile', 'npx paylatch reconcile --chain bitcoin --json'))
    .option('--chain <name>', 'only this chain, such as bitcoin')
    .option('--json', 'print JSON')
    .action(async ({ chain: name, json }: { chain?: string; json?: boolean }) => {
      await withDatabase(async (context) => {
        const accounts =
          name === undefined ? await connectedAccounts(context) : [await connectedAccount(context, name)];
        if (accounts.length === 0) throw new OperatorError('No chain is set up here.');
        const results: Reconciliation[] = [];
        try {
          for (const each of accounts) results.push(await reconcile(context.database, each));
        } finally {
          for (const { chain } of accounts) await chain.close();
        }
        process.stdout.write(
          json ? `${JSON.stringify({ chains: results.map(toJson) })}\n` : results.map(toText).join(''),
        );
        if (results.some(({ unexplained }) => unexplained > 0)) process.exitCode = 1;
      });
    });
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
