import { existsSync } from 'node:fs';
import { compile } from '@fastify/proxy-addr';
import { z } from 'zod';

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
  trustedProxies: readonly string[];
  countryHeader: string | null;
  countryDatabase: string | null;
  secretKey: string | null;
  logLevel: string;
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
    trustedProxies: values.TRUSTED_PROXIES || [],
    countryHeader: values.COUNTRY_HEADER || null,
    countryDatabase: values.COUNTRY_DATABASE || null,
    secretKey: values.PAYLATCH_SECRET_KEY || null,
    logLevel: values.LOG_LEVEL,
    demoShop: environment === 'sandbox' && values.DEMO_SHOP === 'on',
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
