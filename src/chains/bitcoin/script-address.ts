import { Address } from '@scure/btc-signer';
import type { NetworkParameters } from '../../shared/chains/description.ts';

/** Bytes before and after the hash or key, for each script type that has an address. */
const templates = [
  // P2PKH: OP_DUP OP_HASH160 <20> OP_EQUALVERIFY OP_CHECKSIG
  { type: 'pkh', prefix: [0x76, 0xa9, 0x14], length: 20, suffix: [0x88, 0xac] },
  // P2SH: OP_HASH160 <20> OP_EQUAL (BIP 16)
  { type: 'sh', prefix: [0xa9, 0x14], length: 20, suffix: [0x87] },
  // P2WPKH and P2WSH: OP_0 <20>, OP_0 <32> (BIP 141)
  { type: 'wpkh', prefix: [0x00, 0x14], length: 20, suffix: [] },
  { type: 'wsh', prefix: [0x00, 0x20], length: 32, suffix: [] },
  // P2TR: OP_1 <32> (BIP 341)
  { type: 'tr', prefix: [0x51, 0x20], length: 32, suffix: [] },
] as const;

/**
 * Returns the address that a script pays; null if the script is not of a standard type. Compares bytes: an equivalent
 * script with a different encoding, such as a witness program pushed with OP_PUSHDATA1, can be spent by anyone.
 */
export function createScriptToAddress(network: NetworkParameters): (script: Uint8Array) => string | null {
  const coder = Address(network);
  return (script) => {
    for (const { type, prefix, length, suffix } of templates) {
      const end = prefix.length + length;
      if (script.length !== end + suffix.length) continue;
      if (!prefix.every((byte, index) => script[index] === byte)) continue;
      if (!suffix.every((byte, index) => script[end + index] === byte)) continue;
      const payload = script.slice(prefix.length, end);
      return coder.encode(type === 'tr' ? { type, pubkey: payload } : { type, hash: payload });
    }
    return null;
  };
}
