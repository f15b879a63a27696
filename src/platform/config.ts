import { existsSync } from 'node:fs';
import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';
import type { LimitName } from '../contract/limits.ts';
import { HOUR, MINUTE, SECOND } from '../contract/time.ts';
import type { Quota } from './limits.ts';

export type Environment = 'sandbox' | 'production';

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
      message: 'must hold addresses, ranges (10.0.0.0/8), or the words loopback and private, separated by commas',
    });
    return z.NEVER;
  }
});

const webOrigin = z
  .string()
  .refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
    error: 'must be a web address such as https://pay.example',
  })
  .transform((value) => value.replace(/\/+$/, ''));

/** `SECURITY_CONTACT`: mail addresses or web pages, separated by commas; as the URIs that RFC 9116 asks for. */
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
    message: 'must hold mail addresses or https:// pages, separated by commas',
  });
  return z.NEVER;
});

const amount = z
  .string()
  .regex(/^\d{1,9}$/, { error: 'must be a whole number up to 999999999; 0 for no limit' })
  .transform(Number);

/** Every setting: its schema, its default as text, and what it means. */
export const settings = {
  PAYLATCH_ENV: {
    schema: z.enum(['sandbox', 'production']),
    default: 'sandbox',
    help: 'sandbox (simulated money) or production',
  },
  PORT: { schema: port, default: '8080', help: 'port of the service' },
  HOST: { schema: z.string().min(1), default: '', help: 'address to listen on; all of them when empty' },
  PUBLIC_URL: {
    schema: webOrigin,
    default: '',
    help: 'address under which buyers and merchants reach the service; http://localhost:PORT in the sandbox when empty',
  },
  DATABASE_URL: {
    schema: z.string().regex(/^(sqlite:.+|postgres(ql)?:\/\/.+)$/, { error: 'must be sqlite:PATH or postgres://…' }),
    default: 'sqlite:./data/paylatch.db',
    help: 'sqlite:PATH or postgres://USER:PASSWORD@HOST/DATABASE',
  },
  DATABASE_CONNECTIONS: {
    schema: z
      .string()
      .regex(/^[1-9]\d{0,2}$/, { error: 'must be a whole number from 1 to 999' })
      .transform(Number),
    default: '10',
    help: 'connections that one process holds to PostgreSQL at most, and one more that listens',
  },
  TRUSTED_PROXIES: {
    schema: trustedProxies,
    default: '',
    help: 'whose X-Forwarded-* headers are believed: addresses, ranges, loopback, private; nobody when empty',
  },
  COUNTRY_HEADER: {
    schema: z.string().regex(/^[A-Za-z0-9-]*$/, { error: 'must be the name of a header' }),
    default: '',
    help: 'header in which a CDN in front (a trusted proxy) says the buyer’s country, such as CF-IPCountry',
  },
  COUNTRY_DATABASE: {
    schema: z.string().refine((path) => existsSync(path), { error: 'must be the path of an .mmdb file' }),
    default: '',
    help: 'an .mmdb file of countries by address, in place of the one that ships',
  },
  PAYLATCH_SECRET_KEY: {
    schema: z.string().regex(/^([0-9a-f]{64})?$/i, { error: 'must be 64 hexadecimal digits (openssl rand -hex 32)' }),
    default: '',
    help: 'key that signs the tokens of payment pages; needed in production, made and kept in the database in the sandbox',
  },
  LOG_LEVEL: {
    schema: z.enum(['trace', 'debug', 'info', 'warn', 'error', 'fatal', 'silent']),
    default: 'info',
    help: 'least level that is logged',
  },
  MAX_OPEN_STREAMS: {
    schema: z
      .string()
      .regex(/^\d{1,6}$/, { error: 'must be a whole number up to 999999' })
      .transform(Number),
    default: '10000',
    help: 'open pages that one process tells of changes at once; further ones ask from time to time',
  },
  LIMIT_TOKEN_PER_SECOND: {
    schema: amount,
    default: '',
    help: 'requests of one access token in each process, twice as many at once; 0 for no limit (default 100, in the sandbox 10000)',
  },
  LIMIT_PAGE_PER_MINUTE: {
    schema: amount,
    default: '',
    help: 'pages opened from one address in each process (default 60, in the sandbox 6000)',
  },
  LIMIT_SUBMIT_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'cards tried from one address, whatever the link; up to five times as many for pages that do some work (default 10, in the sandbox 1000)',
  },
  LIMIT_CARD_PER_HOUR: {
    schema: amount,
    default: '',
    help: 'tries of one card, whatever the link (default 10, in the sandbox 1000)',
  },
  SECURITY_CONTACT: {
    schema: contacts,
    default: '',
    help: 'whom to tell of a weakness, in /.well-known/security.txt: mail addresses or https:// pages, separated by commas; no such file when empty',
  },
  DEMO_SHOP: {
    schema: z.enum(['on', 'off']),
    default: 'on',
    help: 'on: the sandbox also serves a demo shop on the next port; never in production',
  },
} as const;

type SettingName = keyof typeof settings;
type Settings = { [Name in SettingName]: z.output<(typeof settings)[Name]['schema']> };

export interface Config {
  environment: Environment;
  host: string;
  port: number;
  publicUrl: string;
  databaseUrl: string;
  /** To PostgreSQL, at most. */
  databaseConnections: number;
  trustedProxies: readonly string[];
  countryHeader: string | null;
  countryDatabase: string | null;
  secretKey: string | null;
  logLevel: string;
  maxOpenStreams: number;
  limits: Readonly<Record<LimitName, Quota>>;
  /** URIs of whom to tell of a weakness. */
  securityContacts: readonly string[];
  demoShop: boolean;
}

/** A setting that is not right: one line for whoever starts the service. */
export class ConfigError extends Error {}

/** Reads the settings from an environment; an empty variable counts as not set. */
export function readConfig(env: Readonly<Record<string, string | undefined>>): Config {
  for (const name of Object.keys(env)) {
    if (name.startsWith('PAYLATCH_') && !Object.hasOwn(settings, name)) {
      throw new ConfigError(`${name} is not a setting. See the list with: npx paylatch start --help`);
    }
  }
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = env[name] || setting.default;
    if (text === '') return [name, ''];
    const result = setting.schema.safeParse(text);
    if (!result.success) {
      const [issue] = result.error.issues;
      const shown = name === 'PAYLATCH_SECRET_KEY' || name === 'DATABASE_URL' ? '' : `=${text}`;
      throw new ConfigError(`${name}${shown} is not right: ${issue?.message ?? 'unknown value'}`);
    }
    return [name, result.data];
  });
  return toConfig(Object.fromEntries(entries) as Settings);
}

function toConfig(values: Settings): Config {
  const environment = values.PAYLATCH_ENV;
  if (environment === 'production' && !values.PUBLIC_URL)
    throw new ConfigError('PUBLIC_URL must be set in production.');
  if (environment === 'production' && !values.PUBLIC_URL.startsWith('https:')) {
    throw new ConfigError('PUBLIC_URL must begin with https:// in production.');
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
    databaseConnections: values.DATABASE_CONNECTIONS,
    trustedProxies: values.TRUSTED_PROXIES || [],
    countryHeader: values.COUNTRY_HEADER || null,
    countryDatabase: values.COUNTRY_DATABASE || null,
    secretKey: values.PAYLATCH_SECRET_KEY || null,
    logLevel: values.LOG_LEVEL,
    maxOpenStreams: values.MAX_OPEN_STREAMS,
    limits: limitsOf(values, environment),
    securityContacts: values.SECURITY_CONTACT || [],
    demoShop: environment === 'sandbox' && values.DEMO_SHOP === 'on',
  };
}

/** Everybody tests in the sandbox from one address with the same few cards. */
function limitsOf(values: Settings, environment: Environment): Record<LimitName, Quota> {
  const given = (value: number | '', usual: number) =>
    value === '' ? usual * (environment === 'sandbox' ? 100 : 1) : value;
  return {
    token: { amount: 2 * given(values.LIMIT_TOKEN_PER_SECOND, 100), window: 2 * SECOND },
    page: { amount: given(values.LIMIT_PAGE_PER_MINUTE, 60), window: MINUTE },
    submit_address: { amount: given(values.LIMIT_SUBMIT_PER_HOUR, 10), window: HOUR },
    submit_card: { amount: given(values.LIMIT_CARD_PER_HOUR, 10), window: HOUR },
  };
}

/** The list of settings as text, for `--help`. */
export function describeSettings(): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  const lines = Object.entries(settings).map(
    ([name, { default: value, help }]) => `  ${name.padEnd(width)}  ${help}${value && ` (default ${value})`}`,
  );
  return ['Settings, from the environment:', ...lines].join('\n');
}
