import { html, nothing, type TemplateResult } from 'lit';
import type { CryptoTransaction, TransactionListItem } from '../../../client/api.ts';
import type { I18n } from '../../checkout/elements/i18n.ts';
import type { AccountContext } from '../context.ts';
import { negativeAmount } from '../format.ts';
import { icon } from '../icons.ts';
import { bareButton, tag } from '../parts.ts';
import { columnsOf, type ColumnName } from './columns.ts';
import { methodCell } from './method-cell.ts';
import type { Kind, ListQuery, SortOrder } from './filters.ts';
import { outcomeOf } from './outcome.ts';
import { statusTag } from './status.ts';

export type Item = TransactionListItem | CryptoTransaction;
type Cells = Readonly<Record<Exclude<ColumnName, 'date'>, unknown>>;

export interface RowLayout {
  columns: readonly { name: ColumnName }[];
  /** The row is a card, which has room for the day only. */
  isCard: boolean;
  /** The payer is a second line of the reference: there is no room for its column. */
  isPayerBelow: boolean;
}

/** A transaction in the list, as a link. */
export function transactionRow(
  item: Item,
  context: AccountContext,
  { columns, isCard, isPayerBelow }: RowLayout,
): TemplateResult {
  const { format } = context;
  const at = 'txId' in item ? item.createdAt : item.created_at;
  const cells = {
    ...('txId' in item ? cryptoCells(item, context) : fiatCells(item, context, { isCard, isPayerBelow })),
    date: isCard ? format.day(at) : format.dateTime(at),
  };
  const address = context.merchantPath('transactions', referenceOf(item)) + ('txId' in item ? '?kind=crypto' : '');
  return html`<a class="transaction-row" href=${address}>
    ${columns.map(
      ({ name }) =>
        html`<span class="cell cell-${name}" dir=${isFreeText(name) ? 'auto' : nothing}>${cells[name]}</span>`,
    )}
  </a>`;
}

/** Text of either direction; its direction determines the end at which the cell truncates it. */
function isFreeText(name: ColumnName): boolean {
  return name === 'reference' || name === 'description' || name === 'payer';
}

/** The last segment of the URL of a transaction's page. */
export function referenceOf(item: Item): string {
  return 'txId' in item ? item.id : item.transaction_id;
}

function fiatCells(
  item: TransactionListItem,
  { format, i18n }: AccountContext,
  { isCard, isPayerBelow }: Omit<RowLayout, 'columns'>,
): Cells {
  const { card, payer, payment_method: code, currency } = item;
  const { amount, amount_charged: charged, amount_received: received, amount_kept: kept } = item;
  const { status, hasTwoAmounts } = outcomeOf(item);
  const money = (value: number) => format.money(value, currency);
  const text = (key: string, value: string) => i18n.text(`account.transactions.${key}`, { amount: value });
  const note =
    status === 'partially_refunded'
      ? text('refunded_amount', negativeAmount(money(received - kept)))
      : hasTwoAmounts && text('of_amount', money(charged));
  const shown = money(hasTwoAmounts ? received : amount);
  const name = payer && html`<span title=${payer.email ?? ''}>${payer.name ?? payer.email}</span>`;
  return {
    reference:
      name && isPayerBelow
        ? html`${item.transaction_id} <span class="payer-below" dir="auto">${name}</span>`
        : item.transaction_id,
    description: item.description,
    payer: name ?? (isCard ? nothing : '–'),
    address: nothing,
    method: methodCell(code, card, i18n),
    amount: note ? amountWithNote(shown, note) : shown,
    status: statusTag(status, i18n),
  };
}

function amountWithNote(amount: string, note: string) {
  return html`<span>${amount} <span class="amount-note">${note}</span></span>`;
}

function cryptoCells(item: CryptoTransaction, { format, i18n }: AccountContext): Cells {
  const { walletAddress: address, labels, code, amount, amountRequired: requested } = item;
  const received = format.coins(item.amountUnit, code);
  const whole = item.amountRequiredUnit === null ? received : format.coins(item.amountRequiredUnit, code);
  const hasTwoAmounts = requested !== null && amount !== '0' && amount !== requested;
  return {
    reference:
      item.txId === null
        ? html`<span class="cell-absent">${i18n.text('account.transactions.no_invoice')}</span>`
        : item.txId,
    description:
      labels.length > 0
        ? labels.map((label) => tag(i18n.text(`account.transactions.label.${label}`), 'warn'))
        : (item.comment ?? ''),
    payer: nothing,
    address: html`<bdi class="short-address" dir="ltr" title=${address}>${address.slice(0, 6)}…${address.slice(-4)}</bdi>`,
    method: methodCell(item.code, undefined, i18n),
    amount: hasTwoAmounts
      ? amountWithNote(received, i18n.text('account.transactions.of_amount', { amount: whole }))
      : whole,
    status: statusTag(item.status, i18n),
  };
}

const ascending: readonly SortOrder[] = ['oldest', 'reference', 'smallest'];

/** Column headings; sortable ones are buttons. */
export function transactionColumns(
  { kind, order }: ListQuery,
  columns: readonly { name: ColumnName }[],
  i18n: I18n,
  sort: (order: SortOrder) => void,
): TemplateResult {
  const shown = new Set(columns.map(({ name }) => name));
  return html`<div class="transaction-list-head" role="group" aria-label=${i18n.text('account.transactions.filter.order')}>
    ${columnsOf(kind)
      .filter(({ name }) => shown.has(name))
      .map(({ name, sortOrders }) => {
        const label = columnText(kind, name, i18n);
        const className = `column-${name}`;
        if (sortOrders === undefined) return html`<span class=${className} aria-hidden="true">${label}</span>`;
        const isCurrent = sortOrders.includes(order);
        const next = order === sortOrders[0] ? sortOrders[1] : sortOrders[0];
        return html`<span class=${className}>
          ${bareButton(
            html`${label}${isCurrent ? icon(ascending.includes(order) ? 'arrow-up' : 'arrow-down') : nothing}<span
                class="visually-hidden"
                >: ${i18n.text(`account.transactions.order.${next}`)}</span
              >`,
            () => sort(next),
          )}
        </span>`;
      })}
  </div>`;
}

export function columnText(kind: Kind, name: ColumnName, i18n: I18n): string {
  return i18n.text(`account.transactions.column.${kind === 'crypto' && name === 'method' ? 'coin' : name}`);
}
