import { Address, Decimal, p2wpkh } from '@scure/btc-signer';
import { PubT, validatePubkey } from '@scure/btc-signer/utils.js';
import type { ChainAddresses } from '../port.ts';
import { createExternalKeys, parseAccountKey } from './account-key.ts';
import type { NetworkParameters } from '../../shared/chains/description.ts';
import { allNetworks, chainTitles } from './networks.ts';

/** Addresses of a network: derives P2WPKH (BIP 84), and accepts every standard type as a destination. */
export function createBitcoinAddresses(network: NetworkParameters): ChainAddresses {
  const coder = Address(network);
  const externalKeys = (accountKey: string) => {
    const account = parseAccountKey(accountKey, network);
    if (account.privateKey) throw new Error('Addresses are derived from an account’s public key, not its private key.');
    return createExternalKeys(account);
  };
  /** Cached: parsing an account key takes as long as deriving an address. */
  let cached: { accountKey: string; keyAt: ReturnType<typeof externalKeys> } | undefined;
  return {
    formatHint: `${network.uriScheme} ${network.name}, where addresses begin with ${network.bech32}1${
      network.mweb === null ? '' : `; private (MWEB) addresses (${network.mweb}1…) are not supported`
    }`,

    /** Throws if the key is private, invalid or for another network, or if the index is invalid. */
    derive(accountKey, index) {
      if (cached?.accountKey !== accountKey) cached = { accountKey, keyAt: externalKeys(accountKey) };
      return p2wpkh(cached.keyAt(index).publicKey, network).address;
    },

    normalize: (text) => normalizeWith(coder, text),

    explainMismatch(text) {
      const matches = allNetworks.filter((candidate) => normalizeWith(Address(candidate), text) !== null);
      if (matches.length === 0) return null;
      return `is a ${networkTitle(matches)} address; this service is on ${networkTitle([network])}`;
    },

    /** BIP 21: the amount is in whole coins. */
    paymentUri({ address, amount }) {
      const query = amount === null ? '' : `?amount=${Decimal.encode(amount)}`;
      return `${network.uriScheme}:${address}${query}`;
    },

    explorerUrl: (txHash) => (network.explorer === null ? null : network.explorer + txHash),
  };
}

/** Names networks that share an address format: `Bitcoin mainnet`, `Bitcoin or Litecoin testnet`. */
function networkTitle(networks: readonly NetworkParameters[]): string {
  const names = new Set(networks.map(({ name }) => name));
  const [name = ''] = names;
  const schemes = new Set(networks.map(({ uriScheme }) => chainTitles[uriScheme] ?? uriScheme));
  return `${[...schemes].join(' or ')} ${names.size === 1 ? name : 'testnet'}`;
}

/** The canonical form of a P2PKH, P2SH, P2WPKH, P2WSH or P2TR address; null if it is not of this network. */
function normalizeWith(coder: ReturnType<typeof Address>, text: string): string | null {
  try {
    const output = coder.decode(text);
    // Anyone can spend P2A outputs (BIP 433). No one can spend outputs of taproot keys that are not on the curve (BIP
    // 341).
    if (output.type === 'p2a') return null;
    if (output.type === 'tr') validatePubkey(output.pubkey, PubT.schnorr);
    return coder.encode(output);
  } catch {
    return null;
  }
}
