import { html, nothing } from 'lit';
import type { PageMerchant } from '../../../src/api/page-state.ts';
import { httpUrl } from './http-url.ts';
import type { I18n } from './i18n.ts';

/** The merchant's contact, terms and privacy policy. */
export function merchantLinks({ name, contact, termsUrl, privacyUrl }: PageMerchant, i18n: I18n) {
  const links = [
    ['terms', httpUrl(termsUrl)],
    ['privacy', httpUrl(privacyUrl)],
  ] as const;
  const shown = links.filter(([, url]) => url !== null);
  if (contact === null && shown.length === 0) return nothing;
  return html`<div class="page-note merchant-links">
    ${contact === null ? nothing : html`<p>${i18n.text('invoice.ask', { merchant: name })} <a href=${contactUrl(contact)}><bdi>${contact.replace(/^https?:\/\//, '')}</bdi></a></p>`}
    ${shown.length > 0 ? html`<p class="legal-links">${shown.map(([key, url]) => html`<a href=${url} target="_blank" rel="noopener">${i18n.text(`page.${key}`)}</a>`)}</p>` : nothing}
  </div>`;
}

/** The URL of an email address, a phone number or a page. */
function contactUrl(contact: string): string {
  return httpUrl(contact) ?? (contact.includes('@') ? `mailto:${contact}` : `tel:${contact.replace(/[^+\d]/g, '')}`);
}
