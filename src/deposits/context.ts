import type { AliasableExpression, Expression } from 'kysely';
import type { UnitOfWork } from '../database/database.ts';
import type { Runner } from '../database/engine.ts';
import type { ChainName } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import type { WalletsContext } from '../wallets/context.ts';
import type { Wallet } from '../wallets/schema.ts';
import type { Movement } from './balances/movements.ts';
import type { RemainingDeposit } from './deposit.ts';
import type { WalletChanges } from './changes.ts';

/** Called by the scan; implemented by invoices, which attribute deposits. */
interface DepositListener {
  /**
   * Locks wallets, and the wallets of the invoices that their deposits are credited to. Null if an invoice moved while
   * waiting for locks: the caller must then end the unit of work without changes.
   */
  lockAffectedWallets(unit: UnitOfWork, walletIds: readonly number[]): Promise<Map<number, Wallet> | null>;
  /** Records changes to a wallet's deposits, and applies them to its invoices. */
  recordChanges(unit: UnitOfWork, walletId: number, changes: WalletChanges, tipHeight: number): Promise<void>;
  /** Expires unpaid invoices of a chain that was scanned up to its tip at `moment`; returns the number. */
  expireInvoices(chain: ChainName, moment: Instant): Promise<number>;
  /** Subquery: the earliest expiry up to a given time. */
  nextExpiry(chain: ChainName, upTo: Instant): Expression<Instant | null>;
  /** Returns the IDs of those wallets that have an open invoice. */
  findWithOpenInvoice(reader: Runner, walletIds: readonly number[]): Promise<number[]>;
  /** Returns the IDs of those wallets whose last invoice changed at or after `since`. */
  findWithInvoiceSince(reader: Runner, walletIds: readonly number[], since: Instant): Promise<number[]>;
  /** Runs after the commit of a block. */
  onBlockScanned(chain: ChainName): void;
}

/** The withdrawal that sent a transaction to one of our wallets: gas funding, or a cancellation's return. */
export interface OwnTransfer {
  /** ID of the withdrawal. */
  id: number;
  source: 'credited' | 'refunding' | 'stray' | 'rejected' | null;
  /** 1 if the transaction cancels the withdrawal and returns its funds. */
  cancels: number;
}

/** Facts about withdrawals that deposits and invoices depend on. */
export interface WithdrawalFacts {
  /** Composable query: the status and block of each withdrawal, and whether it was reverted there. */
  selectBlocks(
    reader: Runner,
  ): AliasableExpression<{ id: number; height: number | null; is_reverted: number; status: string }>;
  /** Composable query: withdrawals of the merchants that are not in a block, and have not failed. */
  selectInProgress(reader: Runner, merchantIds: readonly number[]): Expression<number>;
  /** Composable query: blocks of a chain that contain a withdrawal. */
  selectWithdrawalBlocks(reader: Runner, chain: ChainName): Expression<{ height: number | null; hash: string | null }>;
  /** Balance changes of the given addresses: withdrawals and gas funding after a height, and pending gas funding. */
  readMovements(
    reader: Runner,
    chain: ChainName,
    addresses: readonly string[],
    since: number,
  ): Promise<{ address: string; movement: Movement }[]>;
  findOwnTransfer(reader: Runner, txHash: string): Promise<OwnTransfer | null>;
  /** Filters deposits that are not assigned to a withdrawal. */
  filterUnassigned(reader: Runner, deposits: readonly RemainingDeposit[]): Promise<RemainingDeposit[]>;
}

/** Dependencies of deposits. */
export interface DepositsContext extends WalletsContext {
  deposits: DepositListener;
  withdrawals: WithdrawalFacts;
}
