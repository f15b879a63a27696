import { Address, Decimal, p2wpkh } from '@scure/btc-signer';
import { PubT, validatePubkey } from '@scure/btc-signer/utils.js';
import type { ChainAddresses } from '../port.ts';
import { createExternalKeys, readAccountKey } from './account-key.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { knownNetworks, titleOf } from './parameters.ts';

/** The addresses of a network: P2WPKH below an account's key (BIP 84) for us, any standard form for others. */
export function createBitcoinAddresses(network: NetworkParameters): ChainAddresses {
  const coder = Address(network);
  const externalKeysOf = (accountKey: string) => {
    const account = readAccountKey(accountKey, network);
    if (account.privateKey) throw new Error('Addresses are derived from the public key of an account alone');
    return createExternalKeys(account);
  };
  /** Cached: parsing an account key takes as long as deriving an address. */
  let last: { accountKey: string; keyAt: ReturnType<typeof externalKeysOf> } | undefined;
  return {
    form: `${network.uriScheme} ${network.name}, where addresses begin with ${network.bech32}1${
      network.mweb === null ? '' : `; private (MWEB) addresses, ${network.mweb}1…, cannot be paid from here`
    }`,

    /** Throws where the key is private, of another network or none, and where the index is none. */
    derive(accountKey, index) {
      if (last?.accountKey !== accountKey) last = { accountKey, keyAt: externalKeysOf(accountKey) };
      return p2wpkh(last.keyAt(index).publicKey, network).address;
    },

    normalise: (text) => normaliseFor(coder, text),

    mismatch(text) {
      const others = knownNetworks.filter((other) => normaliseFor(Address(other), text) !== null);
      if (others.length === 0) return null;
      return `is a ${describe(others)} address; this service is on ${describe([network])}`;
    },

    /** BIP 21: the amount is in whole coins. */
    uri({ address, amount }) {
      const query = amount === null ? '' : `?amount=${Decimal.encode(amount)}`;
      return `${network.uriScheme}:${address}${query}`;
    },
  };
}

/** Names networks that share a form of address: `Bitcoin mainnet`, `Bitcoin or Litecoin testnet`. */
function describe(networks: readonly NetworkParameters[]): string {
  const names = new Set(networks.map(({ name }) => name));
  const [name = ''] = names;
  const schemes = new Set(networks.map(({ uriScheme }) => titleOf[uriScheme] ?? uriScheme));
  return `${[...schemes].join(' or ')} ${names.size === 1 ? name : 'testnet'}`;
}

/** P2PKH, P2SH, P2WPKH, P2WSH or P2TR in the form in which it is kept; null where it is none of this network. */
function normaliseFor(coder: ReturnType<typeof Address>, text: string): string | null {
  try {
    const output = coder.decode(text);
    // Anybody may spend P2A (BIP 433), and nobody a taproot key that is no point of the curve (BIP 341).
    if (output.type === 'p2a') return null;
    if (output.type === 'tr') validatePubkey(output.pubkey, PubT.schnorr);
    return coder.encode(output);
  } catch {
    return null;
  }
}
