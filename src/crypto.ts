import type { AccountOnChain } from './chains/connect.ts';
import { formatInstant } from './shared/time.ts';
import type { ComponentStatuses } from './http/health-routes.ts';
import type { Job } from './jobs/runner.ts';
import { randomId } from './system/random.ts';
import { type ConnectedChain, connectedChains } from './wallets/connected-chains.ts';
import { findAwaited, walletUse } from './invoices/wallet-use.ts';
import { endOverdue, nextExpiry } from './invoices/expire.ts';
import { recordDeposits } from './invoices/record-deposits.ts';
import { lockOwners } from './invoices/store.ts';
import { withdrawalFacts } from './withdrawals/facts.ts';
import type { WithdrawalsContext } from './withdrawals/context.ts';
import { type Cursor, openCursor, readCursors } from './chains/cursor.ts';
import { createReconcileJob } from './reconciliation/job.ts';
import { checkAccount, openAccount, readAccount } from './wallets/accounts.ts';
import { createHoldJob, createScanJob } from './deposits/scan.ts';
import { createWithdrawalJob } from './withdrawals/job.ts';

/** Wallets, deposits, invoices and withdrawals on the chains that are connected. */
export interface Crypto {
  context: WithdrawalsContext;
  jobs: readonly Job[];
  /** Whether each chain can be read, and how far it was; measured as well. */
  report(): Promise<ComponentStatuses>;
  /** Leaves the chains to other processes, once the jobs are at rest. */
  close(): Promise<void>;
}

export async function openCrypto(
  options: Omit<WithdrawalsContext, 'chains' | 'walletUse' | 'deposits' | 'withdrawals'>,
  accounts: readonly AccountOnChain[],
): Promise<Crypto> {
  const { database, random, metrics } = options;
  const chains: ConnectedChain[] = [];
  for (const account of accounts) {
    await openCursor(options, account.name);
    const accountId = await openAccount(database, account.name, account.accountKey);
    await checkAccount(options, accountId);
    const { name: accountName } = await readAccount(database, accountId);
    chains.push({ ...account, accountId, accountName });
  }
  const context: WithdrawalsContext = {
    ...{ ...options, chains: connectedChains(chains), walletUse, withdrawals: withdrawalFacts },
    deposits: {
      ...{ lockOwners, nextExpiry, findAwaited },
      record: async (unit, walletId, changes, tipHeight) =>
        await recordDeposits(context, unit, walletId, changes, tipHeight),
      expire: async (chain, moment) => await endOverdue(context, chain, moment),
      blockRead: (chain) => options.news.blockRead(chain),
    },
  };
  const holder = randomId(random);
  const watches = chains.map((chain) => createScanJob(context, chain, holder));
  const withdrawals = chains.map((chain) => createWithdrawalJob(context, chain, holder));
  const reconciliations = chains.map((chain) => createReconcileJob(context, chain, holder));
  return {
    context,
    jobs: [...watches, createHoldJob(context, watches, holder), ...withdrawals, ...reconciliations],
    async report() {
      const cursors = await readCursors(database);
      const ours = cursors.filter(({ chain }) => chains.some(({ name }) => name === chain));
      for (const { chain, at, trouble } of ours) {
        if (at) metrics.chainHeight.set({ chain }, at.height);
        metrics.chainTrouble.set({ chain }, trouble ? 1 : 0);
      }
      return Object.fromEntries(ours.map((cursor) => [cursor.chain, reportOf(cursor)]));
    },
    async close() {
      for (const watch of watches) await watch.stop();
      for (const { chain } of chains) await chain.close();
    },
  };
}

/** The kind of trouble alone: the address of a node is nobody's business. */
function reportOf({ at, trouble, troubleSince }: Cursor): ComponentStatuses[string] {
  return {
    status: trouble?.kind ?? (at ? 'read' : 'not_reached_yet'),
    ...(at && { height: at.height }),
    ...(troubleSince !== null && { since: formatInstant(troubleSince) }),
  };
}
