import { html } from 'lit';
import type { I18n } from './i18n.ts';

/** States that the card goes to the payment service and never to the shop. */
export function assurance(i18n: I18n) {
  return html`<p class="assurance">
    <svg viewBox="0 0 16 16" aria-hidden="true">
      <path d="M4.75 7V5.25a3.25 3.25 0 0 1 6.5 0V7" fill="none" stroke="currentColor" stroke-width="1.5" />
      <rect x="3" y="7" width="10" height="7" rx="1.5" fill="currentColor" />
    </svg>
    ${i18n.text('page.assurance')}
  </p>`;
}
