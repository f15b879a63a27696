import { base64, hex } from '@scure/base';
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import type { KeyOrigin } from '../family.ts';
import { createExternalKeys, EXTERNAL_CHAIN, parseAccountKey } from './account-key.ts';
import { createBitcoinAddresses } from './addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';

/** A P2WPKH output at `/0/INDEX` below the account. */
export interface OwnOutput {
  txid: string;
  vout: number;
  /** Satoshi. */
  amount: bigint;
  index: number;
}

export interface SweepRequest {
  network: NetworkParameters;
  /** The account's extended public key. */
  accountKey: string;
  /** If unknown, the account key counts as the master key. */
  origin?: KeyOrigin;
  /** At least one, without duplicates. */
  outputs: readonly OwnOutput[];
  /** Any standard address of the network. */
  destination: string;
  /** Satoshi per virtual byte, at least 1. */
  feeRate: bigint;
  /** `account_key`: signed by `signSweep`, with short signatures. `any`: signed externally, with signatures up to the maximum length. */
  signer: 'account_key' | 'any';
}

export type SweepResult =
  | {
      kind: 'built';
      /** BIP 174, base64. */
      psbt: string;
      /** ID of the signed transaction: segwit signatures are not part of it (BIP 141). */
      txid: string;
      /** Sum of the outputs minus the fee. */
      amount: bigint;
      fee: bigint;
      /** With the longest signatures of the signer. */
      virtualBytes: bigint;
    }
  /** `too_little`: at most the fee and dust; `too_many`: larger than nodes relay. */
  | { kind: 'refused'; reason: 'too_little' | 'too_many'; sum: bigint; fee: bigint };

export interface SignedSweep {
  /** Hexadecimal. */
  raw: string;
  txid: string;
  destination: string;
  amount: bigint;
  fee: bigint;
  virtualBytes: bigint;
}

/** Signals replaceability (BIP 125) without a time lock. */
const REPLACEABLE = 0xfffffffd;
/** Largest transaction that nodes relay, in weight units (Bitcoin Core's `policy.h`). */
const MAX_WEIGHT = 400_000n;
/**
 * Bytes of a signature including its type: both integers in the lower half of their range, or only the second
 * (BIP 62). One in 128 is a byte shorter; that byte's fee goes to the miner.
 */
const SIGNATURE_BYTES = { account_key: 71, any: 72 } as const;
/** Weight units per virtual byte, and per byte outside witnesses (BIP 141). */
const WITNESS_SCALE = 4n;

/**
 * Builds a transaction that sends outputs to one address without change. The fee is the virtual size times the rate, and
 * is taken from the sum. The same request builds the same transaction in any order of outputs (BIP 69); a higher rate
 * builds its replacement (BIP 125). Throws if the request is invalid.
 */
export function buildSweep({
  network,
  accountKey,
  origin,
  outputs,
  destination,
  feeRate,
  signer,
}: SweepRequest): SweepResult {
  if (outputs.length === 0) throw new RangeError('A sweep needs at least one output.');
  if (feeRate < 1n) throw new RangeError(`The fee rate must be at least 1 sat/vB, not ${feeRate}.`);
  if (new Set(outputs.map(outpoint)).size < outputs.length) throw new RangeError('The outputs contain a duplicate.');
  const address = createBitcoinAddresses(network).normalize(destination);
  if (address === null) throw new RangeError(`${destination} is not an address of ${network.name}.`);
  const script = OutScript.encode(Address(network).decode(address));

  const signatureBytes = SIGNATURE_BYTES[signer];
  const weight = transactionWeight({ inputs: outputs.length, scriptBytes: script.length, signatureBytes });
  const virtualBytes = (weight + WITNESS_SCALE - 1n) / WITNESS_SCALE;
  const fee = virtualBytes * feeRate;
  const sum = outputs.reduce((total, { amount }) => total + amount, 0n);
  const amount = sum - fee;
  if (weight > MAX_WEIGHT) return { kind: 'refused', reason: 'too_many', sum, fee };
  if (amount < dustThreshold(script, network)) return { kind: 'refused', reason: 'too_little', sum, fee };

  const account = parseAccountKey(accountKey, network);
  const keyAt = createExternalKeys(account);
  const { fingerprint, path } = origin ?? { fingerprint: account.fingerprint, path: [] };
  const transaction = new Transaction();
  for (const { txid, vout, amount, index } of [...outputs].sort(compareOutpoints)) {
    const { publicKey } = keyAt(index);
    transaction.addInput({
      txid,
      index: vout,
      sequence: REPLACEABLE,
      witnessUtxo: { script: p2wpkh(publicKey, network).script, amount },
      bip32Derivation: [[publicKey, { fingerprint, path: [...path, EXTERNAL_CHAIN, index] }]],
    });
  }
  transaction.addOutput({ script, amount });
  return { kind: 'built', psbt: base64.encode(transaction.toPSBT(0)), txid: transaction.id, amount, fee, virtualBytes };
}

/**
 * Signs a transaction of `buildSweep` with the account's extended private key. Signatures are deterministic (RFC 6979).
 * 100 inputs take half a second, 1,000 take ten. Throws if the transaction has a different structure, or spends outputs
 * of another account.
 */
export function signSweep({
  network,
  accountKey,
  psbt,
}: {
  network: NetworkParameters;
  accountKey: string;
  psbt: string;
}): SignedSweep {
  const account = parseAccountKey(accountKey, network);
  if (!account.privateKey) throw new Error('Signing needs the account’s private key.');
  const keyAt = createExternalKeys(account);
  const transaction = Transaction.fromPSBT(base64.decode(psbt), { lowR: true });
  if (transaction.outputsLength !== 1) throw new Error('A sweep must have exactly one output.');
  const { amount } = transaction.getOutput(0);
  const destination = transaction.getOutputAddress(0, network);
  if (amount === undefined || destination === undefined) throw new Error('A sweep must pay an address.');

  for (let input = 0; input < transaction.inputsLength; input += 1) {
    const [derivation] = transaction.getInput(input).bip32Derivation ?? [];
    const [chain, index] = derivation?.[1].path.slice(-2) ?? [];
    if (!derivation || chain !== EXTERNAL_CHAIN || index === undefined)
      throw new Error('An input has no key derivation.');
    const { privateKey, publicKey } = keyAt(index);
    if (!privateKey || hex.encode(publicKey) !== hex.encode(derivation[0]))
      throw new Error('An input does not belong to this account.');
    transaction.signIdx(privateKey, input);
  }
  transaction.finalize();
  return {
    raw: transaction.hex,
    txid: transaction.id,
    destination,
    amount,
    fee: transaction.fee,
    virtualBytes: BigInt(transaction.vsize),
  };
}

function outpoint({ txid, vout }: OwnOutput): string {
  return `${txid}:${vout}`;
}

/** Sorts as in BIP 69, so that a request always builds the same transaction. */
function compareOutpoints(a: OwnOutput, b: OwnOutput): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.vout - b.vout;
}

/** Weight (BIP 141) of a transaction with P2WPKH inputs and one output. */
function transactionWeight({
  inputs,
  scriptBytes,
  signatureBytes,
}: {
  inputs: number;
  scriptBytes: number;
  signatureBytes: number;
}): bigint {
  const version = 4;
  const lockTime = 4;
  // Hash, output index, empty script, sequence.
  const input = 32 + 4 + 1 + 4;
  const output = 8 + compactSizeBytes(scriptBytes) + scriptBytes;
  const base = version + compactSizeBytes(inputs) + inputs * input + compactSizeBytes(1) + output + lockTime;
  // Two items with their lengths: signature and public key.
  const witness = 1 + 1 + signatureBytes + 1 + 33;
  const markerAndFlag = 2;
  return BigInt(base) * WITNESS_SCALE + BigInt(markerAndFlag + inputs * witness);
}

/** Fee of one more input, with the longest signature. */
export function inputFee(feeRate: bigint): bigint {
  const weight = (count: number) =>
    transactionWeight({ inputs: count, scriptBytes: 0, signatureBytes: SIGNATURE_BYTES.any });
  return ((weight(2) - weight(1) + WITNESS_SCALE - 1n) / WITNESS_SCALE) * feeRate;
}

/** Size of a count before a list. More than 65,535 inputs are far beyond the relay limit. */
function compactSizeBytes(count: number): number {
  return count < 0xfd ? 1 : count <= 0xffff ? 3 : 5;
}

/** Smallest amount that nodes relay to a script: the cost to store and spend it (Bitcoin Core's `GetDustThreshold`). */
function dustThreshold(script: Uint8Array, { dustRate }: NetworkParameters): bigint {
  const isWitness = script[0] === 0x00 || script[0] === 0x51;
  // Hash, output index, script, sequence; witness bytes count a quarter.
  const spending = isWitness ? 32 + 4 + 1 + Math.floor(107 / 4) + 4 : 32 + 4 + 1 + 107 + 4;
  return BigInt(8 + compactSizeBytes(script.length) + script.length + spending) * dustRate;
}
