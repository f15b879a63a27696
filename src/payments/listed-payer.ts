import type { CardSubmission } from '../api/card-submission.ts';
import { maskCardNumbers } from '../system/mask.ts';
import type { CardAttempt } from './schema.ts';

/** The payer's columns of a card attempt. */
export type PayerColumns = Pick<CardAttempt, 'payerName' | 'payerNameKey' | 'payerEmail'>;

/**
 * Returns the payer's columns of a submission. A name with digits is omitted: a buyer may type the card number or the
 * security code into its field. Neither may be stored (PCI DSS 3.3).
 */
export function payerColumns({
  first_name,
  last_name,
  email,
}: Pick<CardSubmission, 'first_name' | 'last_name' | 'email'>): PayerColumns {
  const entered = [first_name, last_name].filter((part) => part).join(' ');
  const payerName = entered === '' || /\p{N}/u.test(entered) ? null : entered;
  return {
    payerName,
    payerNameKey: payerName && foldName(payerName),
    payerEmail: email === undefined || maskCardNumbers(email) !== email ? null : email.toLowerCase(),
  };
}

/** Removes case and accents, so that a search for `munoz` finds `Muñoz`. */
export function foldName(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

/** A payer as listed. Masked, `Ana Muñoz <ana@shop.example>` is `A••• M••• <a•••@shop.example>`. */
export function listedPayer({ payerName, payerEmail }: Omit<PayerColumns, 'payerNameKey'>, isMasked: boolean) {
  if (!isMasked) return { name: payerName, email: payerEmail };
  const mask = (text: string) => text.replaceAll(/(?<=^|\s)(\S)\S*/gu, '$1•••');
  const [local = '', domain = ''] = payerEmail?.split('@') ?? [];
  return {
    name: payerName === null ? null : mask(payerName),
    email: payerEmail === null ? null : `${mask(local)}@${domain}`,
  };
}
