import { readFileSync } from 'node:fs';
import { isIP } from 'node:net';
import { z } from 'zod';
import { emailAddress } from '../api/people.ts';
import { displayNameProblem, hasControlCharacter } from '../api/text.ts';
import { ConfigError, declareSettings, filePath } from '../system/settings.ts';

/** The mail server, and the sender of all emails. */
export interface MailOptions {
  host: string;
  port: number;
  /** `implicit`: TLS from the start. `none`: plain text. */
  tls: 'implicit' | 'starttls' | 'none';
  credentials: { user: string; password: string } | null;
  /** The name is empty if the operator set none. */
  from: { name: string; address: string };
}

const DEFAULT_PORTS = { 'smtp:': 587, 'smtps:': 465 } as const;

const smtpUrl = z.string().transform((value, context) => {
  const url = URL.canParse(value.trim()) ? new URL(value.trim()) : null;
  const isValid =
    url !== null &&
    Object.hasOwn(DEFAULT_PORTS, url.protocol) &&
    url.hostname !== '' &&
    /^\/?$/.test(url.pathname) &&
    url.search === '' &&
    url.hash === '' &&
    (url.username === '') === (url.password === '');
  if (isValid) return url;
  // Without the value, which contains a password.
  context.issues.push({
    code: 'custom',
    input: '',
    message: 'must be smtp://USER:PASSWORD@HOST:PORT or smtps://USER:PASSWORD@HOST:PORT',
  });
  return z.NEVER;
});

/** `payments@shop.example`, or with a name: `Kettle & Co <payments@shop.example>`. */
const sender = z.string().transform((value, context) => {
  const [, name = '', bracketed] = /^\s*(?:"?([^"<>]*?)"?\s*)?<([^<>]+)>\s*$/.exec(value) ?? [];
  const address = emailAddress.safeParse(bracketed ?? value.trim());
  const isName = name === '' || (!hasControlCharacter(name) && displayNameProblem(name) === null);
  if (address.success && isName) return { name, address: address.data };
  context.issues.push({
    code: 'custom',
    input: value,
    message: 'must be an email address, or NAME <ADDRESS>',
  });
  return z.NEVER;
});

export const mailSettings = declareSettings(
  '',
  {
    SMTP_URL: {
      schema: smtpUrl,
      default: '',
      help: 'mail server that sends [emails](email.md): `smtp://USER:PASSWORD@HOST:PORT` (STARTTLS), or `smtps://…` (TLS from the start); no email if empty',
      isSecret: true,
    },
    SMTP_URL_FILE: {
      schema: filePath(),
      default: '',
      help: 'path of a file that contains the URL of the mail server; instead of `SMTP_URL`',
    },
    SMTP_TLS: {
      schema: z.enum(['required', 'off']),
      default: 'required',
      help: '`required` or `off`: TLS to the mail server. With a server on the same machine (`127.0.0.1`, `localhost`), `smtp://` uses none',
    },
    EMAIL_FROM: {
      schema: sender,
      default: '',
      help: 'sender of emails: `payments@shop.example` or `Kettle & Co <payments@shop.example>`. Required with `SMTP_URL`',
    },
  },
  ({ SMTP_URL, SMTP_URL_FILE, SMTP_TLS, EMAIL_FROM }): MailOptions | null => {
    if (SMTP_URL && SMTP_URL_FILE) throw new ConfigError('Only one of SMTP_URL and SMTP_URL_FILE may be set.');
    const url = SMTP_URL_FILE ? readUrl(SMTP_URL_FILE) : SMTP_URL;
    if (!url) return null;
    if (!EMAIL_FROM) throw new ConfigError('EMAIL_FROM must be set with SMTP_URL.');
    const protocol = url.protocol as keyof typeof DEFAULT_PORTS;
    const host = url.hostname.replace(/^\[|\]$/g, '');
    const tls = SMTP_TLS === 'off' || isLoopback(host) ? 'none' : 'starttls';
    return {
      host,
      port: Number(url.port) || DEFAULT_PORTS[protocol],
      tls: protocol === 'smtps:' ? 'implicit' : tls,
      credentials: url.username
        ? { user: decodeURIComponent(url.username), password: decodeURIComponent(url.password) }
        : null,
      from: EMAIL_FROM,
    };
  },
);

function readUrl(path: string): URL {
  const read = smtpUrl.safeParse(readFileSync(path, 'utf8'));
  if (!read.success) throw new ConfigError(`The file SMTP_URL_FILE ${read.error.issues[0]?.message}.`);
  return read.data;
}

function isLoopback(host: string): boolean {
  return host === 'localhost' || host === '::1' || (isIP(host) === 4 && host.startsWith('127.'));
}
