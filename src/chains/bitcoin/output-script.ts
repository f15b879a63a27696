import { Address } from '@scure/btc-signer';
import type { NetworkParameters } from '../../shared/chains/description.ts';

/** Bytes before and after the hash or key in the scripts that have an address. */
const templates = [
  // P2PKH: OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG
  { type: 'pkh', before: [0x76, 0xa9, 0x14], length: 20, after: [0x88, 0xac] },
  // P2SH: OP_HASH160 <20> OP_EQUAL (BIP 16)
  { type: 'sh', before: [0xa9, 0x14], length: 20, after: [0x87] },
  // P2WPKH and P2WSH: OP_0 <20>, OP_0 <32> (BIP 141)
  { type: 'wpkh', before: [0x00, 0x14], length: 20, after: [] },
  { type: 'wsh', before: [0x00, 0x20], length: 32, after: [] },
  // P2TR: OP_1 <32> (BIP 341)
  { type: 'tr', before: [0x51, 0x20], length: 32, after: [] },
] as const;

/**
 * Finds the address that an output pays to; null where its script is none of the standard ones. Compares
 * bytes: a script that says the same in other bytes, such as a witness program behind OP_PUSHDATA1,
 * belongs to whoever takes it first.
 */
export function createAddressOf(network: NetworkParameters): (script: Uint8Array) => string | null {
  const coder = Address(network);
  return (script) => {
    for (const { type, before, length, after } of templates) {
      const end = before.length + length;
      if (script.length !== end + after.length) continue;
      if (!before.every((byte, index) => script[index] === byte)) continue;
      if (!after.every((byte, index) => script[end + index] === byte)) continue;
      const payload = script.slice(before.length, end);
      return coder.encode(type === 'tr' ? { type, pubkey: payload } : { type, hash: payload });
    }
    return null;
  };
}
