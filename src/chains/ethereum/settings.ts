import { z } from 'zod';
import { accountKey, ConfigError, declareSettings, nodeUrl } from '../../system/settings.ts';
import { type TokenCode, tokenCodes } from './tokens.ts';

/** A node, and the account that derives deposit addresses. */
export interface EthereumSettings {
  url: string;
  /** A name, or the chain ID of another network. */
  network: 'mainnet' | 'sepolia' | number;
  /** Token contracts of another network. */
  tokens: Readonly<Partial<Record<TokenCode, string>>>;
  accountKey: string;
}

const example = tokenCodes.map((code) => `${code}=0x…`).join(',');

/** Parses contract addresses by currency. */
const tokenContracts = z.string().transform((list, context) => {
  const entries = list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => /^([a-z0-9]+)=(0x[0-9a-fA-F]{40})$/.exec(entry));
  if (entries.every((entry) => entry !== null && tokenCodes.some((code) => code === entry[1])))
    return Object.fromEntries(entries.map((entry) => [entry?.[1], entry?.[2]])) as Partial<Record<TokenCode, string>>;
  context.issues.push({ code: 'custom', input: list, message: `must be contracts such as ${example}` });
  return z.NEVER;
});

export const ethereumSettings = declareSettings(
  'CHAIN_ETH_',
  {
    URL: {
      schema: nodeUrl,
      default: '',
      help: 'JSON-RPC URL of an Ethereum node. If empty: no node; in the sandbox, a simulated chain',
      isSecret: true,
    },
    NETWORK: {
      schema: z
        .string()
        .regex(/^(mainnet|sepolia|[1-9]\d{0,14})$/, { error: 'must be mainnet, sepolia or a chain ID' }),
      default: 'mainnet',
      help: 'network of that node: `mainnet`, `sepolia`, or the chain ID of another network',
    },
    TOKENS: {
      schema: tokenContracts,
      default: '',
      help: `token contracts on a network identified by its chain ID: \`${example}\``,
    },
    ACCOUNT_KEY: {
      schema: accountKey,
      default: '',
      help: 'extended public key of the account that derives deposit addresses (BIP 44, `m/44h/60h/0h`); required with `CHAIN_ETH_URL`',
      isSecret: true,
    },
  },
  ({ URL: url, NETWORK: network, TOKENS, ACCOUNT_KEY: key }): EthereumSettings | null => {
    if (!url) return null;
    if (!key) throw new ConfigError('CHAIN_ETH_ACCOUNT_KEY must be set with CHAIN_ETH_URL.');
    const name = network === 'mainnet' || network === 'sepolia' ? network : Number(network);
    const tokens = TOKENS || {};
    if (typeof name === 'string' && Object.keys(tokens).length > 0)
      throw new ConfigError('CHAIN_ETH_TOKENS requires a network identified by its chain ID in CHAIN_ETH_NETWORK.');
    return { url, network: name, tokens, accountKey: key };
  },
);
