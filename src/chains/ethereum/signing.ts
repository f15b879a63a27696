import { HDKey } from '@scure/bip32';
import { addr } from 'micro-eth-signer';
import type { AddressPath } from '../spender.ts';
import { deriveKey } from './addresses.ts';
import { type Hex, signTransaction, type TransactionFields } from './transaction.ts';

/** Input of `Chain.broadcast`, and the transaction's hash. */
interface SignedTransaction {
  raw: string;
  txHash: string;
}

/** Signs transactions of one address. */
export interface Signer {
  address: string;
  /** Deterministic (RFC 6979): signing the same fields twice produces the same transaction. */
  sign(fields: TransactionFields): SignedTransaction;
}

const privateKeyPattern = /^0x[0-9a-fA-F]{64}$/;

/** Creates a signer from a private key in hexadecimal. */
export function createSigner(privateKey: string): Signer {
  // The error must not contain the key.
  if (!privateKeyPattern.test(privateKey))
    throw new RangeError('A private key must be 32 bytes in hexadecimal, with 0x.');
  const key = privateKey as Hex;
  return {
    address: addr.fromPrivateKey(key),
    sign: (fields) => signTransaction(fields, key),
  };
}

/** Creates the signer at a path below an account's extended private key (BIP 32). */
export function createSignerAt(accountKey: string, path: AddressPath): Signer {
  const { privateKey } = deriveKey(HDKey.fromExtendedKey(accountKey), path);
  if (!privateKey) throw new RangeError('The account key is public. Signing needs the private key.');
  return createSigner(`0x${Buffer.from(privateKey).toString('hex')}`);
}
