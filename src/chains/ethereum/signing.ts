import { HDKey } from '@scure/bip32';
import { addr } from 'micro-eth-signer';
import { type AddressPath, deriveKey } from './addresses.ts';
import { type Hex, signTransaction, type TransactionFields } from './transaction.ts';

/** What `Chain.send` takes, and the hash by which it is looked up. */
export interface SignedTransaction {
  raw: string;
  txHash: string;
}

/** Somebody who can send from an address. */
export interface Signer {
  address: string;
  /** The same fields are signed alike each time (RFC 6979): sent twice, it is one transaction. */
  sign(fields: TransactionFields): SignedTransaction;
}

const privateKeyPattern = /^0x[0-9a-fA-F]{64}$/;

/** By a private key in hexadecimal: that of the gas wallet. */
export function createSigner(privateKey: string): Signer {
  // What is wrong with a key must not repeat it.
  if (!privateKeyPattern.test(privateKey)) throw new RangeError('A private key is 32 bytes in hexadecimal, with 0x');
  const key = privateKey as Hex;
  return {
    address: addr.fromPrivateKey(key),
    sign: (fields) => signTransaction(fields, key),
  };
}

/** The wallet at `/0/INDEX` below an account's extended private key (BIP 32). */
export function createWalletSigner(accountKey: string, index: number): Signer {
  return createSignerAt(accountKey, { chain: 0, index });
}

/** Whoever has the address at a place below an account, by its extended private key. */
export function createSignerAt(accountKey: string, path: AddressPath): Signer {
  const { privateKey } = deriveKey(HDKey.fromExtendedKey(accountKey), path);
  if (!privateKey) throw new RangeError('The account key is a public one; nothing can be signed with it');
  return createSigner(`0x${Buffer.from(privateKey).toString('hex')}`);
}
