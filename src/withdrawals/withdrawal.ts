import type { AddressPath } from '../chains/spender.ts';
import type { RecordOf, SelectedRow } from '../database/record.ts';
import { type versionRecord, withdrawalRecord } from './schema.ts';

type Stored = RecordOf<typeof withdrawalRecord>;

export interface Withdrawal extends Omit<Stored, 'sender' | 'senderChain' | 'senderIndex' | 'height' | 'blockHash'> {
  /** On account-based chains: the sending address. */
  sender: { address: string; path: AddressPath } | null;
  /** Block of its mined transaction; null before. */
  block: { height: number; hash: string } | null;
}

export function toWithdrawal(row: SelectedRow<typeof withdrawalRecord>): Withdrawal {
  const { sender, senderChain, senderIndex: index, height, blockHash: hash, ...rest } = withdrawalRecord.read(row);
  const chain = senderChain === 1 ? 1 : 0;
  return {
    ...rest,
    sender: sender === null || index === null ? null : { address: sender, path: { chain, index } },
    block: height === null || hash === null ? null : { height, hash },
  };
}

/** A row to insert, or its columns to update; never its ID. */
export function toRow({ sender, block, ...rest }: Omit<Withdrawal, 'id'> & { id?: number }) {
  const { id: _id, ...fields } = rest;
  return withdrawalRecord.write({
    ...fields,
    sender: sender?.address ?? null,
    senderChain: sender?.path.chain ?? null,
    senderIndex: sender?.path.index ?? null,
    height: block?.height ?? null,
    blockHash: block?.hash ?? null,
  });
}

export interface Version extends Omit<RecordOf<typeof versionRecord>, 'merchantId' | 'withdrawalId' | 'createdAt'> {}

/** A signed version, ready to send. */
export type SignedVersion = Version & { raw: string; txHash: string };

export function isSigned(version: Version): version is SignedVersion {
  return version.raw !== null && version.txHash !== null;
}

/** True if a canceling transaction can still be mined, or was. */
export function isCanceling({ cancelRequestedAt, status, block, isCancelled }: Withdrawal): boolean {
  if (cancelRequestedAt === null || status === 'confirmed' || status === 'failed') return false;
  return block === null || isCancelled;
}

/** Confirmations of a withdrawal at a tip height. */
export function confirmationsOf({ block }: Pick<Withdrawal, 'block'>, tipHeight: number): number {
  return block === null ? 0 : Math.max(0, tipHeight - block.height + 1);
}
