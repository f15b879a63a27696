import { z } from 'zod';
import { type BitcoinChainName, chains } from '../../shared/crypto-currency.ts';
import { accountKey, ConfigError, declareSettings, nodeUrl, type SettingsOf } from '../../system/settings.ts';

/** A node of a chain of the family, and the account that deposit addresses are derived from. */
export interface BitcoinSettings {
  url: string;
  /** One of those of its chain. */
  network: string;
  accountKey: string;
  /** Master fingerprint and path of that key: `d34db33f/84h/0h/0h`. */
  origin: string | null;
}

const ORIGIN_PATTERN = String.raw`[0-9a-fA-F]{8}(?:/\d{1,10}[h'])+`;

function normalizeOrigin(text: string): string {
  return text.toLowerCase().replaceAll("'", 'h');
}

/** An account's key, also with its origin before it, as descriptors write it. */
const accountKeyWithOrigin = z.string().transform((text, context) => {
  const [, origin, key = ''] = new RegExp(`^(?:\\[(${ORIGIN_PATTERN})\\])?(.*)$`).exec(text) ?? [];
  const read = accountKey.safeParse(key);
  if (read.success) return { key: read.data, origin: origin === undefined ? null : normalizeOrigin(origin) };
  context.issues.push({ code: 'custom', input: text, message: read.error.issues[0]?.message ?? 'is no key' });
  return z.NEVER;
});

const keyOrigin = z
  .string()
  .regex(new RegExp(`^${ORIGIN_PATTERN}$`), {
    error: 'must be master fingerprint and path, such as d34db33f/84h/0h/0h',
  })
  .transform(normalizeOrigin);

/** The settings of a chain of the family. */
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
        help: `JSON-RPC of a node (${node}; no wallet, no index needed), with user and password: \`http://user:password@127.0.0.1:8332\`. If empty: none, in the sandbox a simulated chain`,
        isSecret: true,
      },
      NETWORK: { schema: z.enum(names), default: 'mainnet', help: `network of that node: ${list}` },
      ACCOUNT_KEY: {
        schema: accountKeyWithOrigin,
        default: '',
        help: `extended public key of the account that deposit addresses (native segwit) are derived from (BIP 84, \`m/${path}\`); required with \`${prefix}URL\`. Any notation (${keyNotations}), also with its origin: \`[d34db33f/${path}]xpub…\`. A private key, or a key of another depth than 3, is refused`,
        isSecret: true,
      },
      ACCOUNT_ORIGIN: {
        schema: keyOrigin,
        default: '',
        help: `master fingerprint and path of that key: \`d34db33f/${path}\`. Hardware wallets and descriptor wallets sign a PSBT only with it; not needed if the seed is stored here`,
      },
    },
    ({ URL: url, NETWORK: network, ACCOUNT_KEY: key, ACCOUNT_ORIGIN: origin }) => {
      if (!url) return null;
      // Settings that are not set are empty text.
      if (!key) throw new ConfigError(`${prefix}ACCOUNT_KEY must be set with ${prefix}URL.`);
      if (origin && key.origin && origin !== key.origin)
        throw new ConfigError(`${prefix}ACCOUNT_ORIGIN and ${prefix}ACCOUNT_KEY name different origins.`);
      return { url, network, accountKey: key.key, origin: origin || key.origin };
    },
  );
}
