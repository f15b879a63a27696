import { html, nothing } from 'lit';
import type { RefundTransactionInput, RejectTransactionInput, TransactionDetail } from '../../../client/api.ts';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import { amountText, toMinor, parseTypedAmount } from '../amounts.ts';
import type { AccountContext, Prompt } from '../context.ts';
import { trimmedValue, textField } from '../fields.ts';
import { isOutOfBand, outOfBandField } from './out-of-band.ts';
import { keptAmount } from './amount-lines.ts';
import './refund-amount.ts';

export type FiatAction = 'cancel' | 'renew' | 'accept' | 'reject' | 'refund';

/** The prompt before an action. */
export function actionPrompt(action: FiatAction, detail: TransactionDetail, { i18n, format }: AccountContext): Prompt {
  const text = (key: string, values?: TextValues) => i18n.text(`account.transactions.${key}`, values);
  const money = (minor: bigint) => format.money(amountText(minor, detail.currency), detail.currency);
  const amount = money(keptAmount(detail));
  const charged = money(toMinor(detail.amount_charged, detail.currency));
  // `reject` is the key of the texts for crypto transactions.
  const textKey = action === 'reject' ? 'reject_payment' : action;
  return {
    heading: text(`ask.${textKey}.title`, { amount }),
    text: text(`ask.${textKey}.text`, { amount, charged }),
    confirm: text(`action.${action}`),
    isDestructive: action === 'cancel' || action === 'refund' || action === 'reject',
    ...((action === 'accept' || action === 'reject') && {
      fields: html`<div class="fields">
          ${textField({ id: 'decision-reason', name: 'reason', label: text('crypto.reason'), maxlength: 255 })}
          ${action === 'reject' ? outOfBandField(i18n) : nothing}
        </div>`,
    }),
    ...(action === 'refund' && {
      fields: html`<div class="fields">
          <refund-amount
            .currency=${detail.currency}
            .maximum=${keptAmount(detail)}
          ></refund-amount>
          ${outOfBandField(i18n)}
        </div>`,
    }),
  };
}

/** The request of a confirmed action; null for an invalid refund amount. */
export function actionRequest(
  action: FiatAction,
  detail: TransactionDetail,
  answer: FormData,
): (RefundTransactionInput & RejectTransactionInput) | null {
  const maximum = keptAmount(detail);
  const body: RefundTransactionInput & RejectTransactionInput = { transaction_id: detail.transaction_id };
  const reason = trimmedValue(answer, 'reason');
  if (reason !== '' && (action === 'accept' || action === 'reject')) body.reason = reason;
  if (isOutOfBand(answer)) body.out_of_band = true;
  if (action === 'refund') {
    const minor = parseTypedAmount(trimmedValue(answer, 'amount'), detail.currency);
    if (minor === null || minor <= 0n || minor > maximum) return null;
    // A full refund omits the amount, so that no rounding applies.
    if (minor !== maximum) body.amount = Number(amountText(minor, detail.currency));
  }
  return body;
}
