import { keccak_256 } from '@noble/hashes/sha3.js';
import { Transaction } from 'micro-eth-signer';
import { requireAddress } from './checksum.ts';
import type { FeeCaps } from './fees.ts';

export type Hex = `0x${string}`;

type Eip1559 = ReturnType<typeof Transaction.prepare<'eip1559'>>;
type AnyTransaction = ReturnType<typeof Transaction.fromHex>;

/** Signed fields of a type 2 transaction (EIP-1559). Amounts are wei. */
export interface TransactionFields extends FeeCaps {
  chainId: number;
  nonce: number;
  to: string;
  value: bigint;
  data: Hex;
  gasLimit: bigint;
}

/** A parsed signed transaction. */
export interface ParsedTransaction {
  fields: TransactionFields;
  /** Serialized fields without the signature. */
  unsigned: string;
  /** Address that signed it. */
  sender: string;
}

/** Serializes the fields for signing: `0x02` and their list (EIP-2718). */
export function serializeUnsigned(fields: TransactionFields): string {
  return toLibraryTransaction(fields).toHex({ includeSignature: false });
}

/** Deterministic: the same fields produce the same signature (RFC 6979). */
export function signTransaction(fields: TransactionFields, privateKey: Hex): { raw: string; txHash: string } {
  const signed = toLibraryTransaction(fields).signBy(privateKey, false);
  return { raw: signed.toHex(), txHash: signed.hash };
}

/** Parses the output of `serializeUnsigned`. */
export function parseUnsigned(unsigned: string): TransactionFields {
  return toFields(Transaction.fromHex(unsigned));
}

/** Parses a type 2 transaction in hexadecimal; null if it is not signed. Throws if it is malformed. */
export function parseSigned(raw: string): ParsedTransaction | null {
  const transaction = Transaction.fromHex(raw);
  if (!transaction.isSigned) return null;
  return {
    fields: toFields(transaction),
    unsigned: transaction.toHex({ includeSignature: false }),
    sender: transaction.sender,
  };
}

/** Hash of bytes in hexadecimal. For a signed transaction this is its transaction hash. */
export function keccak256(hex: string): Hex {
  return `0x${Buffer.from(keccak_256(Buffer.from(hex.slice(2), 'hex'))).toString('hex')}`;
}

export function toQuantity(value: number | bigint): Hex {
  return `0x${value.toString(16)}`;
}

function toLibraryTransaction(fields: TransactionFields): Eip1559 {
  const { chainId, nonce, to, value, data, gasLimit, maxFeePerGas, maxPriorityFeePerGas } = fields;
  const numbers = { chainId: BigInt(chainId), nonce: BigInt(nonce), gasLimit, maxFeePerGas, maxPriorityFeePerGas };
  // Not strict: strict mode rejects fees above limits of the library.
  return Transaction.prepare(
    { type: 'eip1559', ...numbers, to: requireAddress(to), value, data, accessList: [] },
    false,
  );
}

function toFields(transaction: AnyTransaction): TransactionFields {
  if (transaction.type !== 'eip1559') throw new Error('The transaction must be of type 2 (EIP-1559).');
  const { raw } = transaction as Eip1559;
  if (raw.accessList.length > 0) throw new Error('The transaction must not have an access list.');
  if (raw.to === '0x') throw new Error('The transaction must not create a contract.');
  return {
    ...{ chainId: Number(raw.chainId), nonce: Number(raw.nonce), to: requireAddress(raw.to), value: raw.value },
    ...{ data: raw.data as Hex, gasLimit: raw.gasLimit },
    ...{ maxFeePerGas: raw.maxFeePerGas, maxPriorityFeePerGas: raw.maxPriorityFeePerGas },
  };
}
