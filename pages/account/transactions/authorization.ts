import type { TemplateResult } from 'lit';
import type { TransactionDetail } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';
import { factList, tag } from '../parts.ts';
import { isAuthorizationOpen } from './outcome.ts';

type Authorization = NonNullable<TransactionDetail['authorization']>;

/** The state and the deadline of an open authorization, and its last failure; null without any. */
export function authorizationFacts(
  { status, failure, expires_at: expires }: Authorization,
  { i18n, format }: AccountContext,
): TemplateResult | null {
  const text = (key: string) => i18n.text(`account.transactions.authorization.${key}`);
  const isOpen = isAuthorizationOpen(status);
  if (!isOpen && !failure) return null;
  const isPending = isOpen && status !== 'authorized';
  return factList([
    [text('status'), isPending ? tag(i18n.text(`account.statuses.authorization.${status}`), 'warn') : null],
    [text('failure'), failure ? failure.detail || failure.code : null],
    [text('expires'), isOpen ? format.dateTime(expires) : null],
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
