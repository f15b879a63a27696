import type { TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { checkField } from '../choices.ts';

/** For what the merchant has given back in a way of their own, as coins whose payer has named an address. */
export function outOfBandField(i18n: I18n): TemplateResult {
  return checkField({
    name: 'outOfBand',
    text: i18n.text('account.transactions.out_of_band.label'),
    hint: i18n.text('account.transactions.out_of_band.hint'),
  });
}

export function isOutOfBand(form: FormData): boolean {
  return form.has('outOfBand');
}
