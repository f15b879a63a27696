import { html, nothing } from 'lit';
import type { TransactionDetail } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { breakable } from '../breakable.ts';
import type { AccountContext } from '../context.ts';
import { brandMark } from '../../checkout/elements/brand-mark.ts';
import { brandName } from './brands.ts';
import { methodLogo, nameOfMethod } from './methods.ts';

/** Details of a payment, its payer and the buyer location, as names and values. */
export function paymentFacts(detail: TransactionDetail, { i18n, format }: AccountContext) {
  const { status, descriptions, created_at: createdAt, updated_at: updatedAt, expires_at: expires } = detail;
  const isOpen = status === 'transaction_status_pending' || status === 'transaction_status_waiting';
  const { country, buyer_country: buyer, buyer_country_source: source, buyer_network: network } = detail;
  const sourceKey = `account.transactions.facts.source.${source}`;
  const text = (key: string) => i18n.text(`account.transactions.facts.${key}`);
  const note =
    source &&
    html`<span class="fact-note">${i18n.has(sourceKey) ? i18n.text(sourceKey) : source.replaceAll('_', ' ')}</span>`;
  return [
    [text('description'), html`<span dir="auto">${descriptions || '–'}</span>`],
    [i18n.text('account.transactions.column.payer'), payerLines(detail)],
    [text('method'), html`<span class="with-logo">${methodLines(detail, i18n)}</span>`],
    [text('created'), format.dateTime(createdAt)],
    [text('changed'), format.dateTime(updatedAt)],
    [text('expires'), isOpen ? format.dateTime(expires) : null],
    [text('country'), format.country(country)],
    [text('buyer_country'), buyer === undefined ? text('unknown') : html`${format.country(buyer)} ${note}`],
    [text('network'), network === undefined ? null : html`<span dir="ltr">${network}</span>`],
  ] as const;
}

/** The card that paid or was attempted last; undefined if something else paid. */
function cardOf({ attempts, instructions }: TransactionDetail) {
  const approved = attempts.find(({ state }) => state === 'approved');
  return approved ?? (instructions.some(({ state }) => state === 'paid') ? undefined : attempts.at(-1));
}

/** The card with its brand and last digits, otherwise the method. */
function methodLines(detail: TransactionDetail, i18n: I18n) {
  const { payment_method: method } = detail;
  const card = cardOf(detail);
  if (!card) return html`${methodLogo(method)}${nameOfMethod(method, i18n)}`;
  const name = brandName(card.brand) || nameOfMethod(method, i18n);
  return html`${brandMark(card.brand, name)}<bdi>${name} ••••\u00a0${card.last4}</bdi>`;
}

/** The payer entered with the card that paid or was attempted last; otherwise the one supplied by the merchant; null if unknown. */
function payerLines({ attempts, payer: given = {} }: TransactionDetail) {
  const attempt = attempts.find(({ state }) => state === 'approved') ?? attempts.at(-1);
  const givenName = [given.first_name, given.last_name].filter(Boolean).join(' ');
  const name = attempt?.payer?.name ?? (givenName || null);
  const email = attempt?.payer?.email ?? given.email ?? null;
  if (name === null && email === null && !given.phone) return null;
  return html`<span class="payer-lines">
    ${name === null ? nothing : html`<span dir="auto">${name}</span>`}
    ${email === null ? nothing : html`<a class="link" href=${`mailto:${encodeURIComponent(email).replace('%40', '@')}`} dir="ltr">${breakable(email)}</a>`}
    ${given.phone ? html`<a class="link" href=${`tel:${given.phone}`} dir="ltr">${given.phone}</a>` : nothing}
  </span>`;
}
