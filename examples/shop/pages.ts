import { html } from 'hono/html';
import { type Html, shopDocument } from './document.ts';
import { kettle } from './kettle.ts';
import type { Order } from './orders.ts';
import { formatPrice, product } from './product.ts';

export function productPage(): Html {
  return shopDocument(
    product.name,
    html`<main class="shop">
<div class="scene">${kettle}</div>
<div class="offer">
<h1>${product.name}</h1>
<p>${product.text}</p>
<p class="price">${formatPrice(1)}</p>
<form method="post" action="/orders">
<fieldset>
<legend>Quantity</legend>
<div class="choices">${product.quantities.map(
      (
        quantity,
      ) => html`<label><input type="radio" name="quantity" value="${quantity}"${quantity === 1 ? ' checked' : ''}>
<strong>${quantity}</strong> <small>${formatPrice(quantity)}</small></label>`,
    )}</div>
</fieldset>
<button class="buy"><span>Pay</span>${product.quantities.map(
      (quantity) => html` <span data-quantity="${quantity}">${formatPrice(quantity)}</span>`,
    )}</button>
<p class="small">Pay here securely. The shop never sees your card.</p>
</form>
</div>
</main>
<footer class="foot"><a href="/playground">For developers: customize the payment form</a></footer>`,
  );
}

/** Order summary next to the payment form. */
export function checkoutPage(order: Order, embedUrl: string): Html {
  return shopDocument(
    'Checkout',
    html`<main class="checkout">
<section class="summary" aria-labelledby="summary-title">
<h1 id="summary-title">Your order</h1>
<div class="item">
<div class="scene">${kettle}</div>
<p><strong>${product.name}</strong><span>${order.quantity} &times; ${formatPrice(1)}</span></p>
</div>
<dl class="facts">
<div><dt>Order number</dt><dd>${order.id}</dd></div>
<div><dt>Delivery</dt><dd>Free</dd></div>
<div class="total"><dt>Total</dt><dd>${formatPrice(order.quantity)}</dd></div>
</dl>
</section>
<section class="payment" aria-labelledby="payment-title">
<h2 id="payment-title">Pay by card</h2>
<pay-form src="${embedUrl}" data-thanks="/orders/${order.id}/thanks"></pay-form>
<p class="ended" hidden><a class="buy" href="/">Start a new order</a></p>
<p class="pending" hidden><a class="quiet" href="/orders/${order.id}">View order status</a></p>
<form class="alternative" method="post" action="/orders/${order.id}/link">
<p class="small">Your card details are encrypted. The shop never sees them.</p>
<p class="no-script">The card form needs JavaScript. The payment page does not.</p>
<button class="quiet">Pay on the payment page instead</button>
</form>
</section>
</main>`,
    { script: 'checkout.js', embedUrl },
  );
}

/** Order status for a buyer who has returned to the shop. */
export function orderPage(order: Order): Html {
  const { title, text, sign } = statusTexts[order.status];
  const canPay = order.status === 'open' && order.payment !== null;
  return shopDocument(
    title,
    html`<main class="page-order"><div class="order" data-status="${order.status}">
<svg class="sign" viewBox="0 0 24 24" aria-hidden="true"><path d="${sign}"/></svg>
<h1>${title}</h1>
<p>${text}</p>
<dl class="facts">
<div><dt>Order number</dt><dd>${order.id}</dd></div>
<div><dt>${product.name}</dt><dd>${order.quantity} &times; ${formatPrice(1)}</dd></div>
<div><dt>Total</dt><dd>${formatPrice(order.quantity)}</dd></div>
</dl>
${canPay ? html`<a class="buy" href="/orders/${order.id}/pay">Continue to payment</a>` : ''}
<a class="${canPay ? 'small' : 'buy'}" href="/">Back to the shop</a>
</div></main>`,
    { refreshes: order.status === 'open' },
  );
}

const statusTexts = {
  paid: {
    title: 'Thank you for your order',
    text: 'Your payment was received. This is a demo, so no kettle will be shipped.',
    sign: 'm5 12.5 4.5 4.5L19 7.5',
  },
  open: {
    title: 'Your order is not paid yet',
    text: 'This page updates when the payment service confirms the payment.',
    sign: 'M12 3a9 9 0 1 0 .01 0M12 7v5l3.5 2',
  },
  not_paid: {
    title: 'Your order was not paid',
    text: 'Nothing was charged. You can order again at any time.',
    sign: 'm7 7 10 10M17 7 7 17',
  },
} as const;

export function errorPage(title: string, text: string): Html {
  return shopDocument(
    title,
    html`<main class="page-order"><div class="order"><h1>${title}</h1><p>${text}</p><a class="buy" href="/">Back to the shop</a></div></main>`,
  );
}
