import { html, nothing } from 'lit';
import type {
  CaptureTransactionInput,
  RefundTransactionInput,
  RejectTransactionInput,
  TransactionDetail,
} from '../../../client/api.ts';
import type { TextValues } from '../../checkout/elements/i18n.ts';
import { amountText, toMinor } from '../amounts.ts';
import { parseTypedAmount } from '../typed-amount.ts';
import type { AccountContext, Prompt } from '../context.ts';
import { trimmedValue, textField } from '../fields.ts';
import { isOutOfBand, outOfBandField } from './out-of-band.ts';
import { amountAfterRefunds } from './amount-lines.ts';
import './refund-amount.ts';

export type FiatAction = TransactionDetail['available_actions'][number];

/** The operation of an action. Out-of-band actions only record a refund that the merchant made elsewhere. */
export function operationOf(action: FiatAction): Exclude<FiatAction, `${string}_out_of_band`> {
  if (action === 'refund_out_of_band') return 'refund';
  return action === 'reject_out_of_band' ? 'reject' : action;
}

/**
 * The maximum amount of an action: the authorized amount, the amount that the acquirer can refund, or the full amount
 * for an out-of-band refund.
 */
function maximumAmount(action: FiatAction, detail: TransactionDetail): bigint {
  const { refund_options: options, authorization, currency } = detail;
  if (action === 'capture' || action === 'void') return toMinor(authorization?.amount ?? 0, currency);
  return action === 'refund' && options ? toMinor(options.maximum, currency) : amountAfterRefunds(detail);
}

/** True if the acquirer supports full refunds only. */
function isFullOnly(action: FiatAction, { refund_options: options }: TransactionDetail): boolean {
  return action === 'refund' && options?.partial === false;
}

/** The prompt before an action. */
export function actionPrompt(action: FiatAction, detail: TransactionDetail, { i18n, format }: AccountContext): Prompt {
  const text = (key: string, values?: TextValues) => i18n.text(`account.transactions.${key}`, values);
  const money = (minor: bigint) => format.money(amountText(minor, detail.currency), detail.currency);
  const operation = operationOf(action);
  const hasAmount = operation === 'refund' || operation === 'capture';
  const maximum = maximumAmount(action, detail);
  const amount = money(maximum);
  const charged = money(toMinor(detail.amount_charged, detail.currency));
  // `reject` is the locale key for crypto transactions.
  const textKey = action === 'reject' ? 'reject_payment' : action;
  const canBeLate = action === 'cancel' && detail.instructions.some(isPayable);
  return {
    heading: text(`confirm.${textKey}.title`, { amount }),
    text: [
      text(`confirm.${textKey}.text`, { amount, charged }),
      ...(canBeLate ? [text('confirm.cancel.late')] : []),
    ].join(' '),
    confirm: text(`action.${action}`),
    isDestructive: ['cancel', 'refund', 'reject', 'void'].includes(operation),
    ...((operation === 'accept' || operation === 'reject') && {
      fields: html`<div class="fields">
          ${textField({ id: 'decision-reason', name: 'reason', label: text('crypto.reason'), maxlength: 255 })}
          ${action === 'reject' ? outOfBandField(i18n) : nothing}
        </div>`,
    }),
    ...(hasAmount && {
      fields: html`<div class="fields">
          <refund-amount
            .purpose=${operation === 'capture' ? 'capture' : 'refund'}
            .currency=${detail.currency}
            .maximum=${maximum}
            .isFixed=${isFullOnly(action, detail)}
          ></refund-amount>
          ${action === 'refund' ? outOfBandField(i18n) : nothing}
        </div>`,
    }),
  };
}

type ActionBody = CaptureTransactionInput & RefundTransactionInput & RejectTransactionInput;

/** The request of a confirmed action; null for an invalid amount. */
export function actionRequest(
  action: FiatAction,
  detail: TransactionDetail,
  values: FormData,
  { i18n, format, announce }: AccountContext,
): ActionBody | null {
  const operation = operationOf(action);
  const body: ActionBody = { transaction_id: detail.transaction_id };
  const reason = trimmedValue(values, 'reason');
  if (reason !== '' && (operation === 'accept' || operation === 'reject')) body.reason = reason;
  if (isOutOfBand(values) || action !== operation) body.out_of_band = true;
  if (operation === 'refund' || operation === 'capture') {
    const maximum = maximumAmount(action, detail);
    const minor = parseTypedAmount(trimmedValue(values, 'amount'), detail.currency, i18n.locale);
    if (minor === null || minor <= 0n || minor > maximum) {
      // The amount has changed since the prompt was opened.
      const most = format.money(amountText(maximum, detail.currency), detail.currency);
      announce(i18n.text(`account.transactions.${operation}.too_large`, { most }));
      return null;
    }
    // The full amount is omitted, so that no rounding applies.
    if (minor !== (operation === 'capture' ? maximum : amountAfterRefunds(detail)))
      body.amount = Number(amountText(minor, detail.currency));
  }
  return body;
}

/** True if the buyer can still pay these instructions, even after they are withdrawn. */
function isPayable({ state, late_payments: canBeLate }: TransactionDetail['instructions'][number]): boolean {
  return canBeLate && (state === 'issuing' || state === 'issued');
}
