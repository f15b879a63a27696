import type { TemplateResult } from 'lit';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { checkField } from '../choices.ts';

/** Marks a refund that the merchant made outside the service, such as coins sent to an address from the payer. */
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
