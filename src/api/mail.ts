import { z } from 'zod';
import { transactionReference } from './fiat-transaction.ts';
import { emailAddress } from './people.ts';
import { describeStatuses } from './statuses.ts';
import { instantText, text } from './text.ts';
import { optionalMailKinds, payerMailKinds, teamMailKinds } from '../shared/mail-kinds.ts';
import { wholeNumber } from './fiat-transaction.ts';

/** Kinds that the emails page of a merchant lists. */
const merchantMailKinds = [...payerMailKinds, ...teamMailKinds] as const;

/** An email as the API shows it. */
const mailSummary = z
  .object({
    id: z.int().min(1),
    kind: z.enum(merchantMailKinds),
    recipient: z.string(),
    transaction_id: z.string().nullable().describe('Your reference for the payment; null if the email has none'),
    state: z.enum(['waiting', 'sent', 'failed']).describe(describeStatuses('email')),
    attempts: z.int(),
    created_at: instantText,
    finished_at: instantText.nullable().describe('Time at which it was sent or failed'),
    error: z.string().nullable().describe('Reason of the last failed attempt'),
  })
  .meta({ id: 'Email' });
export type MailSummary = z.output<typeof mailSummary>;

export const sendLinkRequest = z.strictObject({
  transaction_id: transactionReference,
  email: emailAddress.optional().describe('The recipient; the payer’s email address by default'),
});
export const sendLinkResponse = z.object({ email: mailSummary });

export const emailsQuery = z.strictObject({
  cursor: text(64).optional().describe('The `next_cursor` of the previous page'),
  per_page: wholeNumber(100).optional(),
});
export const emailsResponse = z.object({
  is_set_up: z.boolean().describe('False: the service sends no email'),
  emails: z.array(mailSummary),
  next_cursor: z.string().nullable(),
});

/** Query of a preview for the account area. */
export const mailPreviewQuery = z.strictObject({
  kind: z.enum([...payerMailKinds, ...teamMailKinds, 'new_sign_in']),
  locale: text(35).optional(),
  scheme: z.enum(['light', 'dark']).optional(),
  merchant: text(20).optional(),
});

/** Notifications that a user has turned on. */
export const notificationsRequest = z.strictObject({ kind: z.enum(optionalMailKinds), is_on: z.boolean() });
export const notificationsResponse = z.object({
  is_set_up: z.boolean(),
  kinds: z.array(z.object({ kind: z.enum(optionalMailKinds), is_on: z.boolean() })),
});

/** Amount in a currency, as a decimal string. */
export interface MailAmount {
  value: string;
  currency: string;
}

/** The data of a template, by kind. URLs are absolute, times ISO 8601. */
export type MailContent =
  | {
      kind: 'receipt';
      reference: string;
      description: string | null;
      items: readonly { name: string; quantity: number; amount: string }[];
      amount: MailAmount;
      /** The amount, excluding any fee that the payer pays. */
      subtotal: string;
      method: string;
      /** Brand name of the method, if it has one. */
      methodBrand: string | null;
      card: { brand: string | null; last4: string } | null;
      paidAt: string;
      url: string;
    }
  | { kind: 'refund'; reference: string; refunded: MailAmount; url: string }
  | {
      kind: 'underpayment';
      reference: string;
      amount: MailAmount;
      received: string;
      left: string;
      expiresAt: string;
      url: string;
    }
  | {
      kind: 'payment_link';
      reference: string;
      description: string | null;
      amount: MailAmount;
      expiresAt: string;
      url: string;
    }
  | {
      kind: 'invitation';
      /** Null: the invitation is for a manager of the service. */
      merchantName: string | null;
      role: string;
      expiresAt: string;
      url: string;
    }
  | { kind: 'review_waiting'; merchantName: string; reference: string; url: string }
  | { kind: 'endpoint_disabled'; merchantName: string; endpoint: string; url: string }
  | {
      kind: 'destination_changed';
      merchantName: string;
      coin: string;
      /** Null: automatic withdrawals of this coin no longer have a destination. */
      address: string | null;
      /** Null: immediately. */
      effectiveAt: string | null;
      url: string;
    }
  | { kind: 'new_sign_in'; userAgent: string; address: string; at: string; url: string };

/** A merchant in emails to payers. */
export interface MailBrand {
  name: string;
  /** `#rrggbb`; null for the default. */
  color: string | null;
  logoUrl: string | null;
  contact: string | null;
}

/** An email to render. */
export interface MailDocument {
  content: MailContent;
  /** Null in emails to members. */
  brand: MailBrand | null;
  locale: string | null;
  /** Null for emails that cannot be turned off. */
  unsubscribeUrl: string | null;
  isSandbox: boolean;
}

export interface RenderedMail {
  subject: string;
  html: string;
  text: string;
}

/** Renders emails, which are built with the pages. */
export interface MailPages {
  /** `scheme` renders a preview in one scheme, regardless of the browser's preference. */
  renderMail(document: MailDocument, scheme?: 'light' | 'dark'): RenderedMail;
}
