import { HDKey } from '@scure/bip32';
import { p2pkh, p2wpkh, SigHash, type Transaction } from '@scure/btc-signer';
import type { NetworkParameters } from '../../shared/chains/description.ts';

const NUMBER_BYTES = 32;

/**
 * Why an input is not validly signed to spend a P2WPKH output (BIP 141, BIP 143); null where it is. Only SIGHASH_ALL
 * is accepted: with any other type, anyone who sees the transaction can change its inputs or outputs.
 */
export function signatureProblem(
  transaction: Transaction,
  input: number,
  { address, amount }: { address: string; amount: bigint },
  network: NetworkParameters,
): string | null {
  const [signature, publicKey, ...others] = transaction.getInput(input).finalScriptWitness ?? [];
  if (!signature || !publicKey || others.length > 0)
    return `Input ${input} has no witness of a signature and a public key: only P2WPKH can be spent here.`;
  if (!isOf(publicKey, address, network)) return `Input ${input} is signed with a key that is not that of ${address}.`;
  const compact = compactOf(signature.subarray(0, -1));
  if (signature.at(-1) !== SigHash.ALL)
    return `Input ${input} is not signed with SIGHASH_ALL, so its signature does not protect all inputs and outputs.`;
  const { script } = p2pkh(publicKey, network);
  const hash = transaction.preimageWitnessV0(input, script, SigHash.ALL, amount);
  const isRight = compact !== null && new HDKey({ publicKey }).verify(hash, compact);
  return isRight ? null : `The signature of input ${input} is not of this transaction.`;
}

function isOf(publicKey: Uint8Array, address: string, network: NetworkParameters): boolean {
  try {
    return p2wpkh(publicKey, network).address === address;
  } catch {
    return false;
  }
}

/** Both numbers of a signature in DER (BIP 66), one behind the other; null where it is none. */
function compactOf(der: Uint8Array): Uint8Array | null {
  const [sequence, length] = der;
  if (sequence !== 0x30 || length !== der.length - 2) return null;
  const first = integerAt(der, 2);
  const second = first && integerAt(der, first.end);
  return first && second?.end === der.length ? Buffer.concat([first.number, second.number]) : null;
}

function integerAt(der: Uint8Array, place: number): { number: Buffer; end: number } | null {
  const [tag, length = 0] = der.subarray(place, place + 2);
  const end = place + 2 + length;
  const digits = der.subarray(place + 2, end);
  // A zero before a number keeps it from being negative.
  const number = digits[0] === 0 ? digits.subarray(1) : digits;
  if (tag !== 0x02 || length === 0 || end > der.length || number.length > NUMBER_BYTES) return null;
  return { number: Buffer.concat([Buffer.alloc(NUMBER_BYTES - number.length), number]), end };
}
