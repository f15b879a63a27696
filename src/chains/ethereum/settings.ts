import { z } from 'zod';
import { chains, type EthereumChainName } from '../../shared/crypto-currency.ts';
import { accountKey, ConfigError, declareSettings, nodeUrl, type SettingsOf } from '../../system/settings.ts';
import { type TokenCode, tokenCodesOf } from './tokens.ts';

/** A node of the Ethereum family, and the account that derives deposit addresses. */
export interface EthereumSettings {
  url: string;
  /** A name, or the chain ID of another network. */
  network: string | number;
  /** Token contracts of another network. */
  tokens: Readonly<Partial<Record<TokenCode, string>>>;
  accountKey: string;
}

/** Contracts as in the setting: `usdt=0x…,usdc=0x…`. */
function contractsExample(codes: readonly TokenCode[]): string {
  return codes.map((code) => `${code}=0x…`).join(',');
}

/** Parses contract addresses by currency. */
function tokenContracts(codes: readonly TokenCode[]) {
  return z.string().transform((list, context) => {
    const entries = list
      .split(',')
      .map((entry) => entry.trim())
      .filter(Boolean)
      .map((entry) => /^([a-z0-9]+)=(0x[0-9a-fA-F]{40})$/.exec(entry));
    if (entries.every((entry) => entry !== null && codes.some((code) => code === entry[1])))
      return Object.fromEntries(entries.map((entry) => [entry?.[1], entry?.[2]])) as Partial<Record<TokenCode, string>>;
    const message = `must be contracts such as ${contractsExample(codes)}`;
    context.issues.push({ code: 'custom', input: list, message });
    return z.NEVER;
  });
}

/** Settings of a chain of the Ethereum family. */
export function ethereumSettings(chain: EthereumChainName): SettingsOf<EthereumSettings | null> {
  const { feeCode, coinType, name: title, networks } = chains[chain];
  const prefix = `CHAIN_${feeCode.toUpperCase()}_`;
  const codes = tokenCodesOf(chain);
  const names = Object.keys(networks);
  return declareSettings(
    prefix,
    {
      URL: {
        schema: nodeUrl,
        default: '',
        help: `JSON-RPC URL of a node (${title}). If empty: no node; in the sandbox, a simulated chain`,
        isSecret: true,
      },
      NETWORK: {
        schema: z.string().regex(new RegExp(`^(${names.join('|')}|[1-9]\\d{0,14})$`), {
          error: `must be ${names.join(', ')} or a chain ID`,
        }),
        default: 'mainnet',
        help: `network of that node: ${names.map((name) => `\`${name}\``).join(', ')}, or the chain ID of another network`,
      },
      TOKENS: {
        schema: tokenContracts(codes),
        default: '',
        help: `token contracts on a network identified by its chain ID${codes.length > 0 ? `: \`${contractsExample(codes)}\`` : '; the chain has no tokens yet'}`,
      },
      ACCOUNT_KEY: {
        schema: accountKey,
        default: '',
        help: `extended public key of the account that derives deposit addresses (BIP 44, \`m/44h/${coinType}h/0h\`); required with \`${prefix}URL\``,
        isSecret: true,
      },
    },
    ({ URL: url, NETWORK: network, TOKENS, ACCOUNT_KEY: key }): EthereumSettings | null => {
      if (!url) return null;
      if (!key) throw new ConfigError(`${prefix}ACCOUNT_KEY must be set with ${prefix}URL.`);
      const isNamed = names.includes(network);
      const tokens = TOKENS || {};
      if (isNamed && Object.keys(tokens).length > 0)
        throw new ConfigError(`${prefix}TOKENS requires a network identified by its chain ID in ${prefix}NETWORK.`);
      return { url, network: isNamed ? network : Number(network), tokens, accountKey: key };
    },
  );
}
