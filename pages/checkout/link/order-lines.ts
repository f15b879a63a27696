import { html, nothing } from 'lit';
import type { PageItem } from '../../../src/api/page-state.ts';
import { httpUrl } from '../elements/http-url.ts';
import type { I18n } from '../elements/i18n.ts';
import { amountToPay, type PageView } from '../store/page-view.ts';

/** Items, fee and amounts of the payment; nothing if the amount says it all. Phones show them on request. */
export function orderLines(view: PageView, i18n: I18n) {
  const { items, subtotal, amount, received } = view.state;
  const { currency } = amount;
  const total = received ? amount.value : amountToPay(view).value;
  const hasFee = Number(total) !== Number(subtotal);
  if (items.length === 0 && !hasFee && !received) return nothing;
  const money = (value: string) => i18n.amount({ value, currency });
  const fee = (Number(total) - Number(subtotal)).toFixed(total.split('.')[1]?.length ?? 0);
  const sums = [
    ...(hasFee ? [['subtotal', subtotal] as const, ['fee', fee] as const] : []),
    ['total', total] as const,
    ...(received ? [['received', received.value] as const] : []),
    ...(isPartPaid(view) && received ? [['remaining', received.left] as const] : []),
  ];
  return html`<details class="order">
    <summary>${i18n.text('page.summary')}</summary>
    ${items.length > 0 ? html`<ul>${items.map((item) => orderItem(item, items.some(hasImage), money))}</ul>` : nothing}
    <dl>
      ${sums.map(
        ([name, value]) =>
          html`<div class="order-line"><dt>${i18n.text(name === 'received' ? 'received.fact' : `page.${name}`)}</dt><dd>${money(value)}</dd></div>`,
      )}
    </dl>
  </details>`;
}

/** Returns true if a part of the amount was received. */
export function isPartPaid({ state: { received } }: PageView): boolean {
  return received !== null && Number(received.left) > 0;
}

const hasImage = ({ imageUrl }: PageItem) => imageUrl !== null;

function orderItem(
  { name, quantity, unitAmount, amount, imageUrl }: PageItem,
  showsImages: boolean,
  money: (value: string) => string,
) {
  const address = httpUrl(imageUrl);
  const image =
    address === null
      ? html`<span class="order-image"></span>`
      : html`<img class="order-image" src=${address} alt="" width="40" height="40" loading="lazy" referrerpolicy="no-referrer" />`;
  return html`<li class="order-line">
    ${showsImages ? image : nothing}
    <span class="order-name"><bdi>${name}</bdi>${quantity > 1 ? html`<small><bdi>${quantity} × ${money(unitAmount)}</bdi></small>` : nothing}</span>
    <span>${money(amount)}</span>
  </li>`;
}
