import { keccak_256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'micro-eth-signer';
import { requireAddress } from './checksum.ts';
import type { FeeCaps } from './fees.ts';

export type Hex = `0x${string}`;

type Eip1559 = ReturnType<typeof Transaction.prepare<'eip1559'>>;
type AnyTransaction = ReturnType<typeof Transaction.fromHex>;

/** What is signed of a transaction of type 2 (EIP-1559). Amounts are wei. */
export interface TransactionFields extends FeeCaps {
  chainId: number;
  nonce: number;
  to: string;
  value: bigint;
  data: Hex;
  gasLimit: bigint;
}

/** A signed transaction as it was read. */
export interface ParsedTransaction {
  fields: TransactionFields;
  /** The fields in the form that was signed. */
  unsigned: string;
  /** Who signed it. */
  sender: string;
}

/** `0x02` and the list of its fields (EIP-2718): what a signer signs. */
export function serializeUnsigned(fields: TransactionFields): string {
  return toLibraryTransaction(fields).toHex({ includeSignature: false });
}

/** The same fields are signed alike each time (RFC 6979). */
export function signTransaction(fields: TransactionFields, privateKey: Hex): { raw: string; txHash: string } {
  const signed = toLibraryTransaction(fields).signBy(privateKey, false);
  return { raw: signed.toHex(), txHash: signed.hash };
}

/** Reads what `unsignedForm` wrote. */
export function parseUnsigned(unsigned: string): TransactionFields {
  return toFields(Transaction.fromHex(unsigned));
}

/** Reads a transaction of type 2 from hexadecimal; null where it is not signed. Throws where it cannot be read. */
export function parseSigned(raw: string): ParsedTransaction | null {
  const transaction = Transaction.fromHex(raw);
  if (!transaction.isSigned) return null;
  return {
    fields: toFields(transaction),
    unsigned: transaction.toHex({ includeSignature: false }),
    sender: transaction.sender,
  };
}

/** The hash of bytes in hexadecimal: of a signed transaction, that by which nodes know it. */
export function keccak256(hex: string): Hex {
  return `0x${Buffer.from(keccak_256(Buffer.from(hex.slice(2), 'hex'))).toString('hex')}`;
}

export function toQuantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

function toLibraryTransaction(fields: TransactionFields): Eip1559 {
  const { chainId, nonce, to, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const numbers = { chainId: BigInt(chainId), nonce: BigInt(nonce), gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  // Not strict: that would refuse fees above limits of the library's own.
  return Transaction.prepare(
    { type: 'eip1559', ...numbers, to: requireAddress(to), value, data, accessList: [] },
    false,
  );
}

function toFields(transaction: AnyTransaction): TransactionFields {
  if (transaction.type !== 'eip1559') throw new Error('It is not of type 2 (EIP-1559).');
  const { raw } = transaction as Eip1559;
  if (raw.accessList.length > 0) throw new Error('It has an access list.');
  if (raw.to === '0x') throw new Error('It creates a contract.');
  return {
    ...{ chainId: Number(raw.chainId), nonce: Number(raw.nonce), to: requireAddress(raw.to), value: raw.value },
    ...{ data: raw.data as Hex, gasLimit: raw.gasLimit },
    ...{ maxFeePerGas: raw.maxFeePerGas, maxPriorityFeePerGas: raw.maxPriorityFeePerGas },
  };
}
