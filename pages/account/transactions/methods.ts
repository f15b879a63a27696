import { html, type TemplateResult } from 'lit';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { Wording } from '../../checkout/elements/text.ts';
import { methodName } from '../../checkout/elements/method-name.ts';

/** What methods are called everywhere, where they have a name of their own: a test holds it to the catalogue. */
export const methodBrands: Readonly<Record<string, string>> = {
  on_ramp_ideal: 'iDEAL',
  upi: 'UPI',
  truemoney_ewallet: 'TrueMoney',
  gcash_ewallet: 'GCash',
  maya_ewallet: 'Maya',
  grabpay_ewallet: 'GrabPay',
  momo_ewallet: 'MoMo',
  bkash_ewallet: 'bKash',
  nagad_ewallet: 'Nagad',
  rocket_ewallet: 'Rocket',
};

/** Every method that a transaction can have been made for, in the order of the catalogue. */
export const methodCodes: readonly string[] = [
  ...['credit_card', 'on_ramp_card', 'on_ramp_ideal', 'crypto_payment', 'qr_code', 'virtual_account'],
  ...['online_banking', 'upi', 'instant_bank_payment', 'online_bank_payment'],
  ...Object.keys(methodBrands).filter((code) => code.endsWith('_ewallet')),
];

/** Marks in `public/methods/` of what has none of its own name there. */
const marks: Readonly<Record<string, string>> = {
  credit_card: 'card',
  on_ramp_card: 'exchange',
  on_ramp_ideal: 'exchange',
  crypto_payment: 'crypto',
  qr_code: 'qr',
  upi: 'app',
  rocket_ewallet: 'wallet',
};

export function nameOfMethod(code: string, words: Wording): string {
  return methodName({ code, brand: methodBrands[code] ?? null }, words);
}

/** A picture beside the name. */
export function methodMark(code: string): TemplateResult {
  const own = code in methodBrands ? code : 'bank';
  const mark = marks[code] ?? (code in cryptoCurrencies ? `coin-${code}` : own);
  return html`<img class="mark-drawn" src="/methods/${mark}.svg" width="38" height="26" alt="" loading="lazy" />`;
}
