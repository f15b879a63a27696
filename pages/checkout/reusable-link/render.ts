import type { BuyerFieldName, ReusableLinkPage } from '../../../src/api/reusable-link-page.ts';
import { isFamilyNameFirst } from '../../../src/shared/address.ts';
import { decimalSeparator } from '../../../src/shared/amount-input.ts';
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import type { PageAsset } from '../../assets.ts';
import { escapeHtml as escape, htmlDocument } from '../../html-document.ts';
import { languageFor, languages } from '../../locales/languages.ts';
import { type NegotiatedLocale, resolveTexts } from '../../locales/texts.ts';
import { fieldErrorMessage } from '../elements/field-error.ts';
import { httpUrl } from '../elements/http-url.ts';
import { I18n } from '../elements/i18n.ts';
import { amountPart, sizeClass } from '../elements/payment-summary.ts';
import { QrCode } from '../elements/qr-code.ts';
import { qrPath } from '../elements/qr-path.ts';
import { type StatusIcon, statusIcon } from '../elements/status-icon.ts';
import type { BrandStyle } from '../link/brand-style.ts';
import { merchantLinks } from '../link/merchant-links.ts';
import { plainHtml } from '../link/plain-html.ts';
import { restriction } from '../store/restriction.ts';
import '../elements/language-picker.ts';

QrCode.renderSync = qrPath;

const languageTags = Object.keys(languages);

/** Renders the page of a reusable link. Its form needs no script. */
export function renderReusableLink(
  page: ReusableLinkPage,
  { locale, amountLocale, direction }: NegotiatedLocale,
  asset: PageAsset,
  brand?: BrandStyle,
): string {
  const i18n = new I18n(resolveTexts(locale), locale, amountLocale);
  const { phase } = page;
  const content = phase === 'ready' ? formHtml(page, i18n, amountLocale) : stateHtml(page, phase, i18n);
  return htmlDocument({
    ...{ locale, direction, extraStyle: brand?.style },
    title: `${page.title} · ${page.merchant.name}`,
    asset,
    body: `<main class="page">
${headHtml(page, i18n)}
<div class="pane pane-payment">
${content}
${returnLinkHtml(page, i18n)}
${languagesHtml(locale, i18n)}
</div>
</main>
${rendered(merchantLinks(page.merchant, i18n))}`,
  });
}

function headHtml(page: ReusableLinkPage, i18n: I18n): string {
  const { merchant, currency } = page;
  const logo = httpUrl(merchant.logoUrl);
  const initial = /[\p{L}\p{N}]/u.exec(merchant.name)?.[0] ?? '';
  const logoHtml =
    logo === null
      ? `<span class="merchant-mark" aria-hidden="true">${escape(initial.toLocaleUpperCase())}</span>`
      : `<img class="merchant-logo" src="${escape(logo)}" alt="" width="40" height="40" referrerpolicy="no-referrer">`;
  const image = httpUrl(page.imageUrl);
  const price = page.phase === 'archived' ? null : page.amount;
  return `<header class="pane pane-summary">
${page.sandbox ? `<p class="sandbox">${escape(i18n.text('page.sandbox'))}</p>` : ''}
<div>
<div class="merchant">${logoHtml}<span class="merchant-name"><bdi>${escape(merchant.name)}</bdi></span></div>
${image === null ? '' : `<img class="buy-image" src="${escape(image)}" alt="" referrerpolicy="no-referrer">`}
<div>
${price === null ? '' : priceHtml(price, currency, i18n)}
<h1 class="buy-title"><bdi>${escape(page.title)}</bdi></h1>
${page.description === null ? '' : `<p class="what"><bdi>${escape(page.description)}</bdi></p>`}
</div>
</div>
${page.phase === 'ready' ? phoneHtml(page.address, i18n) : ''}
</header>`;
}

/** The page's address as a QR code, on wide screens. */
function phoneHtml(address: string, i18n: I18n): string {
  return rendered(html`<div class="phone">
    <qr-code .value=${address} .label=${i18n.text('page.qr')}></qr-code>
    <p><strong>${i18n.text('page.phone_title')}</strong><br />${i18n.text('page.phone_text')}</p>
  </div>`);
}

function priceHtml(value: string, currency: string, i18n: I18n): string {
  const parts = i18n.amountParts({ value, currency });
  return `<p class="amount" data-length="${sizeClass(parts)}">${rendered(parts.map(amountPart))}</p>`;
}

/** HTML of the elements and templates that the payment page shows too. */
function rendered(template: unknown): string {
  return plainHtml(collectResultSync(render(template)));
}

function languagesHtml(locale: string, i18n: I18n): string {
  return rendered(html`<language-picker
    .i18n=${i18n}
    .languages=${languageTags}
    .chosen=${languageFor(locale) ?? 'en'}
  ></language-picker>`);
}

/** Link back to the shop for buyers who don't want to pay. */
function returnLinkHtml({ returnUrl, merchant }: ReusableLinkPage, i18n: I18n): string {
  const url = httpUrl(returnUrl);
  if (url === null) return '';
  return `<a class="back-link" href="${escape(url)}">${escape(i18n.text('phases.back', { merchant: merchant.name }))}</a>`;
}

function stateHtml(page: ReusableLinkPage, phase: Exclude<ReusableLinkPage['phase'], 'ready'>, i18n: I18n): string {
  const text = (key: string) => i18n.text(`reusable.${key}`, { merchant: page.merchant.name });
  const displays: Record<typeof phase, { icon: StatusIcon; heading?: string; text?: string }> = {
    sold_out: { icon: 'clock', heading: text('sold_out_title'), text: text('sold_out_text') },
    archived: { icon: 'cross', heading: text('closed_title'), text: text('closed_text') },
    restricted: { icon: 'globe', heading: i18n.text('phases.restricted.title'), ...restriction(page, i18n) },
  };
  const display = displays[phase];
  return `<div class="status">
<span class="status-sign">${rendered(statusIcon(display.icon))}</span>
<h2 class="status-heading">${escape(display.heading ?? '')}</h2>
<p class="status-text">${escape(display.text ?? '')}</p>
${phase === 'restricted' ? `<div class="status-actions"><a class="button" href="">${escape(i18n.text('page.reload'))}</a></div>` : ''}
</div>`;
}

function formHtml(page: ReusableLinkPage, i18n: I18n, amountLocale: string): string {
  const { currency, customAmount, quantity, available } = page;
  const money = (value: string) => i18n.amount({ value, currency });
  const isFixed = page.amount !== null && quantity === null;
  const decimals = (page.amount ?? customAmount?.minimum ?? '').split('.')[1]?.length ?? 0;
  const notice = page.problem ? i18n.text(`problems.${page.problem}`) : null;
  const field = fieldHtml(page, i18n);
  const limits = customAmount && { minimum: money(customAmount.minimum), maximum: money(customAmount.maximum) };
  return `<form method="post" action="${escape(page.path)}" class="payment" novalidate data-currency="${escape(currency)}" data-locale="${escape(amountLocale)}" data-decimals="${decimals}" data-unit="${escape(page.amount ?? '')}">
<input type="hidden" name="token" value="${escape(page.token)}">
<input type="hidden" name="locale" value="${escape(amountLocale)}">
${notice === null ? '' : `<div class="notice" data-tone="bad" role="alert">${rendered(statusIcon('warning'))}<p>${escape(notice)}</p></div>`}
<div class="methods buy-form">
${
  limits
    ? field('amount', {
        label: `${i18n.text('page.amount')} (${currency})`,
        attributes: 'inputmode="decimal" autocomplete="off" dir="ltr"',
        initial: (customAmount?.suggested ?? '').replace('.', decimalSeparator(amountLocale)),
        hint: i18n.text('reusable.range', limits),
        errorText: i18n.text('reusable.amount_error', limits),
      })
    : ''
}
${
  quantity
    ? field('quantity', {
        label: i18n.text('reusable.quantity'),
        attributes: `inputmode="numeric" autocomplete="off" dir="ltr" min="${quantity.minimum}" max="${quantity.maximum}"`,
        initial: String(quantity.minimum),
        hint: available === null ? '' : i18n.text('reusable.available', { count: available }),
        errorText: i18n.text('reusable.quantity_error', quantity),
        isStepped: true,
      })
    : ''
}
${page.asksEmail ? field('email', { label: i18n.text('fields.email'), attributes: 'type="email" autocomplete="email" dir="ltr"' }) : ''}
${
  page.asksName
    ? `<div class="two">${namesOf(page)
        .map((name) =>
          field(name, {
            label: i18n.text(`fields.${name}`),
            attributes: `autocomplete="${autocomplete[name]}" dir="auto"`,
          }),
        )
        .join('\n')}</div>`
    : ''
}
${isFixed ? '' : `<p class="total" hidden aria-live="polite"><span>${escape(i18n.text('page.total'))}</span> <b></b></p>`}
</div>
<button class="pay">${escape(i18n.text('reusable.continue'))}</button>
</form>`;
}

const autocomplete = { first_name: 'given-name', last_name: 'family-name' } as const;

/** Name fields in the order of the payer's country, as in the card form. */
function namesOf({ payerCountry }: ReusableLinkPage) {
  const names = ['first_name', 'last_name'] as const;
  return payerCountry !== null && isFamilyNameFirst(payerCountry) ? names.toReversed() : names;
}

interface FormField {
  label: string;
  attributes: string;
  /** Value before the buyer changes it. */
  initial?: string;
  hint?: string;
  errorText?: string;
  isStepped?: boolean;
}

function fieldHtml(page: ReusableLinkPage, i18n: I18n) {
  const { values, invalidFields } = page;
  const shownFields = ['amount', 'quantity', 'email', ...namesOf(page)] as const;
  const firstInvalid = shownFields.find((name) => invalidFields.includes(name));
  return (name: BuyerFieldName, { label, attributes, initial = '', hint = '', errorText, isStepped }: FormField) => {
    const isInvalid = invalidFields.includes(name);
    const value = values[name] ?? initial;
    const isEmail = name === 'email';
    const emptyKind = `errors.required.${isEmail ? 'email' : 'field'}`;
    const kind = value.trim() === '' ? emptyKind : isEmail ? 'errors.invalid_email' : 'errors.other';
    const text = isInvalid ? (errorText ?? i18n.text(kind, { field: label })) : hint;
    const step = (by: -1 | 1, sign: string) =>
      isStepped
        ? `<button type="button" class="button step" data-step="${by}" tabindex="-1" aria-hidden="true" hidden>${sign}</button>`
        : '';
    const input = `<input class="field" id="buy-${name}" name="${name}" value="${escape(value)}" maxlength="254" required ${attributes}${
      text === '' ? '' : ` aria-describedby="buy-${name}-text"`
    }${isInvalid ? ' aria-invalid="true"' : ''}${name === firstInvalid ? ' autofocus' : ''}>`;
    const id = `buy-${name}-text`;
    const note = isInvalid
      ? rendered(fieldErrorMessage(id, text))
      : `<p id="${id}" class="buy-hint">${escape(text)}</p>`;
    return `<div class="buy-field">
<label for="buy-${name}">${escape(label)}</label>
<div class="control">${step(-1, '−')}${input}${step(1, '+')}</div>
${text === '' ? '' : note}
</div>`;
  };
}
