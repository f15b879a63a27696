import type { TemplateResult } from 'lit';
import type { Wording } from '../../checkout/elements/text.ts';
import { checkField } from '../choices.ts';

/** For what the merchant has given back in a way of their own, as coins whose payer has named an address. */
export function outOfBandField(words: Wording): TemplateResult {
  return checkField({
    name: 'outOfBand',
    text: words.text('account.transactions.out_of_band.label'),
    hint: words.text('account.transactions.out_of_band.hint'),
  });
}

export function isOutOfBand(answer: FormData): boolean {
  return answer.has('outOfBand');
}
