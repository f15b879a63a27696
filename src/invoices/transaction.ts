import type { Selectable } from 'kysely';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { CryptoLabel, CryptoStatus, InvoiceType } from '../shared/crypto-status.ts';
import type { CryptoTransaction as WireTransaction } from '../api/crypto-transaction.ts';
import type { Instant } from '../shared/time.ts';
import type { CryptoTransactionTable } from './schema.ts';
import type { EvaluatedTransaction } from './evaluate.ts';

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
  rejection: EvaluatedTransaction['rejection'];
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

/** What the judge looks at. A user's wallet takes any amount, whatever the merchant had in mind. */
export function evaluatedOf(transaction: CryptoTransaction): EvaluatedTransaction {
  return { ...transaction, amountRequired: transaction.type === 'user' ? null : transaction.amountRequired };
}
