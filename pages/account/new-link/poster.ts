import { html, nothing, type TemplateResult } from 'lit';
import { ref } from 'lit/directives/ref.js';
import type { I18n } from '../../checkout/elements/i18n.ts';
import '../../checkout/elements/qr-code.ts';
import { type Brand, setBrandColors } from './brand.ts';

interface Poster {
  brand: Brand;
  title: string;
  text?: string | null;
  amount?: string | null;
  url: string;
  note?: unknown;
}

/** A poster with a QR code, printed from the page of a link. */
export function poster({ brand, title, text, amount, url, note }: Poster, i18n: I18n): TemplateResult {
  const color = (element?: Element) => element && setBrandColors(element as HTMLElement, brand.color);
  return html`<article class="poster" aria-hidden="true" ${ref(color)}>
    ${brand.logo === null ? nothing : html`<img class="poster-logo" src=${brand.logo} alt="" />`}
    <p class="poster-merchant"><bdi>${brand.name}</bdi></p>
    <p class="poster-title" dir="auto">${title}</p>
    ${text ? html`<p dir="auto">${text}</p>` : nothing}
    ${amount ? html`<p class="poster-amount">${amount}</p>` : nothing}
    <qr-code .value=${url} .isForPrint=${true}></qr-code>
    <p class="poster-scan">${i18n.text('account.new_link.poster_scan')}</p>
    <p class="poster-url" dir="ltr">${url.replace(/^https?:\/\//, '')}</p>
    ${note === undefined ? nothing : html`<p class="poster-url">${note}</p>`}
  </article>`;
}
