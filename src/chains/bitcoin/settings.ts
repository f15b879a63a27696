import { z } from 'zod';
import { type BitcoinChainName, chains } from '../../shared/crypto-currency.ts';
import { accountKey, ConfigError, declareSettings, nodeUrl, type SettingsOf } from '../../system/settings.ts';

/** A node of the Bitcoin family, and the account that derives deposit addresses. */
export interface BitcoinSettings {
  url: string;
  /** Name of a network of the chain. */
  network: string;
  accountKey: string;
  /** Master fingerprint and path of the account key: `d34db33f/84h/0h/0h`. */
  origin: string | null;
}

const ORIGIN_PATTERN = String.raw`[0-9a-fA-F]{8}(?:/\d{1,10}[h'])+`;

function normalizeOrigin(text: string): string {
  return text.toLowerCase().replaceAll("'", 'h');
}

/** An account key, optionally with its origin, in descriptor notation. */
const accountKeyWithOrigin = z.string().transform((text, context) => {
  const [, origin, key = ''] = new RegExp(`^(?:\\[(${ORIGIN_PATTERN})\\])?(.*)$`).exec(text) ?? [];
  const parsedKey = accountKey.safeParse(key);
  if (parsedKey.success) return { key: parsedKey.data, origin: origin === undefined ? null : normalizeOrigin(origin) };
  context.issues.push({ code: 'custom', input: text, message: parsedKey.error.issues[0]?.message ?? 'must be a key' });
  return z.NEVER;
});

const keyOrigin = z
  .string()
  .regex(new RegExp(`^${ORIGIN_PATTERN}$`), {
    error: 'must be master fingerprint and path, such as d34db33f/84h/0h/0h',
  })
  .transform(normalizeOrigin);

/** Settings of a chain of the Bitcoin family. */
export function bitcoinSettings(name: BitcoinChainName): SettingsOf<BitcoinSettings | null> {
  const { feeCode, coinType, node, keyNotations, networks } = chains[name];
  const prefix = `CHAIN_${feeCode.toUpperCase()}_`;
  const names = Object.keys(networks) as [string, ...string[]];
  const list = new Intl.ListFormat('en-GB', { type: 'disjunction' }).format(names.map((each) => `\`${each}\``));
  const path = `84h/${coinType}h/0h`;
  return declareSettings(
    prefix,
    {
      URL: {
        schema: nodeUrl,
        default: '',
        help: `JSON-RPC URL of a node (${node}; no wallet, no index needed), with user and password: \`http://user:password@127.0.0.1:8332\`. If empty: no node; in the sandbox, a simulated chain`,
        isSecret: true,
      },
      NETWORK: { schema: z.enum(names), default: 'mainnet', help: `network of that node: ${list}` },
      ACCOUNT_KEY: {
        schema: accountKeyWithOrigin,
        default: '',
        help: `extended public key of the account that derives deposit addresses (native segwit; BIP 84, \`m/${path}\`); required with \`${prefix}URL\`. Any notation (${keyNotations}), optionally with its origin: \`[d34db33f/${path}]xpub…\`. Private keys and keys with a depth other than 3 are rejected`,
        isSecret: true,
      },
      ACCOUNT_ORIGIN: {
        schema: keyOrigin,
        default: '',
        help: `master fingerprint and path of that key: \`d34db33f/${path}\`. Hardware and descriptor wallets sign a PSBT only with it; not needed if the seed is stored here`,
      },
    },
    ({ URL: url, NETWORK: network, ACCOUNT_KEY: key, ACCOUNT_ORIGIN: origin }) => {
      if (!url) return null;
      // Unset settings are empty strings.
      if (!key) throw new ConfigError(`${prefix}ACCOUNT_KEY must be set with ${prefix}URL.`);
      if (origin && key.origin && origin !== key.origin)
        throw new ConfigError(`${prefix}ACCOUNT_ORIGIN and ${prefix}ACCOUNT_KEY contain different origins.`);
      return { url, network, accountKey: key.key, origin: origin || key.origin };
    },
  );
}
