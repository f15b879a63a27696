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

/** Facts about wallets that deposits and invoices provide. Conditions are parts of queries over `wallets`. */
export interface WalletUse {
  /** Condition: the wallet has ever received a deposit. */
  hasDeposit(reader: Runner, walletId: Expression<number>): Expression<SqlBool>;
  /** Condition: the wallet has a deposit that is not in a block yet. */
  hasUnminedDeposit(reader: Runner, walletId: Expression<number>): Expression<SqlBool>;
  /** Condition: one of the wallet's transactions has not failed, or expired at or after `moment`. */
  wasPayableSince(reader: Runner, walletId: Expression<number>, moment: Instant): Expression<SqlBool>;
  /** Returns the IDs of those wallets that had an invoice of this amount. */
  findByInvoiceAmount(
    reader: Runner,
    walletIds: readonly number[],
    amount: { amountRequired: bigint; tolerance: bigint },
  ): Promise<Set<number>>;
  /** Status of the wallet's last invoice. */
  readLastInvoiceStatus(reader: Runner, walletId: number): Promise<CryptoStatus | undefined>;
  hasOpenInvoice(reader: Runner, walletId: number): Promise<boolean>;
}

/** Dependencies of wallets. */
export interface WalletsContext {
  database: Database;
  clock: Clock;
  log: Log;
  metrics: Metrics;
  chains: ConnectedChains;
  addresses: AddressIssuing;
  /** Sandbox chains without a node, controlled by a tester. */
  simulatedChains: Readonly<Partial<Record<ChainName, SimulatedChain>>>;
  walletUse: WalletUse;
}
