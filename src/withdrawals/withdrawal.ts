import type { Selectable } from 'kysely';
import type { ChainName, CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import type { Instant } from '../shared/time.ts';
import type { WaitReason, WithdrawalPurpose, WithdrawalStatus } from '../api/withdrawal.ts';
import type { WithdrawalTable, WithdrawalVersionTable } from './schema.ts';
import type { SenderPath } from '../chains/spender.ts';

/** What a withdrawal waits for; rates are of the smallest unit: satoshi for a virtual byte, wei for a unit of gas. */
export interface WaitsFor {
  reason: WaitReason;
  detail: string;
  feeNow: string | null;
  limit: string | null;
}

/** Money that leaves wallets. Amounts are of the smallest unit. */
export interface Withdrawal {
  id: number;
  merchantId: number;
  /** What outsiders know it by. */
  publicId: string;
  chain: ChainName;
  code: CryptoCurrencyCode;
  purpose: WithdrawalPurpose;
  /** What its money must be until it is sent; null for gas, which is the operator's. */
  source: WithdrawalTable['source'];
  status: WithdrawalStatus;
  waitsFor: WaitsFor | null;
  failure: string | null;
  destination: string;
  transactionId: number | null;
  /** Of gas: the withdrawal that it is for. */
  fundsId: number | null;
  requestedBy: string | null;
  /** On chains with accounts: who sends it. */
  sender: { address: string; path: SenderPath } | null;
  nonce: number | null;
  spent: bigint;
  amount: bigint | null;
  fee: bigint | null;
  feeRate: bigint | null;
  feeLimit: bigint | null;
  txHash: string | null;
  /** The block that holds it. */
  block: { height: number; hash: string } | null;
  /** Whether it failed in that block, and moved nothing. */
  isReverted: boolean;
  /** On chains with accounts: the fee paid in its block. */
  feePaid: bigint | null;
  /** On chains with accounts: the part of `spent` that was no longer at the wallet. */
  writtenOff: bigint | null;
  /** It goes to a new address: nothing leaves before then. */
  heldUntil: Instant | null;
  /** When a manager asked for a transaction that takes the place of those signed; null where none did. */
  cancelRequestedAt: Instant | null;
  /** Whether the transaction in its block is one that cancels it. */
  isCancelled: boolean;
  sequence: number;
  createdAt: Instant;
  updatedAt: Instant;
}

type WithdrawalRow = Selectable<WithdrawalTable>;

const big = (digits: string | null) => (digits === null ? null : BigInt(digits));
const text = (amount: bigint | null) => amount?.toString() ?? null;

export function toWithdrawal(row: WithdrawalRow): Withdrawal {
  const { sender, sender_chain: chain, sender_index: index, height, block_hash: hash } = row;
  return {
    id: row.id,
    merchantId: row.merchant_id,
    publicId: row.public_id,
    chain: row.chain as ChainName,
    code: row.code as CryptoCurrencyCode,
    purpose: row.purpose,
    source: row.source,
    status: row.status,
    waitsFor: row.waits_for === null ? null : (JSON.parse(row.waits_for) as WaitsFor),
    failure: row.failure,
    destination: row.destination,
    transactionId: row.crypto_transaction_id,
    fundsId: row.funds_id,
    requestedBy: row.requested_by,
    sender: sender === null || index === null ? null : { address: sender, path: { chain: chain === 1 ? 1 : 0, index } },
    nonce: row.nonce,
    spent: BigInt(row.spent),
    amount: big(row.amount),
    fee: big(row.fee),
    feeRate: big(row.fee_rate),
    feeLimit: big(row.fee_limit),
    txHash: row.tx_hash,
    block: height === null || hash === null ? null : { height, hash },
    isReverted: row.is_reverted === 1,
    feePaid: big(row.fee_paid),
    writtenOff: big(row.written_off),
    heldUntil: row.held_until,
    cancelRequestedAt: row.cancel_requested_at,
    isCancelled: row.is_cancelled === 1,
    sequence: row.sequence,
    createdAt: row.created_at,
    updatedAt: row.updated_at,
  };
}

export function toRow(withdrawal: Omit<Withdrawal, 'id'>): Omit<WithdrawalRow, 'id'> {
  const { sender, block } = withdrawal;
  return {
    merchant_id: withdrawal.merchantId,
    public_id: withdrawal.publicId,
    chain: withdrawal.chain,
    code: withdrawal.code,
    purpose: withdrawal.purpose,
    source: withdrawal.source,
    status: withdrawal.status,
    waits_for: withdrawal.waitsFor === null ? null : JSON.stringify(withdrawal.waitsFor),
    failure: withdrawal.failure,
    destination: withdrawal.destination,
    crypto_transaction_id: withdrawal.transactionId,
    funds_id: withdrawal.fundsId,
    requested_by: withdrawal.requestedBy,
    sender: sender?.address ?? null,
    sender_chain: sender?.path.chain ?? null,
    sender_index: sender?.path.index ?? null,
    nonce: withdrawal.nonce,
    spent: withdrawal.spent.toString(),
    amount: text(withdrawal.amount),
    fee: text(withdrawal.fee),
    fee_rate: text(withdrawal.feeRate),
    fee_limit: text(withdrawal.feeLimit),
    tx_hash: withdrawal.txHash,
    height: block?.height ?? null,
    block_hash: block?.hash ?? null,
    is_reverted: withdrawal.isReverted ? 1 : 0,
    fee_paid: text(withdrawal.feePaid),
    written_off: text(withdrawal.writtenOff),
    held_until: withdrawal.heldUntil,
    cancel_requested_at: withdrawal.cancelRequestedAt,
    is_cancelled: withdrawal.isCancelled ? 1 : 0,
    sequence: withdrawal.sequence,
    created_at: withdrawal.createdAt,
    updated_at: withdrawal.updatedAt,
  };
}

/** A transaction made for a withdrawal; of all that there are for one, one at most is ever mined. */
export interface Version {
  id: number;
  number: number;
  unsigned: string;
  /** As it is sent; null until it is signed. */
  raw: string | null;
  txHash: string | null;
  amount: bigint;
  fee: bigint;
  feeRate: bigint;
  /** Of the rate, the part that the block's producer gets; null where a chain has no such part. */
  priorityRate: bigint | null;
  /** The height of the last block before it could first be sent. */
  since: number;
  /** The height of the last block when it was signed. */
  signedHeight: number | null;
  sentAt: Instant | null;
  refusal: string | null;
  /** Whether it returns the money instead of sending it. */
  cancels: boolean;
}

export function toVersion(row: Selectable<WithdrawalVersionTable>): Version & { withdrawalId: number } {
  return {
    id: row.id,
    withdrawalId: row.withdrawal_id,
    number: row.number,
    unsigned: row.unsigned,
    raw: row.raw,
    txHash: row.tx_hash,
    amount: BigInt(row.amount),
    fee: BigInt(row.fee),
    feeRate: BigInt(row.fee_rate),
    priorityRate: big(row.priority_rate),
    since: row.since,
    signedHeight: row.signed_height,
    sentAt: row.sent_at,
    refusal: row.refusal,
    cancels: row.cancels === 1,
  };
}

/** What is signed, as it is to be sent. */
export type SignedVersion = Version & { raw: string; txHash: string };

export function isSigned(version: Version): version is SignedVersion {
  return version.raw !== null && version.txHash !== null;
}

/** Whether a transaction that cancels it may still be the one that is mined. */
export function isCancelling({ cancelRequestedAt, status, block, isCancelled }: Withdrawal): boolean {
  if (cancelRequestedAt === null || status === 'confirmed' || status === 'failed') return false;
  return block === null || isCancelled;
}

/** Blocks that hold it, when the last block has this height. */
export function confirmationsOf({ block }: Pick<Withdrawal, 'block'>, tipHeight: number): number {
  return block === null ? 0 : Math.max(0, tipHeight - block.height + 1);
}
