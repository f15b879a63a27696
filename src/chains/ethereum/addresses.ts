import { HDKey } from '@scure/bip32';
import { addr } from 'micro-eth-signer';
import type { ChainAddresses } from '../port.ts';
import type { AddressPath } from '../spender.ts';
import { normalizeAddress } from './checksum.ts';
import { type EthereumNetwork, findToken, networkCurrencies } from './networks.ts';

/** An account such as m/44'/60'/0' (BIP 44) is three steps below the master key. */
const ACCOUNT_DEPTH = 3;

/** Addresses of a network (BIP 44, EIP-55) and their payment URIs (EIP-681). */
export function createEthereumAddresses(network: EthereumNetwork): ChainAddresses {
  const deriveExternalChain = (accountKey: string) => {
    const key = HDKey.fromExtendedKey(accountKey);
    if (key.privateKey) throw new RangeError('The account key is private. Addresses need only the public key.');
    return deriveChainKey(key, 0);
  };
  /** Cached: parsing an account key takes as long as deriving an address. */
  let cached: { accountKey: string; chain: HDKey } | undefined;
  return {
    formatHint: `${network.chain} ${network.name}, where addresses begin with 0x`,

    derive(accountKey, index) {
      if (cached?.accountKey !== accountKey) cached = { accountKey, chain: deriveExternalChain(accountKey) };
      return publicKeyAddress(cached.chain.deriveChild(index));
    },

    normalize: normalizeAddress,

    explainUnspendable(address) {
      if (/^0x0{40}$/.test(address)) return 'is the zero address: funds sent to it are lost';
      const token = networkCurrencies(network).find((code) => findToken(network, code)?.address === address);
      return token ? `is the contract of ${token}: funds sent to it are lost` : null;
    },

    paymentUri({ code, address, amount }) {
      if (code === network.feeCode) {
        const value = amount === null ? '' : `?value=${amount}`;
        return `ethereum:${address}@${network.chainId}${value}`;
      }
      const token = findToken(network, code);
      if (!token) throw new RangeError(`${network.name} has no ${code}.`);
      const value = amount === null ? '' : `&uint256=${amount}`;
      return `ethereum:${token.address}@${network.chainId}/transfer?address=${address}${value}`;
    },

    explorerUrl: (txHash) => (network.explorer === null ? null : network.explorer + txHash),
  };
}

/** Path of the wallet that pays the gas of token transfers. */
export const GAS_WALLET: AddressPath = { chain: 1, index: 0 };

/** Derives the address at a path below an account's extended public or private key. */
export function deriveAddress(accountKey: string, path: AddressPath): string {
  return publicKeyAddress(deriveKey(HDKey.fromExtendedKey(accountKey), path));
}

/** Derives the key at a path below an account key, public or private like that key. */
export function deriveKey(accountKey: HDKey, { chain, index }: AddressPath): HDKey {
  return deriveChainKey(accountKey, chain).deriveChild(index);
}

function deriveChainKey(accountKey: HDKey, chain: AddressPath['chain']): HDKey {
  if (accountKey.depth !== ACCOUNT_DEPTH)
    throw new RangeError(
      `The account key has depth ${accountKey.depth}; an account key (such as m/44'/60'/0') has depth 3.`,
    );
  return accountKey.deriveChild(chain);
}

function publicKeyAddress({ publicKey }: HDKey): string {
  if (!publicKey) throw new RangeError('The account key has no public key.');
  return addr.fromPublicKey(publicKey);
}
