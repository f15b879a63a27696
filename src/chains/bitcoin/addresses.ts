import { Address, Decimal, p2wpkh } from '@scure/btc-signer';
import { PubT, validatePubkey } from '@scure/btc-signer/utils.js';
import type { ChainAddresses } from '../port.ts';
import { createExternalKeys, readAccountKey } from './account-key.ts';
import type { NetworkParameters } from './parameters.ts';

/** The addresses of a network: P2WPKH below an account's key (BIP 84) for us, any standard form for others. */
export function createBitcoinAddresses(network: NetworkParameters): ChainAddresses {
  const coder = Address(network);
  return {
    form: `${network.uriScheme} ${network.name}, where addresses begin with ${network.bech32}1${
      network.mweb === null ? '' : `; private (MWEB) addresses, ${network.mweb}1…, cannot be paid from here`
    }`,

    /** Throws where the key is private, of another network or none, and where the index is none. */
    derive(accountKey, index) {
      const account = readAccountKey(accountKey, network);
      if (account.privateKey) throw new Error('Addresses are derived from the public key of an account alone');
      return p2wpkh(createExternalKeys(account)(index).publicKey, network).address;
    },

    /**
     * P2PKH, P2SH, P2WPKH, P2WSH and P2TR. Nobody could spend what is sent to a taproot key that is no
     * point of the curve (BIP 341), and everybody what is sent to P2A (BIP 433): neither is an address here.
     */
    normalise(text) {
      try {
        const output = coder.decode(text);
        if (output.type === 'p2a') return null;
        if (output.type === 'tr') validatePubkey(output.pubkey, PubT.schnorr);
        return coder.encode(output);
      } catch {
        return null;
      }
    },

    /** BIP 21: the amount is in whole coins. */
    uri({ address, amount }) {
      const query = amount === null ? '' : `?amount=${Decimal.encode(amount)}`;
      return `${network.uriScheme}:${address}${query}`;
    },
  };
}
