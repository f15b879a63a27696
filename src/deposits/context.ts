import type { AliasableExpression, Expression } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import type { WalletsContext } from '../wallets/context.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { Movement } from './balances/movements.ts';
import type { HeldDeposit } from './deposit.ts';
import type { WalletChanges } from './changes.ts';

/** Receives what is read of a chain: invoices, to which deposits are attributed. */
interface DepositListener {
  /**
   * Locks wallets and those of the invoices that their deposits are credited to. Null where one has moved while this
   * waited; the unit has to end.
   */
  lockOwners(unit: UnitOfWork, walletIds: readonly number[]): Promise<Map<number, Wallet> | null>;
  /** Records changes of a wallet's deposits, and applies them to its invoices. */
  record(unit: UnitOfWork, walletId: number, changes: WalletChanges, tipHeight: number): Promise<void>;
  /** Expires unpaid invoices of a chain that was read to its end at a moment; returns how many. */
  expire(chain: ChainName, moment: Instant): Promise<number>;
  /** The earliest expiry up to a moment, as a subquery. */
  nextExpiry(chain: ChainName, upTo: Instant): Expression<Instant | null>;
  /** Those of some wallets that have an open invoice. */
  findAwaited(on: Runner, walletIds: readonly number[]): Promise<number[]>;
  /** Runs after the commit of a block. */
  blockRead(chain: ChainName): void;
}

/** The withdrawal by which a transaction pays a wallet of ours: gas for tokens, or money that it has returned. */
export interface OwnPayment {
  /** Of the withdrawal. */
  id: number;
  source: 'credited' | 'refunding' | 'stray' | 'rejected' | null;
  /** 1 where it returns the money of that withdrawal. */
  cancels: number;
}

/** Facts about withdrawals that deposits and invoices depend on. */
export interface WithdrawalFacts {
  /** The block of each withdrawal, and whether it failed there: a query to compose. */
  blocks(on: Runner): AliasableExpression<{ id: number; height: number | null; is_reverted: number }>;
  /** Blocks that hold a withdrawal on a chain: a query to compose. */
  anchors(on: Runner, chain: ChainName): Expression<{ height: number | null; hash: string | null }>;
  /** What withdrawals and gas funding have moved at addresses since a height, by address. */
  movements(
    on: Runner,
    chain: ChainName,
    addresses: readonly string[],
    since: number,
  ): Promise<{ address: string; movement: Movement }[]>;
  findOwnPayment(on: Runner, txHash: string): Promise<OwnPayment | null>;
  /** Of some deposits those that no withdrawal holds. */
  findFree(on: Runner, deposits: readonly HeldDeposit[]): Promise<HeldDeposit[]>;
}

/** What deposits need of the rest of the service. */
export interface DepositsContext extends WalletsContext {
  deposits: DepositListener;
  withdrawals: WithdrawalFacts;
}
