import { readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';
import type { StreamLimits } from './http/event-stream.ts';
import { type ChainSettings, chainSettings } from './chains/settings.ts';
import {
  type ChainName,
  chainNames,
  chains,
  cryptoCurrencies,
  type CryptoCurrencyCode,
  feeUnitsText,
} from './shared/crypto-currency.ts';
import { type RateOptions, rateSettings, requireCoinSources } from './rates/settings.ts';
import type { LimitName, Quota } from './shared/limits.ts';
import { HOUR, type Instant, MINUTE, SECOND } from './shared/time.ts';
import { CELL_PATTERN } from './system/cell.ts';
import {
  ConfigError,
  type Environment,
  filePath,
  readValues,
  type Settings,
  type ValuesOf,
} from './system/settings.ts';
import { type MailOptions, mailSettings } from './mail/settings.ts';
import { type Retention, retentionSettings } from './system/retention-settings.ts';
import { type TracingOptions, tracingSettings } from './system/tracing-settings.ts';
import type { WithdrawalLimits } from './withdrawals/context.ts';

const port = z
  .string()
  .regex(/^\d{1,5}$/, { error: 'must be a port, a whole number up to 65535' })
  .transform(Number)
  .refine((value) => value <= 65_535, { error: 'must be a port, a whole number up to 65535' });

/** `TRUSTED_PROXIES`: addresses, ranges, or the words `loopback` and `private`, separated by commas. */
const trustedProxies = z.string().transform((list, context) => {
  const entries = list.split(',').map((entry) => entry.trim());
  const ranges = entries
    .filter(Boolean)
    .flatMap((entry) => (entry === 'private' ? ['uniquelocal', 'linklocal'] : [entry]));
  try {
    compile(ranges);
    return ranges;
  } catch {
    context.issues.push({
      code: 'custom',
      input: list,
      message: 'must contain addresses, ranges (10.0.0.0/8), or the words loopback and private, separated by commas',
    });
    return z.NEVER;
  }
});

/** Without a path: pages request their files and the API at the root. */
const webOrigin = z
  .string()
  .refine(
    (value) => {
      const { protocol, username, pathname, search, hash } = URL.parse(value) ?? {};
      const isWeb = protocol === 'http:' || protocol === 'https:';
      return isWeb && /^\/*$/.test(pathname ?? '') && !username && !search && !hash;
    },
    { error: 'must be a URL without a path, such as https://pay.example' },
  )
  .transform((value) => new URL(value).origin);

/** `SECURITY_CONTACT`: email addresses or web pages, separated by commas; converted to URIs as RFC 9116 requires. */
const contacts = z.string().transform((list, context) => {
  const uris = list
    .split(',')
    .map((entry) => entry.trim())
    .filter(Boolean)
    .map((entry) => (/^[^\s:/@]+@[^\s:/@]+\.[^\s:/@]+$/.test(entry) ? `mailto:${entry}` : entry));
  if (uris.every((uri) => /^(?:mailto:[^\s@]+@[^\s@]+|https:\/\/\S+|tel:\+[\d-]+)$/.test(uri) && URL.canParse(uri)))
    return uris;
  context.issues.push({
    code: 'custom',
    input: list,
    message: 'must contain email addresses or https:// pages, separated by commas',
  });
  return z.NEVER;
});

/** `SEALING_KEY`: one key, or several during a rotation, separated by commas. */
const sealingKeys = z.string().transform((list, context) => {
  const keys = list.split(/[\s,]+/).filter(Boolean);
  if (keys.length > 0 && keys.every((key) => /^[0-9a-f]{64}$/i.test(key))) return keys;
  context.issues.push({
    code: 'custom',
    input: list,
    message: 'must be 64 hexadecimal digits (openssl rand -hex 32), several separated by commas',
  });
  return z.NEVER;
});

/** Integers by name: `btc=20000,eth=5`. */
const amountsByName = <Name extends string>(names: readonly Name[]) =>
  z.string().transform((list, context) => {
    const entries = list.split(',').map((entry) => /^\s*([a-z]+)=(\d{1,30})\s*$/.exec(entry));
    const isName = (name: string | undefined): name is Name => names.some((each) => each === name);
    if (entries.every((entry) => entry !== null && isName(entry[1])))
      return Object.fromEntries(entries.map((entry) => [entry?.[1], BigInt(entry?.[2] ?? 0)])) as Partial<
        Record<Name, bigint>
      >;
    context.issues.push({
      code: 'custom',
      input: list,
      message: `must contain whole numbers by name, such as ${names[0]}=20000 (${names.join(', ')})`,
    });
    return z.NEVER;
  });
const currencyCodes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
const defaultMaxFeeRates = Object.fromEntries(
  chainNames.map((name) => [name, BigInt(chains[name].maxFeeRate)]),
) as Readonly<Record<ChainName, bigint>>;

const streams = z
  .string()
  .regex(/^\d{1,6}$/, { error: 'must be a whole number up to 999999' })
  .transform(Number);
const amount = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be a whole number up to 999999999; 0 for no limit' })
  .transform(Number);

const serviceSettings = {
  PAYLATCH_ENV: {
    schema: z.enum(['sandbox', 'production'], { error: 'must be sandbox or production' }),
    default: 'sandbox',
    help: '`sandbox` (simulated payments) or `production`',
  },
  PORT: { schema: port, default: '8080', help: 'port of the service' },
  HOST: { schema: z.string().min(1), default: '', help: 'address to listen on; all addresses if empty' },
  PUBLIC_URL: {
    schema: webOrigin,
    default: '',
    help: 'URL at which buyers and merchants reach the service; `http://localhost:PORT` in the sandbox if empty. Required in production, with `https://`',
  },
  DATABASE_URL: {
    schema: z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, { error: 'must be sqlite:PATH or postgres://…' }),
    default: 'sqlite:./data/paylatch.db',
    help: '`sqlite:PATH` or `postgres://USER:PASSWORD@HOST/DATABASE`',
    isSecret: true,
  },
  CELL: {
    schema: z.string().regex(CELL_PATTERN, { error: 'must be two characters of a to z and 2 to 7, such as aa' }),
    default: '',
    help: 'prefix of this [cell](cells.md), two characters of `a` to `z` and `2` to `7`; no prefix if empty. It cannot be changed later',
  },
  DATABASE_CONNECTIONS: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, { error: 'must be a whole number from 1 to 999' })
      .transform(Number),
    default: '10',
    help: 'maximum number of PostgreSQL connections of one process; one more listens for notifications',
  },
  DATABASE_PREPARED_STATEMENTS: {
    schema: z.enum(['on', 'off']),
    default: 'on',
    help: '`on` or `off`. Set it to `off` behind PgBouncer before 1.21 in transaction mode, which does not support prepared statements',
  },
  DATABASE_REPLICA_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\/.+$/, { error: 'must be postgres://…' }),
    default: '',
    help: '`postgres://…` of [replicas](high-availability.md#read-from-replicas) that serve lists of transactions, statistics and exports of transactions, `paylatch export` too; the primary if empty',
    isSecret: true,
  },
  DATABASE_TARGET_URL: {
    schema: z.string().regex(/^postgres(ql)?:\/\/.+$/, { error: 'must be postgres://…' }),
    default: '',
    help: '`postgres://…` of the empty database that [`paylatch database move`](backups.md#move-to-postgresql) fills; only for that command',
    isSecret: true,
  },
  TRUSTED_PROXIES: {
    schema: trustedProxies,
    default: '',
    help: 'proxies whose `X-Forwarded-*` headers are trusted: addresses, ranges, `loopback`, `private`, separated by commas; none if empty',
  },
  COUNTRY_HEADER: {
    schema: z.string().regex(/^[A-Za-z0-9-]*$/, { error: 'must be the name of a header' }),
    default: '',
    help: "header with the buyer's country that a CDN sets, such as `CF-IPCountry`; trusted from `TRUSTED_PROXIES` only",
  },
  COUNTRY_DATABASE: {
    schema: filePath('an .mmdb file'),
    default: '',
    help: 'path of an .mmdb file with countries by IP address; the bundled one if empty',
  },
  PAYLATCH_SECRET_KEY: {
    schema: z.string().regex(/^([0-9a-f]{64})?$/i, { error: 'must be 64 hexadecimal digits (openssl rand -hex 32)' }),
    default: '',
    help: 'key that signs the tokens of payment pages, 64 hex digits (`openssl rand -hex 32`). Required in production; in the sandbox, generated and stored in the database if empty',
    isSecret: true,
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    help: 'minimum log level: `trace`, `debug`, `info`, `warn`, `error`, `fatal`, `silent`',
  },
  MAX_OPEN_STREAMS: {
    schema: streams,
    default: '10000',
    help: 'maximum number of open pages per process that receive live updates; further pages poll; `0`: all poll',
  },
  MAX_STREAMS_PER_ADDRESS: {
    schema: streams,
    default: '200',
    help: 'maximum number of live-update streams per process to one IP address; `0`: no limit',
  },
  MAX_STREAMS_PER_LINK: {
    schema: streams,
    default: '20',
    help: 'maximum number of live-update streams per process for one payment page; `0`: no limit',
  },
  LIMIT_TOKEN_PER_SECOND: {
    schema: amount,
    default: '',
    help: 'requests with one access token, or with all tokens of one OAuth client; twice as many in a burst. Counted per process; `0`: no limit. 100 if empty, 10000 in the sandbox',
  },
  LIMIT_OAUTH_PER_MINUTE: {
    schema: amount,
    default: '',
    help: 'access tokens issued to one OAuth client, and token requests (`POST /oauth/token`) from one IP address. Counted per process; `0`: no limit. 60 if empty, 6000 in the sandbox',
  },
  LIMIT_PAGE_PER_MINUTE: {
    schema: amount,
    default: '',
    help: 'pages opened from one IP address (including previews, and returns from a bank), and ten times as many requests for the state of open pages. Counted per process; `0`: no limit. 60 if empty, 6000 in the sandbox',
  },
  LIMIT_SUBMIT_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'cards submitted on payment pages from one IP address, across all links and processes; up to five times as many for pages that solve a proof-of-work challenge; `0`: no limit. 10 if empty, 1000 in the sandbox',
  },
  LIMIT_CARD_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'attempts with one card, across all links, IP addresses, merchants and processes; encrypted cards count per merchant; `0`: no limit. 10 if empty, 1000 in the sandbox',
  },
  LIMIT_SIGN_IN_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'sign-in attempts from one IP address, and for one user, across all processes; `0`: no limit. 20 if empty, 2000 in the sandbox',
  },
  LIMIT_EMAIL_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'payment links and invitations that one merchant sends by email, across all processes; 5 of them to one address; `0`: no limit. 100 if empty, 10000 in the sandbox',
  },
  SECURITY_CONTACT: {
    schema: contacts,
    default: '',
    help: 'security contacts, published at `/.well-known/security.txt` (RFC 9116): email addresses or `https://` pages, separated by commas; no such file if empty',
  },
  DEMO_SHOP: {
    schema: z.enum(['on', 'off']),
    default: 'on',
    help: '`on` or `off`: the demo shop of the sandbox on the next port',
  },
} as const satisfies Settings;

const cryptoSettings = {
  CHAIN_SEED_FILE: {
    schema: filePath(),
    default: '',
    help: 'path of a file with the seed that signs withdrawals (BIP 39 words, or hex digits); instead of a seed stored with [paylatch seed set](cli.md#paylatch-seed-set)',
  },
  ADDRESS_MARKS: {
    schema: z.string().min(1),
    default: '',
    help: 'folder for the [highest address index issued](chains.md#addresses), outside the database and shared by all processes. If empty: `address-marks` next to the SQLite file, none with PostgreSQL',
  },
  ADDRESS_GAP_LIMIT: {
    schema: z
      .string()
      .regex(/^\d{2,5}$/, { error: 'must be a whole number from 20 to 10000' })
      .transform(Number)
      .refine((limit) => limit >= 20 && limit <= 10_000, { error: 'must be a whole number from 20 to 10000' }),
    default: '1000',
    help: 'consecutive unused addresses, 20 to 10000, beyond which addresses of expired invoices are [reissued](chains.md#addresses)',
  },
  SEALING_KEY: {
    schema: sealingKeys,
    default: '',
    help: 'key that encrypts [stored secrets](deploy.md#secrets-at-rest), 64 hex digits (`openssl rand -hex 32`). To change it, [rotate it](deploy.md#secrets-at-rest)',
    isSecret: true,
  },
  SEALING_KEY_FILE: {
    schema: filePath(),
    default: '',
    help: 'path of a file that contains the sealing key; instead of `SEALING_KEY`',
  },
  WITHDRAWAL_DESTINATION_DELAY_HOURS: {
    schema: z
      .string()
      .regex(/^\d{1,4}$/, { error: 'must be a whole number of hours up to 9999' })
      .transform(Number),
    default: '',
    help: 'hours until funds can be sent to a new address: refunds, manual withdrawals, changed destinations of automatic withdrawals. If empty: 24, in the sandbox 0; at least 1 in production',
  },
  WITHDRAWAL_MAX_FEE_PERCENT: {
    schema: z
      .string()
      .regex(/^(?:[1-9]\d?|100)$/, { error: 'must be a whole number from 1 to 100' })
      .transform(Number),
    default: '25',
    help: 'maximum network fee of a withdrawal, as a percentage of its amount. Tokens are converted at the service’s exchange rates',
  },
  WITHDRAWAL_MAX_FEE_RATES: {
    schema: amountsByName(chainNames),
    default: Object.entries(defaultMaxFeeRates)
      .map(([name, rate]) => `${name}=${rate}`)
      .join(','),
    help: `maximum fee rate of any withdrawal, by chain: ${feeUnitsText()}`,
  },
  SWEEP_MIN_AMOUNTS: {
    schema: amountsByName(currencyCodes),
    default: '',
    help: 'minimum amount of a sweep, by currency, in its smallest unit: `btc=20000,usdt=5000000`',
  },
  GAS_MAX_GWEI_PER_DAY: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,14}$/, { error: 'must be a whole number of gwei' })
      .transform(BigInt),
    default: '',
    help: 'maximum ether, in gwei, that the gas wallet of each chain spends within 24 hours, including its fees; no limit if empty',
  },
} as const satisfies Settings;

/** Every setting, in the order of the documentation. */
export const settings: Settings = {
  ...serviceSettings,
  ...chainSettings.declared,
  ...cryptoSettings,
  ...rateSettings.declared,
  ...mailSettings.declared,
  ...retentionSettings.declared,
  ...tracingSettings.declared,
};

type Values = ValuesOf<typeof serviceSettings & typeof cryptoSettings>;

export interface Config extends ChainSettings {
  environment: Environment;
  host: string;
  port: number;
  publicUrl: string;
  databaseUrl: string;
  /** Prefix of the cell, `aa`; empty without cells. */
  cell: string;
  /** Maximum connections to PostgreSQL. */
  databaseConnections: number;
  /** True to use named prepared statements on PostgreSQL. */
  preparedStatements: boolean;
  /** Replicas for lists, statistics and exports. */
  databaseReplicaUrl: string | null;
  /** Where `paylatch database move` moves the database. */
  databaseTargetUrl: string | null;
  trustedProxies: readonly string[];
  countryHeader: string | null;
  countryDatabase: string | null;
  secretKey: string | null;
  logLevel: string;
  streamLimits: StreamLimits;
  limits: Readonly<Record<LimitName, Quota>>;
  /** URIs of security contacts. */
  securityContacts: readonly string[];
  /** A file with the seed of the chains' accounts. */
  seedFile: string | null;
  /** The folder for the highest issued address indexes. */
  addressMarks: string | null;
  addressGapLimit: number;
  /** In hexadecimal digits; the first one encrypts. */
  sealingKeys: readonly string[];
  withdrawalDestinationDelay: Instant;
  withdrawalLimits: WithdrawalLimits;
  demoShop: boolean;
  rates: RateOptions;
  /** Null: the service sends no email. */
  mail: MailOptions | null;
  retention: Retention;
  /** Null: no tracing. */
  tracing: TracingOptions | null;
}

/** Reads the settings from an environment; an empty variable counts as not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('PAYLATCH_') && !Object.hasOwn(settings, name)) {
      throw new ConfigError(`${name} is not a setting. See the list with: npx paylatch start --help`);
    }
  }
  const values = readValues(settings, env);
  const config = {
    ...{ ...toConfig(values as Values), ...chainSettings.read(values) },
    rates: rateSettings.read(values),
    mail: mailSettings.read(values),
    retention: retentionSettings.read(values),
    tracing: tracingSettings.read(values),
  };
  const hasChain = chainNames.some((name) => config[name]);
  if (config.environment === 'production' && hasChain) requireCoinSources(config.rates);
  return config;
}

function toConfig(values: Values): Omit<Config, keyof ChainSettings | 'rates' | 'mail' | 'retention' | 'tracing'> {
  const environment = values.PAYLATCH_ENV;
  if (environment === 'production' && !values.PUBLIC_URL)
    throw new ConfigError('PUBLIC_URL must be set in production.');
  if (environment === 'production' && !values.PUBLIC_URL.startsWith('https:')) {
    throw new ConfigError('PUBLIC_URL must start with https:// in production.');
  }
  const delayHours = values.WITHDRAWAL_DESTINATION_DELAY_HOURS;
  if (environment === 'production' && delayHours === 0) {
    throw new ConfigError('WITHDRAWAL_DESTINATION_DELAY_HOURS must be 1 or more in production.');
  }
  if (values.DATABASE_REPLICA_URL && values.DATABASE_URL.startsWith('sqlite:')) {
    throw new ConfigError('DATABASE_REPLICA_URL needs PostgreSQL in DATABASE_URL.');
  }
  if (environment === 'production' && !values.PAYLATCH_SECRET_KEY) {
    throw new ConfigError('PAYLATCH_SECRET_KEY must be set in production (openssl rand -hex 32).');
  }
  return {
    environment,
    host: values.HOST,
    port: values.PORT,
    publicUrl: values.PUBLIC_URL || `http://localhost:${values.PORT}`,
    databaseUrl: values.DATABASE_URL,
    cell: values.CELL,
    databaseConnections: values.DATABASE_CONNECTIONS,
    preparedStatements: values.DATABASE_PREPARED_STATEMENTS === 'on',
    databaseReplicaUrl: values.DATABASE_REPLICA_URL || null,
    databaseTargetUrl: values.DATABASE_TARGET_URL || null,
    trustedProxies: values.TRUSTED_PROXIES || [],
    countryHeader: values.COUNTRY_HEADER || null,
    countryDatabase: values.COUNTRY_DATABASE || null,
    secretKey: values.PAYLATCH_SECRET_KEY || null,
    logLevel: values.LOG_LEVEL,
    streamLimits: {
      perProcess: values.MAX_OPEN_STREAMS,
      perAddress: values.MAX_STREAMS_PER_ADDRESS,
      perLink: values.MAX_STREAMS_PER_LINK,
    },
    limits: limitsOf(values, environment),
    securityContacts: values.SECURITY_CONTACT || [],
    seedFile: values.CHAIN_SEED_FILE || null,
    addressMarks: addressMarksOf(values),
    addressGapLimit: values.ADDRESS_GAP_LIMIT,
    sealingKeys: sealingKeysOf(values),
    withdrawalDestinationDelay: (delayHours === '' ? (environment === 'production' ? 24 : 0) : delayHours) * HOUR,
    withdrawalLimits: {
      maxFeePercent: BigInt(values.WITHDRAWAL_MAX_FEE_PERCENT),
      maxFeeRates: { ...defaultMaxFeeRates, ...values.WITHDRAWAL_MAX_FEE_RATES },
      sweepMinAmounts: values.SWEEP_MIN_AMOUNTS || {},
      maxGasPerDay: values.GAS_MAX_GWEI_PER_DAY ? values.GAS_MAX_GWEI_PER_DAY * 10n ** 9n : null,
    },
    demoShop: environment === 'sandbox' && values.DEMO_SHOP === 'on',
  };
}

function addressMarksOf({ ADDRESS_MARKS: setting, DATABASE_URL: url }: Values): string | null {
  if (setting) return setting;
  return url.startsWith('sqlite:') && url !== 'sqlite::memory:'
    ? join(dirname(url.slice('sqlite:'.length)), 'address-marks')
    : null;
}

function sealingKeysOf({ SEALING_KEY: setting, SEALING_KEY_FILE: path }: Values): readonly string[] {
  if (setting && path) throw new ConfigError('Only one of SEALING_KEY and SEALING_KEY_FILE may be set.');
  if (!path) return setting || [];
  const read = sealingKeys.safeParse(readFileSync(path, 'utf8'));
  if (!read.success)
    throw new ConfigError('The file SEALING_KEY_FILE must contain 64 hexadecimal digits (openssl rand -hex 32).');
  return read.data;
}

/** Sandbox limits are higher: tests use one IP address and the same few cards. */
function limitsOf(values: Values, environment: Environment): Record<LimitName, Quota> {
  const limitOr = (value: number | '', fallback: number) =>
    value === '' ? fallback * (environment === 'sandbox' ? 100 : 1) : value;
  return {
    token: { amount: 2 * limitOr(values.LIMIT_TOKEN_PER_SECOND, 100), window: 2 * SECOND },
    oauth_client: { amount: limitOr(values.LIMIT_OAUTH_PER_MINUTE, 60), window: MINUTE },
    oauth_address: { amount: limitOr(values.LIMIT_OAUTH_PER_MINUTE, 60), window: MINUTE },
    page: { amount: limitOr(values.LIMIT_PAGE_PER_MINUTE, 60), window: MINUTE },
    page_state: { amount: 10 * limitOr(values.LIMIT_PAGE_PER_MINUTE, 60), window: MINUTE },
    submit_address: { amount: limitOr(values.LIMIT_SUBMIT_PER_HOUR, 10), window: HOUR },
    submit_card: { amount: limitOr(values.LIMIT_CARD_PER_HOUR, 10), window: HOUR },
    sign_in_address: { amount: limitOr(values.LIMIT_SIGN_IN_PER_HOUR, 20), window: HOUR },
    sign_in_user: { amount: limitOr(values.LIMIT_SIGN_IN_PER_HOUR, 20), window: HOUR },
    email_merchant: { amount: limitOr(values.LIMIT_EMAIL_PER_HOUR, 100), window: HOUR },
    webhook_test: { amount: limitOr('', 30), window: MINUTE },
    email_address: { amount: limitOr('', values.LIMIT_EMAIL_PER_HOUR === 0 ? 0 : 5), window: HOUR },
  };
}
