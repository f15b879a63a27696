import { chains, cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { EthereumChain } from '../../shared/chains/description.ts';
import { MINUTE, type Instant } from '../../shared/time.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { type Address, normalizeAddress } from './checksum.ts';
import { isToken, type TokenCode, tokenCodes } from './tokens.ts';

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
  areTransferLogsNet: boolean;
  /** How old its last block may be before the node is behind; null where blocks come when somebody wants one. */
  staleAfter: Instant | null;
}

/** Blocks come every 12 seconds; a place left empty now and then is usual, fifty in a row are not. */
const STALE_AFTER = 10 * MINUTE;

export const mainnet: EthereumNetwork = {
  name: 'mainnet',
  chainId: 1,
  tokens: networkTokens('mainnet'),
  areTransferLogsNet: true,
  staleAfter: STALE_AFTER,
};

export const sepolia: EthereumNetwork = {
  name: 'sepolia',
  chainId: 11_155_111,
  tokens: networkTokens('sepolia'),
  areTransferLogsNet: true,
  staleAfter: STALE_AFTER,
};

/** The tokens that are issued on a network. */
function networkTokens(network: string): EthereumNetwork['tokens'] {
  const tokens: Partial<Record<TokenCode, Token>> = {};
  for (const code of tokenCodes) {
    const { contracts, decimals }: EthereumChain['coins'][string] = chains.ethereum.coins[code];
    const address = normalizeAddress(contracts?.[network] ?? '');
    if (address) tokens[code] = { address, decimals };
  }
  return tokens;
}

/**
 * A network of one's own, from settings. Throws an `OperatorError` where an address is none, or a token
 * counts in another unit than the currency does: every amount would be wrong by a power of ten.
 */
export function createLocalNetwork(settings: {
  chainId: number;
  tokens?: Readonly<Partial<Record<TokenCode, { address: string; decimals: number }>>>;
}): EthereumNetwork {
  if (!Number.isSafeInteger(settings.chainId) || settings.chainId < 1)
    throw new OperatorError(`The chain id ${settings.chainId} is none: it is a whole number from 1 on.`);
  const tokens: Partial<Record<TokenCode, Token>> = {};
  for (const code of tokenCodes) {
    const token = settings.tokens?.[code];
    if (!token) continue;
    const address = normalizeAddress(token.address);
    if (!address) throw new OperatorError(`The address of the ${code} contract is none: ${token.address}`);
    const { decimals } = cryptoCurrencies[code];
    if (token.decimals !== decimals)
      throw new OperatorError(`A token that stands for ${code} has ${decimals} decimals, not ${token.decimals}.`);
    tokens[code] = { address, decimals };
  }
  return { name: 'local', chainId: settings.chainId, tokens, areTransferLogsNet: false, staleAfter: null };
}

/** The token of a currency; undefined where the currency is the network's own or not on it. */
export function findToken(network: EthereumNetwork, code: CryptoCurrencyCode): Token | undefined {
  return isToken(code) ? network.tokens[code] : undefined;
}

/** What is paid with on a network: ether, and the tokens that it has. */
export function networkCurrencies(network: EthereumNetwork): CryptoCurrencyCode[] {
  return ['eth', ...tokenCodes.filter((code) => network.tokens[code])];
}
