import { html, nothing } from 'lit';
import type { PageMerchant } from '../../../src/api/page-state.ts';
import { httpUrl } from '../elements/http-url.ts';
import type { I18n } from '../elements/i18n.ts';

/**
 * The merchant's contact, terms and privacy policy. Only the server renders them, below the page; a language change
 * replaces the text of elements with `data-text`.
 */
export function merchantLinks({ contact, termsUrl, privacyUrl }: PageMerchant, i18n: I18n) {
  const legal = [
    ['page.terms', httpUrl(termsUrl)],
    ['page.privacy', httpUrl(privacyUrl)],
  ] as const;
  const links = legal.flatMap(([key, url]) =>
    url === null ? [] : html`<a href=${url} target="_blank" rel="noopener" data-text=${key}>${i18n.text(key)}</a>`,
  );
  if (contact === null && links.length === 0) return nothing;
  return html`<footer class="merchant-links">
    ${contact === null ? nothing : html`<a href=${contactUrl(contact)}><bdi>${contact.replace(/^https?:\/\//, '')}</bdi></a>`}
    ${links}
  </footer>`;
}

/** The URL of an email address, a phone number or a page. */
function contactUrl(contact: string): string {
  if (/^https?:/i.test(contact)) return contact;
  return contact.includes('@') ? `mailto:${contact}` : `tel:${contact.replace(/[^+\d]/g, '')}`;
}
