import { cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import { MINUTE, type Instant } from '../../shared/time.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { type Address, normaliseAddress } from './checksum.ts';

/** Currencies that are contracts on Ethereum (ERC-20). */
export type TokenCode = 'usdt' | 'usdc';

export const tokenCodes = ['usdt', 'usdc'] as const satisfies readonly TokenCode[];

export interface Token {
  /** Of its contract. */
  address: Address;
  decimals: number;
}

/** One of the chains that speak Ethereum's protocol, and where its tokens are. */
export interface EthereumNetwork {
  name: string;
  /** EIP-155. */
  chainId: number;
  tokens: Readonly<Partial<Record<TokenCode, Token>>>;
  /** Whether the tokens are known by their published code, which puts into the event what arrives, net of any fee. */
  areTokensKnown: boolean;
  /** How old its last block may be before the node is behind; null where blocks come when somebody wants one. */
  staleAfter: Instant | null;
}

/** Blocks come every 12 seconds; a place left empty now and then is usual, fifty in a row are not. */
const STALE_AFTER = 10 * MINUTE;

export const mainnet: EthereumNetwork = {
  name: 'mainnet',
  chainId: 1,
  tokens: {
    usdt: { address: '0xdAC17F958D2ee523a2206206994597C13D831ec7', decimals: 6 },
    usdc: { address: '0xA0b86991c6218b36c1d19D4a2e9Eb0cE3606eB48', decimals: 6 },
  },
  areTokensKnown: true,
  staleAfter: STALE_AFTER,
};

/** Circle issues USDC there; Tether issues nothing on a test network. */
export const sepolia: EthereumNetwork = {
  name: 'sepolia',
  chainId: 11_155_111,
  tokens: { usdc: { address: '0x1c7D4B196Cb0C7B01d743Fbc6116a902379C7238', decimals: 6 } },
  areTokensKnown: true,
  staleAfter: STALE_AFTER,
};

/**
 * A network of one's own, from settings. Throws an `OperatorError` where an address is none, or a token
 * counts in another unit than the currency does: every amount would be wrong by a power of ten.
 */
export function localNetwork(settings: {
  chainId: number;
  tokens?: Readonly<Partial<Record<TokenCode, { address: string; decimals: number }>>>;
}): EthereumNetwork {
  if (!Number.isSafeInteger(settings.chainId) || settings.chainId < 1)
    throw new OperatorError(`The chain id ${settings.chainId} is none: it is a whole number from 1 on.`);
  const tokens: Partial<Record<TokenCode, Token>> = {};
  for (const code of tokenCodes) {
    const token = settings.tokens?.[code];
    if (!token) continue;
    const address = normaliseAddress(token.address);
    if (!address) throw new OperatorError(`The address of the ${code} contract is none: ${token.address}`);
    const { decimals } = cryptoCurrencies[code];
    if (token.decimals !== decimals)
      throw new OperatorError(`A token that stands for ${code} has ${decimals} decimals, not ${token.decimals}.`);
    tokens[code] = { address, decimals };
  }
  return { name: 'local', chainId: settings.chainId, tokens, areTokensKnown: false, staleAfter: null };
}

/** The token of a currency; undefined where the currency is the network's own or not on it. */
export function tokenOf(network: EthereumNetwork, code: CryptoCurrencyCode): Token | undefined {
  return code === 'usdt' || code === 'usdc' ? network.tokens[code] : undefined;
}

/** What is paid with on a network: ether, and the tokens that it has. */
export function currenciesOf(network: EthereumNetwork): CryptoCurrencyCode[] {
  return ['eth', ...tokenCodes.filter((code) => network.tokens[code])];
}
