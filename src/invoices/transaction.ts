import type { Selectable } from 'kysely';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CryptoLabel, CryptoStatus, InvoiceType } from '../shared/crypto-status.ts';
import type { CryptoTransaction as WireTransaction } from '../api/crypto-transaction.ts';
import type { Instant } from '../shared/time.ts';
import type { ChainPaymentTable } from '../deposits/schema.ts';
import type { CryptoTransactionTable } from './schema.ts';
import type { WalletTable } from '../wallets/schema.ts';
import type { JudgedTransaction } from './judge.ts';

/** An invoice, or money that belongs to none. Amounts are of the currency's smallest unit. */
export interface CryptoTransaction {
  id: number;
  merchantId: number;
  /** What outsiders know it by. */
  publicId: string;
  /** The merchant's own reference; null for money that belongs to no invoice, and for what pays a payment link. */
  txId: string | null;
  /** `transaction_id` of the fiat payment that it pays; null where it stands for itself. */
  paysFor: string | null;
  /** `unidentified` money belongs to no invoice, `stray` money came to a wallet that is no longer used. */
  kind: 'invoice' | 'unidentified' | 'stray';
  type: InvoiceType;
  chain: ChainName;
  code: CryptoCurrencyCode;
  walletId: number;
  meantForId: number | null;
  status: CryptoStatus;
  labels: readonly CryptoLabel[];
  givenLabels: readonly CryptoLabel[];
  /** What was asked for; of a user's wallet only what the merchant had in mind. */
  amountRequired: bigint | null;
  tolerance: bigint;
  amount: bigint;
  amountCredited: bigint;
  /** A decimal. */
  processingFeePercent: string;
  minConfirmations: number;
  rejection: JudgedTransaction['rejection'];
  refundAddress: string | null;
  decidedBy: string | null;
  decidedAt: Instant | null;
  decisionReason: string | null;
  exchangeRate: WireTransaction['exchangeRate'];
  comment: string | null;
  /** The cancelled withdrawal that returned this money. No payer sent it: it is not listed and has no events. */
  returnedBy: number | null;
  /** Number of the last event. */
  sequence: number;
  createdAt: Instant;
  updatedAt: Instant;
  expiresAt: Instant | null;
}

export type TransactionRow = Selectable<CryptoTransactionTable>;

export const transactionColumns = [
  'id',
  'merchant_id',
  'public_id',
  'tx_id',
  'pays_for',
  'kind',
  'type',
  'chain',
  'code',
  'wallet_id',
  'meant_for_id',
  'status',
  'labels',
  'given_labels',
  'amount_required',
  'tolerance',
  'amount',
  'amount_credited',
  'processing_fee_percent',
  'min_confirmations',
  'rejection',
  'refund_address',
  'decided_by',
  'decided_at',
  'decision_reason',
  'exchange_rate',
  'comment',
  'returned_by',
  'sequence',
  'created_at',
  'updated_at',
  'expires_at',
] as const satisfies readonly (keyof TransactionRow)[];

export function toTransaction(row: TransactionRow): CryptoTransaction {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    publicId: row.public_id,
    txId: row.tx_id,
    paysFor: row.pays_for,
    kind: row.kind,
    type: row.type,
    chain: row.chain as ChainName,
    code: row.code as CryptoCurrencyCode,
    walletId: row.wallet_id,
    meantForId: row.meant_for_id,
    status: row.status as CryptoStatus,
    labels: JSON.parse(row.labels) as CryptoLabel[],
    givenLabels: JSON.parse(row.given_labels) as CryptoLabel[],
    amountRequired: row.amount_required === null ? null : BigInt(row.amount_required),
    tolerance: BigInt(row.tolerance),
    amount: BigInt(row.amount),
    amountCredited: BigInt(row.amount_credited),
    processingFeePercent: row.processing_fee_percent,
    minConfirmations: row.min_confirmations,
    rejection: row.rejection as CryptoTransaction['rejection'],
    refundAddress: row.refund_address,
    decidedBy: row.decided_by,
    decidedAt: row.decided_at,
    decisionReason: row.decision_reason,
    exchangeRate:
      row.exchange_rate === null ? null : (JSON.parse(row.exchange_rate) as WireTransaction['exchangeRate']),
    comment: row.comment,
    returnedBy: row.returned_by,
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
    expiresAt: row.expires_at,
  };
}

/** An address of ours that payers get. */
export interface Wallet {
  id: number;
  merchantId: number;
  chain: ChainName;
  code: CryptoCurrencyCode;
  type: InvoiceType;
  accountId: number;
  derivationIndex: number;
  address: string;
  state: WalletTable['state'];
  /** What blocks brought of its currency and nobody has withdrawn. */
  balance: bigint;
}

export const walletColumns = [
  'id',
  'merchant_id',
  'chain',
  'code',
  'type',
  'wallet_account_id',
  'derivation_index',
  'address',
  'state',
  'balance',
] as const satisfies readonly (keyof Selectable<WalletTable>)[];

export function toWallet(row: Pick<Selectable<WalletTable>, (typeof walletColumns)[number]>): Wallet {
  return {
    id: row.id,
    merchantId: row.merchant_id,
    chain: row.chain as ChainName,
    code: row.code as CryptoCurrencyCode,
    type: row.type,
    accountId: row.wallet_account_id,
    derivationIndex: row.derivation_index,
    address: row.address,
    state: row.state,
    balance: BigInt(row.balance),
  };
}

/** Money that was seen on a chain at a wallet. */
export interface SeenPayment {
  id: number;
  walletId: number;
  transactionId: number;
  code: CryptoCurrencyCode;
  paymentKey: string;
  txHash: string;
  amount: bigint;
  state: ChainPaymentTable['state'];
  decision: ChainPaymentTable['decision'];
  /** Of the block that holds it. */
  height: number | null;
  countsAt: number | null;
  /** Spent outside the service: the payment keeps its history, and its amount is no longer at the wallet. */
  writtenOffAt: Instant | null;
  /** The part of the amount that was written off while the rest is at the wallet. */
  writtenOff: bigint;
  /** The deposit that vanished and whose place this one takes. */
  replacesId: number | null;
  seenAt: Instant;
}

export const paymentColumns = [
  'id',
  'wallet_id',
  'crypto_transaction_id',
  'code',
  'payment_key',
  'tx_hash',
  'amount',
  'state',
  'decision',
  'height',
  'counts_at',
  'written_off_at',
  'written_off',
  'replaces_id',
  'seen_at',
] as const satisfies readonly (keyof Selectable<ChainPaymentTable>)[];

export function toSeenPayment(row: Pick<Selectable<ChainPaymentTable>, (typeof paymentColumns)[number]>): SeenPayment {
  return {
    id: row.id,
    walletId: row.wallet_id,
    transactionId: row.crypto_transaction_id,
    code: row.code as CryptoCurrencyCode,
    paymentKey: row.payment_key,
    txHash: row.tx_hash,
    amount: BigInt(row.amount),
    state: row.state,
    decision: row.decision,
    height: row.height,
    countsAt: row.counts_at,
    writtenOffAt: row.written_off_at,
    writtenOff: BigInt(row.written_off ?? 0),
    replacesId: row.replaces_id,
    seenAt: row.seen_at,
  };
}

/** Blocks that hold a payment, when the last block has this height: 0 while it waits for one, null when it is gone. */
export function confirmationsOf({ state, height }: SeenPayment, tipHeight: number): number | null {
  if (state === 'gone') return null;
  if (state === 'waiting' || height === null) return 0;
  return Math.max(0, tipHeight - height + 1);
}

/** What the judge looks at. A user's wallet takes any amount, whatever the merchant had in mind. */
export function judgedOf(transaction: CryptoTransaction): JudgedTransaction {
  return { ...transaction, amountRequired: transaction.type === 'user' ? null : transaction.amountRequired };
}
