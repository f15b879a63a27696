import { html, nothing } from 'lit';
import type { I18n } from '../elements/i18n.ts';
import { amountToPay, canExpire, type PageView } from '../store/page-view.ts';

/**
 * Items, fee and amounts of the payment; nothing if they would only repeat the amount. On phones they are collapsed.
 */
export function orderLines(view: PageView, items: unknown, i18n: I18n) {
  const { subtotal, amount, received } = view.state;
  const { currency } = amount;
  const total = received ? amount.value : amountToPay(view).value;
  const fee = (Number(total) - Number(subtotal)).toFixed(total.split('.')[1]?.length);
  const hasFee = Number(fee) > 0;
  if (items === nothing && !hasFee && !received) return nothing;
  const line = (key: string, value: string) =>
    html`<div class="order-line"><dt>${i18n.text(key)}</dt><dd>${i18n.amount({ value, currency })}</dd></div>`;
  return html`${
    received && isPartiallyPaid(view)
      ? html`<progress max=${total} value=${received.value} aria-label=${i18n.text('received.label')}></progress>`
      : nothing
  }
  <details class="order">
    <summary>${i18n.text('page.summary')}</summary>
    ${items}
    <dl>
      ${hasFee ? [line('page.subtotal', subtotal), line('page.fee', fee)] : nothing} ${line('page.total', total)}
      ${received ? line('received.label', received.value) : nothing}
      ${received && isPartiallyPaid(view) ? line('page.remaining', received.left) : nothing}
    </dl>
  </details>`;
}

/** Returns true if a part of the amount was received, and the rest can still be paid. */
export function isPartiallyPaid({ state }: PageView): boolean {
  return canExpire(state) && Number(state.received?.left) > 0;
}
