import { html, nothing, type TemplateResult } from 'lit';
import type { TransactionListItem } from '../../../client/api.ts';
import type { AccountContext } from '../context.ts';
import { outcomeOf } from '../transactions/outcome.ts';
import { statusTag } from '../transactions/status.ts';

/** The newest transactions. */
export function recentTransactions(
  recent: readonly TransactionListItem[],
  { format, i18n, merchantPath }: AccountContext,
): TemplateResult | typeof nothing {
  if (recent.length === 0) return nothing;
  return html`<section class="panel plot-panel recent" aria-labelledby="recent-heading">
    <div class="section-head">
      <h3 class="plot-heading" id="recent-heading">${i18n.text('account.overview.recent')}</h3>
      <a class="rank-link" href=${merchantPath('transactions')}>${i18n.text('account.overview.all')}</a>
    </div>
    <ul class="recent-list">
      ${recent.map((item) => {
        const { status, hasTwoAmounts } = outcomeOf(item);
        const amount = hasTwoAmounts ? item.amount_received : item.amount;
        return html`<li>
          <a class="recent-row" href=${merchantPath('transactions', item.transaction_id)}>
            <span class="recent-name" dir="auto">${item.payer?.name ?? item.transaction_id}</span>
            <span class="recent-when">${format.relativeTime(item.updated_at)}</span>
            <span class="recent-amount">${format.money(amount, item.currency)}</span>
            ${statusTag(status, i18n)}
          </a>
        </li>`;
      })}
    </ul>
  </section>`;
}
