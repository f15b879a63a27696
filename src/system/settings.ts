/*
 * Map of this module: `settings.ts` declares settings and reads them from environment variables. `clock.ts` and
 * `random.ts` are the only sources of time and randomness. `log.ts` and `mask.ts` write the log without secrets,
 * `sealed.ts` encrypts secrets, `metrics.ts` and `tracing.ts` observe the service. Reasons: docs/decisions/log.md and
 * tracing.md.
 */

import { statSync } from 'node:fs';
import { z } from 'zod';

export type Environment = 'sandbox' | 'production';

/** A setting, read from an environment variable. */
interface Setting {
  schema: z.ZodType;
  /** As text; empty: not set. */
  default: string;
  /** In Markdown, for `--help` and the documentation. */
  help: string;
  /** Its value never appears in an error. */
  isSecret?: true;
}

export type Settings = Readonly<Record<string, Setting>>;

/** The values of settings; empty text for an unset setting without a default. */
export type ValuesOf<Declared extends Settings> = {
  [Name in keyof Declared]: z.output<Declared[Name]['schema']> | (Declared[Name]['default'] extends '' ? '' : never);
};

/** The settings of one module, and how their values become its options. */
export interface SettingsOf<Options> {
  declared: Settings;
  /** Throws a `ConfigError` if settings contradict each other. */
  read(values: Readonly<Record<string, unknown>>): Options;
}

/** The settings of one module. `PREFIX` is prepended to their names: `CHAIN_BTC_` and `URL`. */
export function declareSettings<const Declared extends Settings, Options>(
  prefix: string,
  declared: Declared,
  read: (values: ValuesOf<Declared>) => Options,
): SettingsOf<Options> {
  const names = Object.keys(declared);
  return {
    declared: Object.fromEntries(Object.entries(declared).map(([name, setting]) => [prefix + name, setting])),
    read: (values) =>
      read(Object.fromEntries(names.map((name) => [name, values[prefix + name]])) as ValuesOf<Declared>),
  };
}

/** Schema of the path of a file: no folder, which Docker creates in place of a mounted file that is missing. */
export function filePath(kind = 'a file') {
  const isFile = (path: string) => statSync(path, { throwIfNoEntry: false })?.isDirectory() === false;
  return z.string().refine(isFile, { error: `must be the path of ${kind}` });
}

/** An invalid setting, with a one-line message for the operator. */
export class ConfigError extends Error {}

/** Reads settings from an environment; an empty variable counts as not set. */
export function readValues<Declared extends Settings>(
  settings: Declared,
  env: Readonly<Record<string, string | undefined>>,
): ValuesOf<Declared> {
  const entries = Object.entries(settings).map(([name, setting]) => {
    const text = env[name] || setting.default;
    if (text === '') return [name, ''];
    const result = setting.schema.safeParse(text);
    if (!result.success) {
      const [issue] = result.error.issues;
      const shown = setting.isSecret ? '' : `=${text}`;
      throw new ConfigError(`${name}${shown} is invalid: ${issue?.message ?? 'unknown value'}`);
    }
    return [name, result.data];
  });
  return Object.fromEntries(entries) as ValuesOf<Declared>;
}

/** The list of settings as text, for `--help`. */
export function describeSettings(settings: Settings): string {
  const width = Math.max(...Object.keys(settings).map((name) => name.length));
  const plain = (markdown: string) => markdown.replaceAll('`', '').replaceAll(/\[([^\]]*)\]\([^)]*\)/g, '$1');
  const lines = Object.entries(settings).map(
    ([name, { default: value, help }]) => `  ${name.padEnd(width)}  ${plain(help)}${value && ` (default ${value})`}`,
  );
  return ['Settings (environment variables):', ...lines].join('\n');
}

/** The list of settings as a Markdown table, for the documentation. */
export function settingsTable(settings: Settings): string {
  const rows = Object.entries(settings).map(
    ([name, { default: value, help }]) => `| \`${name}\` | ${value && `\`${value}\``} | ${help} |`,
  );
  return ['| setting | default | meaning |', '|---|---|---|', ...rows].join('\n');
}

/** JSON-RPC of a node; user and password may be in the URL. */
export const nodeUrl = z.string().refine((value) => URL.canParse(value) && /^https?:$/.test(new URL(value).protocol), {
  error: 'must be a URL such as http://user:password@127.0.0.1:8332',
});

/** The extended public key of an account (BIP 32). */
export const accountKey = z
  .string()
  .regex(/^[1-9A-HJ-NP-Za-km-z]{100,120}$/, { error: 'must be an extended public key, such as xpub… or zpub…' })
  .refine((key) => !/^.prv/.test(key), { error: 'must be an extended public key; this is a private one' });
