import type { BuyerFieldName, ReusableLinkPage } from '../../../src/api/reusable-link-page.ts';
import { render } from '@lit-labs/ssr';
import { collectResultSync } from '@lit-labs/ssr/lib/render-result.js';
import { html } from 'lit';
import type { PageAsset } from '../../assets.ts';
import { escapeHtml as escape, htmlDocument } from '../../html-document.ts';
import { languageFor, languages } from '../../locales/languages.ts';
import { type NegotiatedLocale, resolveTexts } from '../../locales/texts.ts';
import { httpUrl } from '../elements/http-url.ts';
import { I18n } from '../elements/i18n.ts';
import { sizeClass } from '../elements/payment-summary.ts';
import type { BrandStyle } from '../link/brand-style.ts';
import { plainHtml } from '../link/plain-html.ts';
import '../elements/language-picker.ts';

const languageTags = Object.keys(languages);

/** Renders the page of a reusable link. Its form needs no script. */
export function renderReusableLink(
  page: ReusableLinkPage,
  { locale, amountLocale, direction }: NegotiatedLocale,
  asset: PageAsset,
  brand?: BrandStyle,
): string {
  const i18n = new I18n(resolveTexts(locale), locale, amountLocale);
  const content = page.phase === 'ready' ? formHtml(page, i18n, amountLocale) : stateHtml(page, i18n);
  return htmlDocument({
    ...{ locale, direction, extraStyle: brand?.style },
    title: `${page.title} · ${page.merchant.name}`,
    asset,
    body: `<main class="page buy">
${headHtml(page, i18n)}
<div class="pane pane-payment">
${content}
${languagesHtml(locale, i18n)}
</div>
</main>
${linksHtml(page, i18n)}`,
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
  return `<header class="pane pane-summary buy-head">
${page.sandbox ? `<p class="sandbox">${escape(i18n.text('page.sandbox'))}</p>` : ''}
<div class="merchant">${logoHtml}<span class="merchant-name"><bdi>${escape(merchant.name)}</bdi></span></div>
${image === null ? '' : `<img class="buy-image" src="${escape(image)}" alt="" referrerpolicy="no-referrer">`}
<h1 class="buy-title"><bdi>${escape(page.title)}</bdi></h1>
${page.amount === null || page.phase === 'archived' ? '' : priceHtml(page.amount, currency, i18n)}
${page.description === null ? '' : `<p class="buy-text"><bdi>${escape(page.description)}</bdi></p>`}
</header>`;
}

/** The price looks like the amount of the payment page. */
function priceHtml(value: string, currency: string, i18n: I18n): string {
  const parts = i18n.amountParts({ value, currency });
  return `<p class="amount" data-length="${sizeClass(parts)}">${escape(parts.map((part) => part.value).join(''))}</p>`;
}

function languagesHtml(locale: string, i18n: I18n): string {
  const picker = html`<language-picker
    .i18n=${i18n}
    .languages=${languageTags}
    .chosen=${languageFor(locale) ?? 'en'}
  ></language-picker>`;
  return plainHtml(collectResultSync(render(picker)));
}

function stateHtml({ phase, merchant, buyerCountry }: ReusableLinkPage, i18n: I18n): string {
  const values = { merchant: merchant.name, country: buyerCountry === null ? '' : i18n.countryName(buyerCountry) };
  const [title, text] = {
    ready: ['', ''],
    sold_out: ['reusable.sold_out_title', 'reusable.sold_out_text'],
    archived: ['reusable.closed_title', 'reusable.closed_text'],
    restricted:
      buyerCountry === null
        ? ['restricted.unknown_title', 'restricted.unknown_text']
        : ['restricted.named_title', 'restricted.reason'],
  }[phase];
  return `<div class="status">
<h2 class="status-heading">${escape(i18n.text(title ?? '', values))}</h2>
<p class="status-text">${escape(i18n.text(text ?? '', values))}</p>
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
  return `<form method="post" action="${escape(page.path)}" class="buy-form" novalidate data-currency="${escape(currency)}" data-locale="${escape(amountLocale)}" data-decimals="${decimals}" data-unit="${escape(page.amount ?? '')}">
<input type="hidden" name="token" value="${escape(page.token)}">
<input type="hidden" name="locale" value="${escape(amountLocale)}">
${notice === null ? '' : `<p class="buy-notice" role="alert">${escape(notice)}</p>`}
${
  limits
    ? field('amount', {
        label: `${i18n.text('page.amount')} (${currency})`,
        attributes: 'inputmode="decimal" autocomplete="off" dir="ltr"',
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
    ? `<div class="buy-names">${field('first_name', { label: i18n.text('fields.first_name'), attributes: 'autocomplete="given-name" dir="auto"' })}
${field('last_name', { label: i18n.text('fields.last_name'), attributes: 'autocomplete="family-name" dir="auto"' })}</div>`
    : ''
}
${isFixed ? '' : `<p class="total" hidden aria-live="polite"><span>${escape(i18n.text('page.total'))}</span> <b></b></p>`}
<button class="pay">${escape(i18n.text('reusable.continue'))}</button>
</form>`;
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

function fieldHtml({ values, invalidFields }: ReusableLinkPage, i18n: I18n) {
  return (name: BuyerFieldName, { label, attributes, initial = '', hint = '', errorText, isStepped }: FormField) => {
    const isInvalid = invalidFields.includes(name);
    const value = values[name] ?? initial;
    const kind = name === 'email' ? (value === '' ? 'errors.required.email' : 'errors.invalid_email') : 'errors.other';
    const text = isInvalid ? (errorText ?? i18n.text(kind)) : hint;
    const isFirst = isInvalid && invalidFields[0] === name;
    const step = (by: -1 | 1, sign: string) =>
      isStepped
        ? `<button type="button" class="button step" data-step="${by}" tabindex="-1" aria-hidden="true" hidden>${sign}</button>`
        : '';
    const input = `<input class="field" id="buy-${name}" name="${name}" value="${escape(value)}" maxlength="254" required ${attributes}${
      text === '' ? '' : ` aria-describedby="buy-${name}-text"`
    }${isInvalid ? ' aria-invalid="true"' : ''}${isFirst ? ' autofocus' : ''}>`;
    return `<div class="buy-field">
<label for="buy-${name}">${escape(label)}</label>
<div class="buy-control">${step(-1, '−')}${input}${step(1, '+')}</div>
${text === '' ? '' : `<p id="buy-${name}-text" class="${isInvalid ? 'buy-error' : 'buy-hint'}">${escape(text)}</p>`}
</div>`;
  };
}

function linksHtml({ merchant }: ReusableLinkPage, i18n: I18n): string {
  const links = [
    ['page.terms', httpUrl(merchant.termsUrl)],
    ['page.privacy', httpUrl(merchant.privacyUrl)],
  ] as const;
  const html = links.flatMap(([key, url]) =>
    url === null ? [] : [`<a href="${escape(url)}" target="_blank" rel="noopener">${escape(i18n.text(key))}</a>`],
  );
  return html.length === 0 ? '' : `<footer class="merchant-links">${html.join('')}</footer>`;
}
