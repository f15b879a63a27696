/**
 * Accounts of the ledger. Assets and expenses grow by debits, liabilities by credits.
 *
 * - `wallet`: what a wallet holds of a currency, from deposits in blocks
 * - `mempool`: deposits that are not in a block yet
 * - `gas`: money at a wallet that belongs to no deposit: gas funding, unspent parts of fees, surplus that was settled
 * - `gas_wallet`: what the operator's gas wallet has paid out since the ledger was opened
 * - `network_fees`: fees that the operator has paid (gas of token transfers and failed transactions)
 * - `adjustments`: what the operator has lost or gained by differences that were settled
 */
type AssetAccount = 'wallet' | 'mempool' | 'gas' | 'gas_wallet' | 'network_fees' | 'adjustments';

/**
 * What deposits are owed as.
 *
 * - `incoming`: seen in the mempool
 * - `unconfirmed`: in a block, accepted, with too few confirmations
 * - `in_review`: a person has to approve or reject
 * - `credited`: the merchant's
 * - `unattributed`: received after the address was retired
 * - `rejected`: rejected, to be refunded or already refunded
 * - `withdrawn`: spent by a withdrawal that is in a block
 * - `written_off`: spent outside the service; nothing is owed for it any more
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
  /** A deposit or withdrawal from before there was a ledger. */
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

/** One movement: debits one account and credits another with the same amount, so that the books always balance. */
export interface Entry {
  chain: string;
  code: string;
  kind: EntryKind;
  debit: Account;
  credit: Account;
  /** In the smallest unit; above zero. */
  amount: bigint;
  merchantId: number | null;
  walletId: number | null;
  depositId: number | null;
  withdrawalId: number | null;
}
