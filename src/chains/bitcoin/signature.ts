import { HDKey } from '@scure/bip32';
import { p2pkh, p2wpkh, SigHash, type Transaction } from '@scure/btc-signer';
import type { NetworkParameters } from '../../shared/chains/description.ts';

const SCALAR_BYTES = 32;

/**
 * Returns the reason why an input's signature does not spend a P2WPKH output (BIP 141, BIP 143); null if valid. Only
 * SIGHASH_ALL is accepted: with any other type, anyone who sees the transaction can change its inputs or outputs.
 */
export function signatureProblem(
  transaction: Transaction,
  input: number,
  { address, amount }: { address: string; amount: bigint },
  network: NetworkParameters,
): string | null {
  const [signature, publicKey, ...others] = transaction.getInput(input).finalScriptWitness ?? [];
  if (!signature || !publicKey || others.length > 0)
    return `Input ${input} must have a witness of a signature and a public key: only P2WPKH can be spent here.`;
  if (!isKeyOfAddress(publicKey, address, network))
    return `Input ${input} is signed with a key that does not belong to ${address}.`;
  const compact = derToCompact(signature.subarray(0, -1));
  if (signature.at(-1) !== SigHash.ALL)
    return `Input ${input} must be signed with SIGHASH_ALL; other types do not protect all inputs and outputs.`;
  const { script } = p2pkh(publicKey, network);
  const hash = transaction.preimageWitnessV0(input, script, SigHash.ALL, amount);
  const isValid = compact !== null && new HDKey({ publicKey }).verify(hash, compact);
  return isValid ? null : `The signature of input ${input} does not match this transaction.`;
}

function isKeyOfAddress(publicKey: Uint8Array, address: string, network: NetworkParameters): boolean {
  try {
    return p2wpkh(publicKey, network).address === address;
  } catch {
    return false;
  }
}

/** Converts a DER signature (BIP 66) to its two concatenated integers; null if it is malformed. */
function derToCompact(der: Uint8Array): Uint8Array | null {
  const [sequence, length] = der;
  if (sequence !== 0x30 || length !== der.length - 2) return null;
  const first = readDerInteger(der, 2);
  const second = first && readDerInteger(der, first.end);
  return first && second?.end === der.length ? Buffer.concat([first.value, second.value]) : null;
}

function readDerInteger(der: Uint8Array, offset: number): { value: Buffer; end: number } | null {
  const [tag, length = 0] = der.subarray(offset, offset + 2);
  const end = offset + 2 + length;
  const digits = der.subarray(offset + 2, end);
  const [first = 0, second = 0] = digits;
  // A leading zero keeps the integer positive, and only there it is allowed (BIP 66).
  if (first >= 0x80 || (first === 0 && length > 1 && second < 0x80)) return null;
  const number = first === 0 ? digits.subarray(1) : digits;
  if (tag !== 0x02 || length === 0 || end > der.length || number.length > SCALAR_BYTES) return null;
  return { value: Buffer.concat([Buffer.alloc(SCALAR_BYTES - number.length), number]), end };
}
