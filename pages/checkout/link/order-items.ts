import { html, nothing } from 'lit';
import type { PageItem, PageState } from '../../../src/api/page-state.ts';
import { httpUrl } from '../elements/http-url.ts';
import type { I18n } from '../elements/i18n.ts';

/** The items of a payment. Only the server renders them; the page's script keeps the rendered list. */
export function orderItems({ items, amount: { currency } }: PageState, i18n: I18n) {
  // Reformatted when the language changes.
  const money = (value: string) => html`<span data-amount=${value}>${i18n.amount({ value, currency })}</span>`;
  const hasImages = items.some(({ imageUrl }) => imageUrl !== null);
  return html`<ul>
    ${items.map(
      ({ name, quantity, unitAmount, amount, imageUrl }) => html`<li class="order-line">
        ${hasImages ? image(imageUrl) : nothing}
        <span class="order-name"><bdi>${name}</bdi>${quantity > 1 ? html`<small><bdi>${quantity} &times; ${money(unitAmount)}</bdi></small>` : nothing}</span>
        ${money(amount)}
      </li>`,
    )}
  </ul>`;
}

/** An item's image, or an empty tile. */
function image(imageUrl: PageItem['imageUrl']) {
  const address = httpUrl(imageUrl);
  return address === null
    ? html`<span class="order-image"></span>`
    : html`<img class="order-image" src=${address} alt="" width="40" height="40" referrerpolicy="no-referrer" />`;
}
