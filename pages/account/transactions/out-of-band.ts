import { html, type TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';

/** For what the merchant has given back in a way of their own, as coins whose payer has named an address. */
export function outOfBandField(words: I18n): TemplateResult {
  return html`<div>
    <label class="check">
      <input type="checkbox" name="outOfBand" aria-describedby="out-of-band-hint" />
      <span>${words.text('account.transactions.out_of_band.label')}</span>
    </label>
    <p class="hint" id="out-of-band-hint">${words.text('account.transactions.out_of_band.hint')}</p>
  </div>`;
}

export function isOutOfBand(answer: FormData): boolean {
  return answer.has('outOfBand');
}
