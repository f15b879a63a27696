import type { TemplateResult } from 'lit';
import type { TransactionDetail } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';
import { factList, tag } from '../parts.ts';

type Authorization = NonNullable<TransactionDetail['authorization']>;

const tones = {
  ...({ authorized: 'warn', capture_pending: 'warn', void_pending: 'warn' } as const),
  ...({ captured: 'good', voided: 'plain', expired: 'bad' } as const),
};

/** The facts of an authorization. */
export function authorizationFacts(
  { status, amount, captured_amount: captured, failure, created_at: at, expires_at: expires }: Authorization,
  currency: string,
  { i18n, format }: AccountContext,
): TemplateResult {
  const text = (key: string) => i18n.text(`account.transactions.authorization.${key}`);
  return factList([
    [text('status'), tag(i18n.text(`account.statuses.authorization.${status}`), tones[status])],
    [text('amount'), format.money(amount, currency)],
    [text('captured'), captured === 0 ? null : format.money(captured, currency)],
    [text('failure'), failure ? failure.detail || failure.code : null],
    [text('authorized_at'), format.dateTime(at)],
    [text('expires'), tones[status] === 'warn' ? format.dateTime(expires) : null],
  ]);
}

/** Values for the sentence about an authorized or captured payment. */
export function authorizationTexts(
  { authorization, currency }: Pick<TransactionDetail, 'authorization' | 'currency'>,
  { format }: AccountContext,
): Record<'captured' | 'amount' | 'date', string> {
  if (!authorization) return { captured: '', amount: '', date: '' };
  return {
    captured: format.money(authorization.captured_amount, currency),
    amount: format.money(authorization.amount, currency),
    date: format.dateTimeText(authorization.expires_at),
  };
}
