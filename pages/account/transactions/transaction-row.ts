import { html, type TemplateResult } from 'lit';
import type { CryptoTransaction, TransactionListItem } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import { cryptoCurrencies } from '../../../src/shared/crypto-currency.ts';
import type { AccountContext } from '../context.ts';
import { methodMark, nameOfMethod } from './methods.ts';
import type { Kind } from './filters.ts';
import { statusTag } from './status.ts';

export type Item = TransactionListItem | CryptoTransaction;

/** A transaction in the list, as a link. */
export function transactionRow(item: Item, context: AccountContext): TemplateResult {
  const row = 'txId' in item ? cryptoRow(item, context) : fiatRow(item, context);
  return html`<a class="transaction-row" href=${row.address}>
    <span class="cell cell-when">${context.format.dateTime(row.at)}</span>
    <span class="cell cell-reference"><bdi>${row.reference}</bdi></span>
    <span class="cell cell-description"><bdi>${row.description}</bdi></span>
    <span class="cell cell-method">${methodMark(row.method)}<span>${row.methodName}</span></span>
    <span class="cell cell-amount">${row.amount}</span>
    <span class="cell cell-status">${statusTag(item.status, context.i18n)}</span>
  </a>`;
}

function fiatRow(item: TransactionListItem, { merchantPath, format, i18n }: AccountContext) {
  return {
    address: merchantPath('transactions', item.transaction_id),
    at: item.created_at,
    reference: item.transaction_id,
    description: item.description,
    method: item.payment_method,
    methodName: nameOfMethod(item.payment_method, i18n),
    amount: format.money(item.amount, item.currency),
  };
}

function cryptoRow(item: CryptoTransaction, { merchantPath, format, i18n }: AccountContext) {
  const labels = item.labels.map((label) => i18n.text(`account.transactions.label.${label}`));
  return {
    address: `${merchantPath('transactions', item.id)}?kind=crypto`,
    at: item.createdAt,
    reference: item.txId ?? i18n.text('account.transactions.no_invoice'),
    description: labels.length > 0 ? labels.join(', ') : (item.comment ?? item.walletAddress),
    method: item.code,
    methodName: cryptoCurrencies[item.code].name,
    amount: format.coins(item.amountRequiredUnit ?? item.amountUnit, item.code),
  };
}

/** Column headings of the list. */
export function transactionColumns(kind: Kind, i18n: I18n): TemplateResult {
  const columns = ['when', 'reference', 'description', kind === 'fiat' ? 'method' : 'coin', 'amount', 'status'];
  return html`<div class="transaction-list-head" aria-hidden="true">
    ${columns.map(
      (name) =>
        html`<span class=${name === 'amount' ? 'column-amount' : ''}>${i18n.text(`account.transactions.column.${name}`)}</span>`,
    )}
  </div>`;
}
