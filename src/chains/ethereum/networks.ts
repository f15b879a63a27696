import { chains, cryptoCurrencies, type CryptoCurrencyCode } from '../../shared/crypto-currency.ts';
import type { EthereumChain } from '../../shared/chains/description.ts';
import { MINUTE, type Instant } from '../../shared/time.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { type Address, normalizeAddress } from './checksum.ts';
import { isToken, type TokenCode, tokenCodes } from './tokens.ts';

export interface Token {
  /** Address of its contract. */
  address: Address;
  decimals: number;
}

/** An Ethereum network with its token contracts. */
export interface EthereumNetwork {
  name: string;
  /** EIP-155. */
  chainId: number;
  /** Start of a transaction's page in a block explorer, before its hash; null for networks without one. */
  explorer: string | null;
  tokens: Readonly<Partial<Record<TokenCode, Token>>>;
  /** True if the tokens' published code logs the received amount, after any fee. */
  areTransferLogsNet: boolean;
  /** Maximum age of the last block before the node counts as behind; null if blocks are mined on demand. */
  staleAfter: Instant | null;
}

/** Blocks arrive every 12 seconds. Single missed slots are normal, but not 50 consecutive ones. */
const STALE_AFTER = 10 * MINUTE;

export const mainnet: EthereumNetwork = {
  name: 'mainnet',
  chainId: 1,
  explorer: 'https://etherscan.io/tx/',
  tokens: networkTokens('mainnet'),
  areTransferLogsNet: true,
  staleAfter: STALE_AFTER,
};

export const sepolia: EthereumNetwork = {
  name: 'sepolia',
  chainId: 11_155_111,
  explorer: 'https://sepolia.etherscan.io/tx/',
  tokens: networkTokens('sepolia'),
  areTransferLogsNet: true,
  staleAfter: STALE_AFTER,
};

/** Token contracts of a network. */
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
 * Creates a custom network from settings. Throws an `OperatorError` if a token's address is invalid, or its decimals
 * differ from the currency's: every amount would be wrong by a power of ten.
 */
export function createCustomNetwork(settings: {
  chainId: number;
  tokens?: Readonly<Partial<Record<TokenCode, { address: string; decimals: number }>>>;
}): EthereumNetwork {
  if (!Number.isSafeInteger(settings.chainId) || settings.chainId < 1)
    throw new OperatorError(`The chain ID ${settings.chainId} is invalid: it must be a whole number from 1.`);
  const tokens: Partial<Record<TokenCode, Token>> = {};
  for (const code of tokenCodes) {
    const token = settings.tokens?.[code];
    if (!token) continue;
    const address = normalizeAddress(token.address);
    if (!address) throw new OperatorError(`The address of the ${code} contract is invalid: ${token.address}`);
    const { decimals } = cryptoCurrencies[code];
    if (token.decimals !== decimals)
      throw new OperatorError(`The ${code} contract must have ${decimals} decimals, not ${token.decimals}.`);
    tokens[code] = { address, decimals };
  }
  const { chainId } = settings;
  return { name: 'local', chainId, explorer: null, tokens, areTransferLogsNet: false, staleAfter: null };
}

/** Finds the token of a currency; undefined for ether and for tokens that the network lacks. */
export function findToken(network: EthereumNetwork, code: CryptoCurrencyCode): Token | undefined {
  return isToken(code) ? network.tokens[code] : undefined;
}

/** Currencies of a network: ether and its tokens. */
export function networkCurrencies(network: EthereumNetwork): CryptoCurrencyCode[] {
  return ['eth', ...tokenCodes.filter((code) => network.tokens[code])];
}
