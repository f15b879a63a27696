import type { MailAmount, MailContent } from '../api/mail.ts';
import { toAlpha2 } from '../api/country.ts';
import { minorUnitsOf } from '../api/currency.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { NewMail } from '../mail/outbox.ts';
import { emailReviewPending } from '../mail/team-emails.ts';
import { defaultPreference, type PreferenceKey } from '../merchants/preferences/keys.ts';
import { readPreferences } from '../merchants/preferences/store.ts';
import { brandOf, findPaymentMethod } from '../methods/catalog.ts';
import { formatMinor } from '../shared/money.ts';
import { formatInstant } from '../shared/time.ts';
import { linkUrl, type PaymentsContext } from './context.ts';
import { pageItems } from './links/page-items.ts';
import { acceptsRemainder } from './quote.ts';
import { readPaymentAttempts } from './related-records.ts';
import { needsReview } from './review/rules.ts';
import type { FiatTransaction } from './schema.ts';
import { amountAfterRefunds, remainingAmount } from './transaction.ts';
import { isExpired } from './expiry.ts';

type EmailContext = Pick<PaymentsContext, 'mailer' | 'publicUrl'>;

/** Sends the emails that a changed status requires, in the unit of work of the change. */
export async function emailStatusChange(
  context: EmailContext & Pick<PaymentsContext, 'supportsMethod'>,
  unit: UnitOfWork,
  before: FiatTransaction,
  after: FiatTransaction,
): Promise<void> {
  if (!context.mailer.isOn) return;
  if (after.status === 'confirmed' && before.status !== 'confirmed') await emailReceipt(context, unit, after);
  const isPartialReceipt = isPartiallyPaid(after) && after.receivedMinor > before.receivedMinor;
  const isPayable = isPartialReceipt && acceptsRemainder(context, after);
  if (isPayable) await emailUnderpayment(context, unit, after);
  if ((isPartialReceipt && !isPayable) || (awaitsReview(after) && !awaitsReview(before)))
    await emailReviewPending(context, unit, {
      ...{ merchantId: after.merchantId, reference: after.reference, now: after.updatedAt },
    });
}

/** Notifies the payer of a refund that succeeded. */
export async function emailRefund(
  context: EmailContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { refundKey, amountMinor }: { refundKey: string; amountMinor: bigint },
): Promise<void> {
  if (!context.mailer.isOn) return;
  const { reference, linkId } = transaction;
  await emailPayer(context, unit, transaction, {
    preference: 'email-refunds',
    idempotencyKey: `refund ${refundKey}`,
    content: { kind: 'refund', reference, refunded: amountOf(transaction, amountMinor), url: linkUrl(context, linkId) },
  });
}

/** The email with a transaction's payment link. */
export function linkEmail(context: EmailContext, transaction: FiatTransaction, recipient: string): NewMail {
  const { merchantId, id: transactionId, reference, description, linkId } = transaction;
  return {
    ...{ merchantId, transactionId, recipient, locale: payerLocale(transaction) },
    content: {
      ...{ kind: 'payment_link', reference, description: description || null },
      amount: amountOf(transaction, remainingAmount(transaction)),
      ...{ expiresAt: formatInstant(transaction.expiresAt), url: linkUrl(context, linkId) },
    },
  };
}

/** One receipt per transaction and amount, even if a deposit is reversed and restored. */
async function emailReceipt(context: EmailContext, unit: UnitOfWork, transaction: FiatTransaction): Promise<void> {
  const { id, reference, description, currency, country, linkId, acceptedMinor, chargedMinor } = transaction;
  // A partial payment is not allocated to items.
  const items = acceptedMinor === null ? pageItems(transaction) : [];
  const { attempts } = await readPaymentAttempts(unit, transaction);
  const paidBy = attempts.find(({ state }) => state === 'approved');
  const method = findPaymentMethod(transaction.paymentMethod);
  await emailPayer(context, unit, transaction, {
    preference: 'email-receipts',
    idempotencyKey: `receipt ${id} ${acceptedMinor ?? chargedMinor}`,
    content: {
      ...{ kind: 'receipt', reference, description: description || null },
      items: items.map(({ name, quantity, amount }) => ({ name, quantity, amount })),
      amount: amountOf(transaction, acceptedMinor ?? chargedMinor),
      subtotal: decimal(acceptedMinor ?? transaction.amountMinor, currency),
      ...{ method: transaction.paymentMethod, methodBrand: method ? brandOf(method, country) : null },
      card: paidBy ? { brand: paidBy.brand, last4: paidBy.last4 } : null,
      ...{ paidAt: formatInstant(transaction.updatedAt), url: linkUrl(context, linkId) },
    },
  });
}

async function emailUnderpayment(context: EmailContext, unit: UnitOfWork, transaction: FiatTransaction): Promise<void> {
  const { id, reference, currency, linkId, chargedMinor, receivedMinor } = transaction;
  await emailPayer(context, unit, transaction, {
    preference: 'email-underpayments',
    idempotencyKey: `underpayment ${id} ${receivedMinor}`,
    content: {
      ...{ kind: 'underpayment', reference, amount: amountOf(transaction, chargedMinor) },
      received: decimal(amountAfterRefunds(transaction), currency),
      left: decimal(remainingAmount(transaction), currency),
      ...{ expiresAt: formatInstant(transaction.expiresAt), url: linkUrl(context, linkId) },
    },
  });
}

/** Sends an email to the payer, if their address is known and the merchant has not turned this kind off. */
async function emailPayer(
  { mailer }: EmailContext,
  unit: UnitOfWork,
  transaction: FiatTransaction,
  { preference, content, idempotencyKey }: { preference: PreferenceKey; content: MailContent; idempotencyKey: string },
): Promise<void> {
  const { merchantId, id: transactionId } = transaction;
  const recipient = await payerEmail(unit, transaction);
  if (recipient === null) return;
  const set = (await readPreferences(unit, merchantId, [preference]))[preference] ?? defaultPreference(preference);
  if (set !== true) return;
  await mailer.enqueue(unit, {
    ...{ merchantId, transactionId, recipient, locale: payerLocale(transaction), content, idempotencyKey },
  });
}

/** The address from the merchant, or the one entered with the card that paid. */
async function payerEmail(unit: UnitOfWork, transaction: FiatTransaction): Promise<string | null> {
  if (transaction.payer?.email !== undefined) return transaction.payer.email;
  const { attempts } = await readPaymentAttempts(unit, transaction);
  return attempts.findLast(({ state }) => state === 'approved')?.payerEmail ?? null;
}

/**
 * The language of the buyer's page: chosen by the buyer or the merchant; otherwise the main language of the buyer's
 * country.
 */
function payerLocale({ buyerLocale, locale, payer, buyerCountry, country }: FiatTransaction): string | null {
  const known = buyerLocale ?? locale;
  if (known !== null) return known;
  const alpha2 = payer?.country ?? buyerCountry ?? toAlpha2(country);
  return alpha2 ? new Intl.Locale(`und-${alpha2}`).maximize().baseName : null;
}

/** True if the payer could still pay the remaining amount after the last change, provided that an account accepts it. */
function isPartiallyPaid(transaction: FiatTransaction): boolean {
  const { status, updatedAt } = transaction;
  const isOpen = (status === 'waiting' || status === 'pending') && !isExpired(transaction, updatedAt);
  return isOpen && amountAfterRefunds(transaction) > 0n && remainingAmount(transaction) > 0n;
}

/** True if only the merchant can complete the payment: after an overpayment, or after a partial payment has expired. */
function awaitsReview(transaction: FiatTransaction): boolean {
  return needsReview(transaction) && !isPartiallyPaid(transaction);
}

function amountOf({ currency }: FiatTransaction, minor: bigint): MailAmount {
  return { value: decimal(minor, currency), currency };
}

function decimal(minor: bigint, currency: FiatTransaction['currency']): string {
  return formatMinor(minor, minorUnitsOf(currency));
}
