import { html, nothing, type TemplateResult } from 'lit';
import { segmentedControl } from '../choices.ts';
import type { AccountContext } from '../context.ts';
import type { ListQuery } from './filters.ts';
import { cryptoStatuses, fiatStatuses, statusText } from './status.ts';
import type { TransactionCounts } from './transaction-list.ts';

/** The service counts up to this number. */
const MAX_COUNTED_ROWS = 10_000;

/**
 * The statuses as tabs, those of payments with their counts: authorized payments only if there are some. `choose`
 * receives the filters to set.
 */
export function statusTabs(
  { kind, filters: { status, awaiting_review: review, authorization_status: authorization } }: ListQuery,
  counts: TransactionCounts | null,
  { i18n, format }: AccountContext,
  choose: (change: { status: string; awaiting_review: string; authorization_status: string }) => void,
): TemplateResult {
  const formatCount = (count: number) =>
    count >= MAX_COUNTED_ROWS ? `${format.number(MAX_COUNTED_ROWS)}+` : format.number(count);
  const option = (value: string, text: string, count: number | undefined) => ({
    value,
    text:
      kind === 'crypto'
        ? text
        : html`${text} <span class="tab-count">${count === undefined ? '' : formatCount(count)}</span>`,
  });
  const text = (key: string) => i18n.text(`account.transactions.${key}`);
  const all = counts ? counts.pending + counts.waiting + counts.confirmed + counts.failed : undefined;
  const countOf = (name: string) => counts?.[name.slice('transaction_status_'.length) as keyof TransactionCounts];
  const selected = review ? 'awaiting_review' : (authorization ?? status ?? 'all');
  return html`<div class="status-tabs">
    ${segmentedControl({
      ...{ legend: text('filter.status'), name: 'status-tab', selected },
      options: [
        option('all', text('tab.all'), all),
        // Those that someone must act on first: a phone cuts off the last ones.
        ...(kind === 'fiat' ? [option('awaiting_review', text('tab.awaiting_review'), counts?.awaiting_review)] : []),
        ...(counts?.authorized || authorization === 'authorized'
          ? [option('authorized', statusText('authorized', i18n), counts?.authorized)]
          : []),
        ...(kind === 'fiat' ? fiatStatuses : cryptoStatuses).map((name) =>
          option(name, statusText(name, i18n), countOf(name)),
        ),
      ],
      onChoose: (value) => {
        choose({
          status: ['all', 'awaiting_review', 'authorized'].includes(value) ? '' : value,
          awaiting_review: value === 'awaiting_review' ? 'true' : '',
          authorization_status: value === 'authorized' ? value : '',
        });
      },
    })}
  </div>
  ${selected === 'transaction_status_waiting' ? html`<p class="hint">${text('tab.waiting_hint')}</p>` : nothing}`;
}
