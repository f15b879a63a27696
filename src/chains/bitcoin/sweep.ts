import { base64, hex } from '@scure/base';
import { Address, OutScript, p2wpkh, Transaction } from '@scure/btc-signer';
import { createExternalKeys, EXTERNAL_CHAIN, type KeyOrigin, parseAccountKey } from './account-key.ts';
import { createBitcoinAddresses } from './addresses.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';

/** An output of ours: P2WPKH at `/0/INDEX` below the account. */
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
  /** The account itself is taken for the master key where none is known. */
  origin?: KeyOrigin;
  /** At least one, none twice. */
  outputs: readonly OwnOutput[];
  /** Any standard address of the network. */
  destination: string;
  /** Satoshi for a virtual byte, at least 1. */
  feeRate: bigint;
  /** Who signs: `signSweep`, whose signatures are short, or somebody else, whose signatures may be as long as can be. */
  signer: 'account_key' | 'any';
}

export type SweepResult =
  | {
      kind: 'built';
      /** BIP 174, base64. */
      psbt: string;
      /** What it will be called: signatures of segregated witnesses are not part of the name (BIP 141). */
      txid: string;
      /** What arrives: the sum of the outputs less the fee. */
      amount: bigint;
      fee: bigint;
      /** With signatures of the signer's longest form. */
      virtualBytes: bigint;
    }
  /** `too_little`: no more than fee and dust; `too_many`: larger than nodes relay. */
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

/** Says that it may be replaced (BIP 125), and nothing about time. */
const REPLACEABLE = 0xfffffffd;
/** The largest transaction that nodes relay, in weight units (Bitcoin Core's `policy.h`). */
const MAX_WEIGHT = 400_000n;
/**
 * Bytes of a signature with the byte that says what it signs: both numbers below half of their range, or
 * the second alone (BIP 62). One in 128 is a byte shorter still; what that byte cost goes to the miner.
 */
const SIGNATURE_BYTES = { account_key: 71, any: 72 } as const;
/** Weight units of a virtual byte, and of a byte outside witnesses (BIP 141). */
const WITNESS_SCALE = 4n;

/**
 * Builds the transaction that moves outputs of ours to one address, with nothing left over: the fee is its
 * virtual size times the rate, and comes off the sum. The same order gives the same transaction, in
 * whatever order its outputs stand (BIP 69); with a higher rate it gives one that replaces it (BIP 125).
 * Throws where the order itself is wrong.
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
  if (outputs.length === 0) throw new RangeError('There is nothing to sweep');
  if (feeRate < 1n) throw new RangeError(`A fee rate is at least 1 sat/vB, not ${feeRate}`);
  if (new Set(outputs.map(outpoint)).size < outputs.length) throw new RangeError('An output is there twice');
  const address = createBitcoinAddresses(network).normalize(destination);
  if (address === null) throw new RangeError(`${destination} is no address of ${network.name}`);
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
 * Signs what `buildSweep` built with the account's extended private key. The same key gives the same
 * signatures (RFC 6979). A hundred inputs take half a second, ten times as many ten. Throws where the
 * transaction is of another form, or spends what is not the account's.
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
  if (!account.privateKey) throw new Error('A transaction is signed with the private key of an account');
  const keyAt = createExternalKeys(account);
  const transaction = Transaction.fromPSBT(base64.decode(psbt), { lowR: true });
  if (transaction.outputsLength !== 1) throw new Error('A sweep has one output');
  const { amount } = transaction.getOutput(0);
  const destination = transaction.getOutputAddress(0, network);
  if (amount === undefined || destination === undefined) throw new Error('A sweep pays to an address');

  for (let input = 0; input < transaction.inputsLength; input += 1) {
    const [derivation] = transaction.getInput(input).bip32Derivation ?? [];
    const [chain, index] = derivation?.[1].path.slice(-2) ?? [];
    if (!derivation || chain !== EXTERNAL_CHAIN || index === undefined)
      throw new Error('An input names no key of an address');
    const { privateKey, publicKey } = keyAt(index);
    if (!privateKey || hex.encode(publicKey) !== hex.encode(derivation[0]))
      throw new Error('An input is not of this account');
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

/** BIP 69, so that one order gives one transaction. */
function compareOutpoints(a: OwnOutput, b: OwnOutput): number {
  if (a.txid !== b.txid) return a.txid < b.txid ? -1 : 1;
  return a.vout - b.vout;
}

/** Weight units (BIP 141) of a transaction with P2WPKH inputs and one output. */
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
  // Hash, output number, empty script, sequence.
  const input = 32 + 4 + 1 + 4;
  const output = 8 + compactSizeBytes(scriptBytes) + scriptBytes;
  const base = version + compactSizeBytes(inputs) + inputs * input + compactSizeBytes(1) + output + lockTime;
  // Two items, each behind its length: signature and public key.
  const witness = 1 + 1 + signatureBytes + 1 + 33;
  const markerAndFlag = 2;
  return BigInt(base) * WITNESS_SCALE + BigInt(markerAndFlag + inputs * witness);
}

/** What spending one more output of ours adds to a fee, with the longest signature. */
export function inputFee(feeRate: bigint): bigint {
  const weight = (count: number) =>
    transactionWeight({ inputs: count, scriptBytes: 0, signatureBytes: SIGNATURE_BYTES.any });
  return ((weight(2) - weight(1) + WITNESS_SCALE - 1n) / WITNESS_SCALE) * feeRate;
}

/** Bytes of a number before a list; more than 65,535 inputs are far beyond what is relayed. */
function compactSizeBytes(count: number): number {
  return count < 0xfd ? 1 : count <= 0xffff ? 3 : 5;
}

/** The least amount that nodes relay to a script: what it costs to hold and to spend (Bitcoin Core's `GetDustThreshold`). */
function dustThreshold(script: Uint8Array, { dustRate }: NetworkParameters): bigint {
  const isWitness = script[0] === 0x00 || script[0] === 0x51;
  // Hash, output number, script, sequence; what unlocks it counts for a quarter in a witness.
  const spending = isWitness ? 32 + 4 + 1 + Math.floor(107 / 4) + 4 : 32 + 4 + 1 + 107 + 4;
  return BigInt(8 + compactSizeBytes(script.length) + script.length + spending) * dustRate;
}
