import { html } from 'lit';
import type { TransactionDetail } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { copyable } from '../copy-button.ts';

/** The acquirer of an attempt and its reference of the charge, with a copy button; null if neither is known. */
export function acquirerLine(
  { acquirer_name: name, acquirer_reference: reference }: TransactionDetail['attempts'][number],
  i18n: I18n,
) {
  if (reference === undefined) return name ?? null;
  const copy = copyable(reference, i18n.text('account.transactions.attempts.acquirer_reference'), i18n);
  return name === undefined ? copy : html`<bdi>${name}</bdi> · ${copy}`;
}
