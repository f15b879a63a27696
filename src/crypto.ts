import type { ChainAccount } from './chains/family.ts';
import { formatInstant } from './shared/time.ts';
import type { ComponentStatuses } from './http/health-routes.ts';
import type { Module } from './http/context.ts';
import { type Job, wakeLocalJob } from './jobs/runner.ts';
import type { PaymentsContext } from './payments/context.ts';
import type { ChainName } from './shared/crypto-currency.ts';
import { randomId } from './system/random.ts';
import { type ConnectedChain, createConnectedChains } from './wallets/connected-chains.ts';
import { findWithInvoiceSince, findWithOpenInvoice, walletUse } from './invoices/wallet-use.ts';
import { expireInvoices, nextExpiry } from './invoices/expire.ts';
import { recordDeposits } from './invoices/record-deposits.ts';
import { invoicePageRoutes } from './invoices/page-routes.ts';
import { invoiceRoutes } from './invoices/routes.ts';
import { createLinkPaymentJob, LINK_PAYMENTS_JOB } from './invoices/link-payments/job.ts';
import { createRateLockCleanup } from './invoices/link-payments/rate-locks.ts';
import { lockAffectedWallets } from './invoices/store.ts';
import { withdrawalQueries } from './withdrawals/facts.ts';
import type { WithdrawalsContext } from './withdrawals/context.ts';
import { type Cursor, createCursor, readCursors } from './chains/cursor.ts';
import { createReconcileJob } from './reconciliation/job.ts';
import { compareWithAddressMark, isIssuingSuspended, openAccount, readAccount } from './wallets/accounts.ts';
import { createLeaseJob, createScanJob } from './deposits/scan.ts';
import { createWithdrawalJob } from './withdrawals/job.ts';
import { withdrawalRoutes } from './withdrawals/routes.ts';

/** Wallets, deposits, invoices and withdrawals on the connected chains. */
export interface CryptoPayments {
  context: WithdrawalsContext;
  /** Jobs of the chains. */
  jobs: readonly Job[];
  /** Chains with a block scanned by this process since the last round of the job of payment links. */
  scannedChains: Set<ChainName>;
  /** Status and height of each chain, for health checks; also sets the metrics. */
  report(): Promise<ComponentStatuses>;
  /** Releases the chains to other processes. Call this after the jobs have stopped. */
  close(): Promise<void>;
}

export async function openCrypto(
  options: Omit<WithdrawalsContext, 'chains' | 'walletUse' | 'deposits' | 'withdrawals'>,
  accounts: readonly ChainAccount[],
): Promise<CryptoPayments> {
  const { database, random, metrics } = options;
  const scannedChains = new Set<ChainName>();
  const chains: ConnectedChain[] = [];
  for (const account of accounts) {
    await createCursor(options, account.name);
    const accountId = await openAccount(database, account.name, account.accountKey);
    await compareWithAddressMark(options, accountId);
    const { name: accountName } = await readAccount(database, accountId);
    chains.push({ ...account, accountId, accountName });
  }
  const context: WithdrawalsContext = {
    ...{ ...options, chains: createConnectedChains(chains), walletUse, withdrawals: withdrawalQueries },
    deposits: {
      ...{ lockAffectedWallets, nextExpiry, findWithOpenInvoice, findWithInvoiceSince },
      recordChanges: async (unit, walletId, changes, tipHeight) =>
        await recordDeposits(context, unit, walletId, changes, tipHeight),
      expireInvoices: async (chain, moment) => await expireInvoices(context, chain, moment),
      onBlockScanned(chain) {
        scannedChains.add(chain);
        wakeLocalJob(database, LINK_PAYMENTS_JOB);
      },
    },
  };
  const holder = randomId(random);
  const scanJobs = chains.map((chain) => createScanJob(context, chain, holder));
  const withdrawalJobs = chains.map((chain) => createWithdrawalJob(context, chain, holder));
  const reconcileJobs = chains.map((chain) => createReconcileJob(context, chain, holder));
  return {
    context,
    scannedChains,
    jobs: [...scanJobs, createLeaseJob(context, scanJobs, holder), ...withdrawalJobs, ...reconcileJobs],
    async report() {
      const cursors = await readCursors(database);
      const connectedCursors = cursors.filter(({ chain }) => chains.some(({ name }) => name === chain));
      for (const { chain, lastBlock, error } of connectedCursors) {
        if (lastBlock) metrics.chainHeight.set({ chain }, lastBlock.height);
        metrics.chainErrors.set({ chain }, error ? 1 : 0);
      }
      const walletAccounts = await Promise.all(
        chains.map(async ({ accountId }) => await readAccount(database, accountId)),
      );
      metrics.issuingSuspended.reset();
      for (const account of walletAccounts)
        if (account.lostWrites && isIssuingSuspended(account))
          metrics.issuingSuspended.set({ chain: account.chain, reason: account.lostWrites.reason }, 1);
      return Object.fromEntries(connectedCursors.map((cursor) => [cursor.chain, describeCursor(cursor)]));
    },
    async close() {
      for (const job of scanJobs) await job.stop();
      for (const { chain } of chains) await chain.close();
    },
  };
}

type ModuleOptions = Parameters<typeof invoiceRoutes>[0] &
  Parameters<typeof withdrawalRoutes>[0] &
  Parameters<typeof invoicePageRoutes>[0];

export function cryptoModule(
  { context, jobs, scannedChains }: CryptoPayments,
  payments: PaymentsContext,
  options: Omit<ModuleOptions, 'context'>,
): Module {
  const all = { ...options, context };
  return {
    routes: [invoiceRoutes(all), withdrawalRoutes(all), invoicePageRoutes(all)],
    jobs: [...jobs, createLinkPaymentJob(payments, scannedChains), createRateLockCleanup(context)],
  };
}

/** Only the kind of the error: its message may contain the address of the node. */
function describeCursor({ lastBlock, error, errorSince }: Cursor): ComponentStatuses[string] {
  return {
    status: error?.kind ?? (lastBlock ? 'read' : 'not_reached_yet'),
    ...(lastBlock && { height: lastBlock.height }),
    ...(errorSince !== null && { since: formatInstant(errorSince) }),
  };
}
