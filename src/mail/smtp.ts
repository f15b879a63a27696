import { createTransport } from 'nodemailer';
import type { RenderedMail } from '../api/mail.ts';
import { type Instant, MINUTE, SECOND, toMillis } from '../shared/time.ts';
import type { MailOptions } from './settings.ts';

/** Simultaneous connections to the mail server, and emails sent at once. */
export const MAX_CONNECTIONS = 5;

/** An email to send. */
export interface OutgoingMail extends RenderedMail {
  messageId: string;
  recipient: string;
  senderName: string;
  replyTo: string | null;
  unsubscribeUrl: string | null;
}

/**
 * A failed attempt. `isPermanent`: the server rejects this recipient or this message, so that a retry is useless. The
 * operator can fix all other failures: the connection, the credentials, the sender.
 */
export interface SendFailure {
  isPermanent: boolean;
  /** For merchants: without secrets, message content and the operator's network. */
  reason: string;
  /** For the operator: the error of a failed connection. */
  detail?: string;
}

export interface MailTransport {
  /** Sends an email. Returns null once the server has accepted it. */
  send(mail: OutgoingMail): Promise<SendFailure | null>;
  /** Connects, negotiates TLS and authenticates. Returns null on success. */
  verify(): Promise<SendFailure | null>;
  close(): void;
}

/**
 * A server may examine the message before it accepts it; giving up too early sends the same email again. RFC 5321,
 * section 4.5.3.2.6, asks for 10 minutes, which would delay other emails and exceed the time in which a process stops.
 */
const RESPONSE_TIMEOUT: Instant = 50 * SECOND;
/** Longer than usual attempts, so that no other process sends the email too. */
export const MAX_ATTEMPT: Instant = 8 * MINUTE;

/** Connects to the operator's mail server over SMTP. */
export function createSmtpTransport(
  { host, port, tls, credentials, from }: MailOptions,
  responseTimeout = RESPONSE_TIMEOUT,
): MailTransport {
  const transport = createTransport({
    pool: true,
    maxConnections: MAX_CONNECTIONS,
    ...{ host, port, secure: tls === 'implicit', requireTLS: tls === 'starttls', ignoreTLS: tls === 'none' },
    ...(credentials && { auth: { user: credentials.user, pass: credentials.password } }),
    ...{ dnsTimeout: 10_000, connectionTimeout: 10_000, greetingTimeout: 10_000 },
    socketTimeout: toMillis(responseTimeout),
    ...{ disableFileAccess: true, disableUrlAccess: true },
  });
  return {
    async send({ subject, html, text, messageId, recipient, senderName, replyTo, unsubscribeUrl }) {
      try {
        await transport.sendMail({
          ...{ messageId, subject, html, text },
          from: { name: senderName, address: from.address },
          to: { name: '', address: recipient },
          ...(replyTo !== null && { replyTo: { name: '', address: replyTo } }),
          headers: {
            // Suppresses automatic replies (RFC 3834).
            'Auto-Submitted': 'auto-generated',
            ...(unsubscribeUrl !== null && { 'List-Unsubscribe-Post': 'List-Unsubscribe=One-Click' }),
          },
          ...(unsubscribeUrl !== null && { list: { unsubscribe: unsubscribeUrl } }),
        });
        return null;
      } catch (error) {
        return toFailure(error);
      }
    },
    async verify() {
      try {
        await transport.verify();
        return null;
      } catch (error) {
        return toFailure(error);
      }
    },
    close() {
      transport.close();
    },
  };
}

/** Commands whose rejection concerns the email, not the connection or the sender. */
const MESSAGE_COMMANDS = /^(?:RCPT TO|DATA)$/;
const MAX_REASON = 300;

function toFailure(error: unknown): SendFailure {
  const { message, code, command, response, responseCode } = error as Partial<
    Record<'message' | 'code' | 'command' | 'response', string>
  > & { responseCode?: number };
  const isPermanent = (responseCode ?? 0) >= 500 && responseCode !== 530 && MESSAGE_COMMANDS.test(command ?? '');
  // A server may repeat credentials in its response to AUTH.
  const isAuthentication = code === 'EAUTH';
  const reply = isAuthentication ? `${responseCode ?? ''} The mail server rejected the credentials` : response;
  if (reply !== undefined) return { isPermanent, reason: oneLine(reply) };
  const detail = oneLine(message ?? code ?? 'unknown error');
  return { isPermanent, reason: 'The mail server could not be reached', detail };
}

function oneLine(text: string): string {
  return text
    .replaceAll(/[\p{Cc}\s]+/gu, ' ')
    .trim()
    .slice(0, MAX_REASON);
}
