import type { Expression, SqlBool } from 'kysely';
import type { SimulatedChain } from '../chains/simulated/chain.ts';
import type { Database } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { CryptoStatus } from '../shared/crypto-status.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { AddressIssuing } from './accounts.ts';
import type { ConnectedChains } from './connected-chains.ts';

/** How deposits and invoices use wallets. Conditions are parts of queries over `wallets`. */
export interface WalletUse {
  /** Whether a wallet has ever received a deposit. */
  hasDeposit(on: Runner, walletId: Expression<number>): Expression<SqlBool>;
  /** Whether a deposit to it waits for a block. */
  hasWaitingDeposit(on: Runner, walletId: Expression<number>): Expression<SqlBool>;
  /** Whether one of its transactions has not failed, or expired after `moment`. */
  isExpectedSince(on: Runner, walletId: Expression<number>, moment: Instant): Expression<SqlBool>;
  /** Those of some wallets that had an invoice of this amount. */
  findServed(
    on: Runner,
    walletIds: readonly number[],
    amount: { amountRequired: bigint; tolerance: bigint },
  ): Promise<Set<number>>;
  /** The status of its last invoice. */
  lastStatus(on: Runner, walletId: number): Promise<CryptoStatus | undefined>;
  hasOpenInvoice(on: Runner, walletId: number): Promise<boolean>;
}

/** What wallets need of the rest of the service. */
export interface WalletsContext {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  chains: ConnectedChains;
  addresses: AddressIssuing;
  /** In the sandbox: chains without a node, played by a tester. */
  simulatedChains: Readonly<Partial<Record<ChainName, SimulatedChain>>>;
  walletUse: WalletUse;
}
