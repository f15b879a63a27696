import type { CardSubmission } from '../api/card-submission.ts';
import type { PayerDetails } from '../api/payer.ts';
import { maskCardNumbers, maskEmail, maskWords } from '../system/mask.ts';
import type { CardAttempt, FiatTransaction } from './schema.ts';

/** The payer's columns of a card attempt. */
export type PayerColumns = Pick<CardAttempt, 'payerName' | 'payerNameKey' | 'payerLastNameKey' | 'payerEmail'>;

/**
 * Returns the payer's columns of a submission. A name with digits is omitted: a buyer may type the card number or the
 * security code into its field. Neither may be stored (PCI DSS 3.3).
 */
export function payerColumns({
  first_name,
  last_name,
  email,
}: Pick<CardSubmission, 'first_name' | 'last_name' | 'email'>): PayerColumns {
  const entered = joinNames(first_name, last_name);
  const payerName = entered === null || /\p{N}/u.test(entered) ? null : entered;
  return {
    payerName,
    ...(payerName === null ? nameKeys() : nameKeys(first_name, last_name)),
    payerEmail: email === undefined || maskCardNumbers(email) !== email ? null : email.toLowerCase(),
  };
}

function joinNames(...names: readonly (string | undefined)[]): string | null {
  return names.filter(Boolean).join(' ') || null;
}

/** Search keys of a name, with the first and with the last name first. */
function nameKeys(first?: string, last?: string): Pick<FiatTransaction, 'payerNameKey' | 'payerLastNameKey'> {
  const [name, lastNameFirst] = [joinNames(first, last), joinNames(last, first)];
  return { payerNameKey: name && foldName(name), payerLastNameKey: lastNameFirst && foldName(lastNameFirst) };
}

/** Removes case and accents, so that a search for `munoz` finds `Muñoz`. */
export function foldName(text: string): string {
  return text.normalize('NFD').replaceAll(/\p{M}/gu, '').toLowerCase().trim();
}

export interface ListedPayer {
  name: string | null;
  email: string | null;
}

/** The payer entered with a card; undefined if neither name nor email is known. */
export function attemptPayer({
  payerName,
  payerEmail,
}: Pick<PayerColumns, 'payerName' | 'payerEmail'>): ListedPayer | undefined {
  return payerName === null && payerEmail === null ? undefined : { name: payerName, email: payerEmail };
}

/** The payer supplied by the merchant; undefined without a name and email. */
export function suppliedPayer({ first_name, last_name, email }: PayerDetails): ListedPayer | undefined {
  const name = joinNames(first_name, last_name);
  return name === null && email === undefined ? undefined : { name, email: email ?? null };
}

/** Search columns for the payer details that the merchant supplied. */
export function suppliedPayerKeys(
  payer: PayerDetails | null,
): Pick<FiatTransaction, 'payerNameKey' | 'payerLastNameKey' | 'payerEmailKey'> {
  return { ...nameKeys(payer?.first_name, payer?.last_name), payerEmailKey: payer?.email?.toLowerCase() ?? null };
}

/** Masks a payer: `Ana Muñoz <ana@shop.example>` becomes `A••• M••• <a•••@shop.example>`. */
export function maskPayer({ name, email }: ListedPayer): ListedPayer {
  return { name: name && maskWords(name), email: email && maskEmail(email) };
}
