import {
  chains,
  cryptoCurrencies,
  type CryptoCurrencyCode,
  type EthereumChainName,
} from '../../shared/crypto-currency.ts';
import type { EthereumChain } from '../../shared/chains/description.ts';
import { SECOND, type Instant } from '../../shared/time.ts';
import { OperatorError } from '../../system/operator-error.ts';
import { type Address, normalizeAddress } from './checksum.ts';
import { isToken, type TokenCode, tokenCodesOf } from './tokens.ts';

export interface Token {
  /** Address of its contract. */
  address: Address;
  decimals: number;
}

/** A network of the Ethereum family with its token contracts. */
export interface EthereumNetwork {
  chain: EthereumChainName;
  /** The coin that pays fees, which this folder calls ether. */
  feeCode: CryptoCurrencyCode;
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

/** Finds a network of a chain by its name in settings. */
export function findEthereumNetwork(chain: EthereumChainName, name: string): EthereumNetwork {
  const { feeCode, staleAfterSeconds } = chains[chain];
  const { networks }: EthereumChain = chains[chain];
  const network = networks[name];
  if (!network) throw new OperatorError(`${chains[chain].name} has no network ${name}.`);
  const { chainId, explorer } = network;
  return {
    ...{ chain, feeCode, name, chainId, explorer },
    tokens: networkTokens(chain, name),
    areTransferLogsNet: true,
    staleAfter: staleAfterSeconds * SECOND,
  };
}

/** Token contracts of a network. */
function networkTokens(chain: EthereumChainName, network: string): EthereumNetwork['tokens'] {
  const tokens: Partial<Record<TokenCode, Token>> = {};
  const { coins }: EthereumChain = chains[chain];
  for (const code of tokenCodesOf(chain)) {
    const address = normalizeAddress(coins[code]?.contracts?.[network] ?? '');
    if (address) tokens[code] = { address, decimals: cryptoCurrencies[code].decimals };
  }
  return tokens;
}

/**
 * Creates a custom network from settings. Throws an `OperatorError` if a token's address is invalid, or its decimals
 * differ from the currency's: every amount would be wrong by a power of ten.
 */
export function createCustomNetwork(
  chain: EthereumChainName,
  settings: {
    chainId: number;
    tokens?: Readonly<Partial<Record<TokenCode, { address: string; decimals: number }>>>;
  },
): EthereumNetwork {
  if (!Number.isSafeInteger(settings.chainId) || settings.chainId < 1)
    throw new OperatorError(`The chain ID ${settings.chainId} is invalid: it must be a whole number from 1.`);
  const tokens: Partial<Record<TokenCode, Token>> = {};
  for (const code of tokenCodesOf(chain)) {
    const token = settings.tokens?.[code];
    if (!token) continue;
    const address = normalizeAddress(token.address);
    if (!address) throw new OperatorError(`The address of the ${code} contract is invalid: ${token.address}`);
    const { decimals } = cryptoCurrencies[code];
    if (token.decimals !== decimals)
      throw new OperatorError(`The ${code} contract must have ${decimals} decimals, not ${token.decimals}.`);
    tokens[code] = { address, decimals };
  }
  return {
    ...{ chain, feeCode: chains[chain].feeCode, name: 'local', chainId: settings.chainId, explorer: null },
    ...{ tokens, areTransferLogsNet: false, staleAfter: null },
  };
}

/** Finds the token of a currency; undefined for the fee coin and for tokens that the network lacks. */
export function findToken(network: EthereumNetwork, code: CryptoCurrencyCode): Token | undefined {
  return isToken(code) ? network.tokens[code] : undefined;
}

/** Currencies of a network: its fee coin and its tokens. */
export function networkCurrencies({ chain, feeCode, tokens }: EthereumNetwork): CryptoCurrencyCode[] {
  return [feeCode, ...tokenCodesOf(chain).filter((code) => tokens[code])];
}
