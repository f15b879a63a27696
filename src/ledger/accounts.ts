/**
 * Ledger accounts. Debits increase assets and expenses; credits increase liabilities.
 *
 * - `wallet`: balance of a wallet in one currency, from deposits in blocks
 * - `mempool`: deposits that are not in a block yet
 * - `gas`: funds in a wallet that do not come from a deposit: gas funding, unspent fees, resolved surplus
 * - `gas_wallet`: amount that the operator's gas wallet has paid out since the ledger was opened
 * - `network_fees`: fees paid by the operator (gas of token transfers and failed transactions)
 * - `adjustments`: the operator's gains and losses from resolved differences
 */
type AssetAccount = 'wallet' | 'mempool' | 'gas' | 'gas_wallet' | 'network_fees' | 'adjustments';

/**
 * Liability accounts of deposits.
 *
 * - `incoming`: seen in the mempool
 * - `unconfirmed`: in a block and accepted, with too few confirmations
 * - `in_review`: awaiting manual review
 * - `credited`: owed to the merchant
 * - `unattributed`: received after the address was retired
 * - `rejected`: rejected; to be refunded or already refunded
 * - `withdrawn`: spent by a withdrawal that is in a block
 * - `written_off`: spent outside the service; no longer owed
 */
const depositAccounts = [
  'incoming',
  'unconfirmed',
  'in_review',
  'credited',
  'unattributed',
  'rejected',
  'withdrawn',
  'written_off',
] as const;
export type DepositAccount = (typeof depositAccounts)[number];

export type Account = AssetAccount | DepositAccount;

export type EntryKind =
  /** A deposit or withdrawal that is older than the ledger. */
  | 'opening'
  | 'deposit_seen'
  | 'deposit_dropped'
  | 'deposit_mined'
  | 'deposit_unmined'
  | 'credit'
  | 'credit_reversal'
  | 'review'
  | 'withdrawal'
  | 'network_fee'
  | 'fee_unspent'
  | 'gas_funding'
  | 'write_off'
  | 'write_off_reversal'
  /** A block that held a withdrawal is no longer in the chain. */
  | 'withdrawal_reversal';

/** One movement: it debits one account and credits another with the same amount, so the ledger always balances. */
export interface Entry {
  chain: string;
  code: string;
  kind: EntryKind;
  debit: Account;
  credit: Account;
  /** In the smallest unit; greater than 0. */
  amount: bigint;
  merchantId: number | null;
  walletId: number | null;
  depositId: number | null;
  withdrawalId: number | null;
}
