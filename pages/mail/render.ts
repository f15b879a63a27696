/*
 * Map of `pages/mail/`: `render.ts` fills in the parts of each kind of email, and `layout.ts` renders them as HTML and
 * plain text. `unsubscribe-page.ts` is the page of the unsubscribe link. Guide: docs/email.md.
 */

import type { MailAmount, MailBrand, MailContent, MailDocument, RenderedMail } from '../../src/api/mail.ts';
import { deviceName } from '../account/me/device.ts';
import type { Scheme } from '../checkout/elements/brand-colors.ts';
import { I18n } from '../checkout/elements/i18n.ts';
import { methodName } from '../checkout/elements/method-name.ts';
import { cardBrands } from '../../src/shared/card-brands.ts';
import { accountLanguages } from '../locales/account/languages.ts';
import { negotiateLocale, resolveAccountTexts, resolveTexts } from '../locales/texts.ts';
import { type MailParts, renderMailPage } from './layout.ts';

/** Renders an email in the recipient's language: all languages for payers, the account area's languages for members. */
export function renderMail(document: MailDocument, scheme: Scheme | null = null): RenderedMail {
  const { content, brand } = document;
  const languages = brand ? undefined : accountLanguages;
  const { locale, amountLocale, direction } = negotiateLocale(undefined, document.locale ?? undefined, languages);
  const texts = brand ? resolveTexts(locale) : resolveAccountTexts(locale, ['mails', 'shell']);
  const i18n = new I18n(texts, locale, amountLocale);
  const parts = brand ? payerParts(content, brand, i18n) : memberParts(content, i18n);
  const { unsubscribeUrl, isSandbox } = document;
  const unsubscribeLines =
    unsubscribeUrl === null ? [] : [{ text: i18n.text('account.mails.unsubscribe'), url: unsubscribeUrl }];
  const notice = isSandbox ? i18n.text(brand ? 'page.sandbox' : 'account.shell.sandbox') : null;
  return renderMailPage({
    parts: { ...parts, notice, footer: [...parts.footer, ...unsubscribeLines] },
    ...{ brand, locale, direction, scheme },
  });
}

type Parts = Omit<MailParts, 'notice'>;

function payerParts(content: MailContent, brand: MailBrand, i18n: I18n): Parts {
  const merchant = brand.name;
  const money = (amount: MailAmount) => i18n.amount(amount);
  const footer = contactLine(brand, i18n);
  switch (content.kind) {
    case 'receipt':
      return {
        subject: i18n.text('mail.receipt', { merchant }),
        heading: i18n.text('phases.paid.title'),
        amount: money(content.amount),
        paragraphs: [],
        rows: receiptRows(content, i18n),
        total: i18n.text('page.total'),
        button: { label: i18n.text('mail.view_receipt'), url: content.url },
        footer,
      };
    case 'refund':
      return {
        subject: `${i18n.text('invoice.refunded_title')} · ${merchant}`,
        heading: i18n.text('invoice.refunded_title'),
        amount: money(content.refunded),
        paragraphs: [i18n.text('mail.refund', { merchant, amount: money(content.refunded) })],
        rows: [[i18n.text('page.reference'), content.reference]],
        button: { label: i18n.text('mail.view_receipt'), url: content.url },
        footer,
      };
    case 'underpayment': {
      const { currency } = content.amount;
      const left = money({ value: content.left, currency });
      const received = money({ value: content.received, currency });
      return {
        subject: `${i18n.text('received.title')} · ${merchant}`,
        heading: i18n.text('received.title'),
        amount: null,
        paragraphs: [i18n.text('received.text', { received, amount: money(content.amount), left })],
        rows: [
          [i18n.text('received.label'), received],
          [i18n.text('page.remaining'), left],
          [i18n.text('details.deadline'), i18n.dateTime(content.expiresAt)],
          [i18n.text('page.reference'), content.reference],
        ],
        button: { label: i18n.text('pay.button', { amount: left }), url: content.url },
        footer,
      };
    }
    case 'payment_link': {
      const amount = money(content.amount);
      const title = i18n.text('page.title', { amount, merchant });
      return {
        subject: title,
        heading: title,
        amount: null,
        paragraphs: content.description === null ? [] : [content.description],
        rows: [
          [i18n.text('details.deadline'), i18n.dateTime(content.expiresAt)],
          [i18n.text('page.reference'), content.reference],
        ],
        button: { label: i18n.text('pay.button', { amount }), url: content.url },
        footer,
      };
    }
    default:
      throw new Error(`An email of the kind ${content.kind} has no merchant's branding`);
  }
}

function receiptRows(content: Extract<MailContent, { kind: 'receipt' }>, i18n: I18n): MailParts['rows'] {
  const { amount, subtotal, items, card, description } = content;
  const { currency } = amount;
  const money = (value: string) => i18n.amount({ value, currency });
  const fee = (Number(amount.value) - Number(subtotal)).toFixed(subtotal.split('.')[1]?.length ?? 0);
  const hasFee = Number(fee) > 0;
  const method = card
    ? i18n.text('page.card_ending', {
        brand: card.brand === null ? i18n.text('page.card') : cardBrandName(card.brand),
        last4: card.last4,
      })
    : methodName({ code: content.method, brand: content.methodBrand }, i18n);
  return [
    ...items.map(({ name, quantity, amount: value }): [string, string] => [
      quantity === 1 ? name : `${name} × ${quantity}`,
      money(value),
    ]),
    ...(hasFee
      ? ([
          [i18n.text('page.subtotal'), money(subtotal)],
          [i18n.text('page.fee'), money(fee)],
        ] as const)
      : []),
    [i18n.text('page.total'), money(amount.value)],
    [i18n.text('sent.method'), method],
    [i18n.text('page.paid_at'), i18n.dateTime(content.paidAt)],
    ...(description === null ? [] : ([[i18n.text('page.payment'), description]] as const)),
    [i18n.text('page.reference'), content.reference],
  ];
}

/** Display name of a brand: `American Express` for `american-express`. Unknown codes are returned unchanged. */
function cardBrandName(brand: string): string {
  return cardBrands.find((rules) => rules.brand === brand)?.name ?? brand;
}

/** Buyers send questions to the merchant: through its support contact, or by replying to the email. */
function contactLine({ name: merchant, contact }: MailBrand, i18n: I18n): MailParts['footer'] {
  if (contact === null) return [];
  const isUrl = /^https?:/i.test(contact);
  const url = isUrl ? contact : contact.includes('@') ? `mailto:${contact}` : `tel:${contact.replace(/[^+\d]/g, '')}`;
  return [{ text: i18n.text('invoice.contact', { merchant }), url, shownUrl: contact }];
}

function memberParts(content: MailContent, i18n: I18n): Parts {
  const text = (key: string, values: Record<string, string> = {}) => i18n.text(`account.mails.${key}`, values);
  const { kind, url } = content;
  const partsFor = (values: Record<string, string>, rows: MailParts['rows'] = []): Parts => ({
    subject: text(`${kind}.title`, values),
    heading: text(`${kind}.title`, values),
    amount: null,
    paragraphs: [text(`${kind}.text`, values)],
    rows,
    button: { label: text(`${kind}.button`), url },
    footer: 'merchantName' in content && kind !== 'invitation' ? [{ text: text('footer', values) }] : [],
  });
  switch (content.kind) {
    case 'invitation':
      return partsFor({ merchant: content.merchantName ?? 'Paylatch' }, [
        [text('role'), i18n.text(`account.shell.roles.${content.role}`)],
        [text('expires'), i18n.dateTime(content.expiresAt)],
      ]);
    case 'review_waiting':
      return partsFor({ merchant: content.merchantName }, [[text('payment'), content.reference]]);
    case 'endpoint_disabled':
      return partsFor({ merchant: content.merchantName, endpoint: content.endpoint });
    case 'destination_changed':
      return partsFor({ merchant: content.merchantName, coin: content.coin }, [
        [text('address'), content.address ?? text('no_address')],
        ...(content.effectiveAt === null ? [] : ([[text('effective'), i18n.dateTime(content.effectiveAt)]] as const)),
      ]);
    case 'new_sign_in':
      return partsFor({}, [
        [text('device'), deviceName(content.userAgent) || text('unknown_device')],
        [text('ip_address'), content.address],
        [text('time'), i18n.dateTime(content.at)],
      ]);
    default:
      throw new Error(`An email of the kind ${content.kind} needs a merchant's branding`);
  }
}
