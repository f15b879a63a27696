import type { Outbox } from '../webhooks/outbox.ts';
import type { SimulatedChain } from '../chains/simulated/chain.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import type { Clock } from '../system/clock.ts';
import type { WithdrawalLimits } from '../system/config.ts';
import type { Database } from '../database/database.ts';
import type { Log } from '../system/log.ts';
import type { Metrics } from '../system/metrics.ts';
import type { Random } from '../system/random.ts';
import type { CoinNews } from './coin-payments/follow.ts';
import type { ConnectedChains } from '../wallets/connected-chains.ts';
import type { CoinRates } from '../rates/coins.ts';
import type { AddressIssuing } from '../wallets/accounts.ts';

/** What crypto transactions need of the rest of the service. */
export interface InvoicesContext {
  database: Database;
  clock: Clock;
  random: Random;
  log: Log;
  metrics: Metrics;
  outbox: Outbox;
  rates: CoinRates;
  chains: ConnectedChains;
  addresses: AddressIssuing;
  publicUrl: string;
  sandbox: boolean;
  /** How long money to a new address is held before it leaves. */
  destinationDelay: Instant;
  /** What the operator lets withdrawals cost. */
  withdrawalLimits: WithdrawalLimits;
  /** In the sandbox: chains that no node stands in for, whose world a tester plays. */
  simulatedChains: Readonly<Partial<Record<ChainName, SimulatedChain>>>;
  /** Told after the commit of what this process has done. */
  news: CoinNews;
}
