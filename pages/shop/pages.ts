import { html } from 'hono/html';
import type { Order } from './orders.ts';
import { priceOf, product } from './product.ts';

type Html = ReturnType<typeof html>;

export const styleSheetPath = '/shop.css';

function shopDocument(title: string, body: Html, options: { refreshes?: boolean } = {}): Html {
  return html`<!doctype html>
<html lang="en">
<head>
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="color-scheme" content="light dark">
${options.refreshes ? html`<meta http-equiv="refresh" content="3">` : ''}
<title>${title}</title>
<link rel="stylesheet" href="${styleSheetPath}">
</head>
<body>
<header class="bar"><a href="/">Demo shop</a><span>A demo: nothing is sold here</span></header>
${body}
</body>
</html>`;
}

export function productPage(): Html {
  return shopDocument(
    `${product.name} · Demo shop`,
    html`<main class="shop">
<div class="scene">${kettle}</div>
<div class="offer">
<h1>${product.name}</h1>
<p>${product.text}</p>
<p class="price">${priceOf(1)}</p>
<form method="post" action="/orders">
<fieldset>
<legend>How many</legend>
<div class="choices">${product.quantities.map(
      (
        quantity,
      ) => html`<label><input type="radio" name="quantity" value="${quantity}"${quantity === 1 ? ' checked' : ''}>
<strong>${quantity}</strong> <small>${priceOf(quantity)}</small></label>`,
    )}</div>
</fieldset>
<button class="buy">Pay</button>
<p class="small">You pay on the page of the payment service and come back here.</p>
</form>
</div>
</main>`,
  );
}

/** What the shop says about an order when its buyer is back. */
export function orderPage(order: Order): Html {
  const { title, text } = orderWords[order.status];
  const mayPay = order.status === 'open' && order.link !== null;
  return shopDocument(
    `${title} · Demo shop`,
    html`<main class="page-order"><div class="order">
<h1>${title}</h1>
<p>${text}</p>
<dl>
<div><dt>Order</dt><dd>${order.id}</dd></div>
<div><dt>${product.name}</dt><dd>${order.quantity} × ${priceOf(1)}</dd></div>
<div><dt>Total</dt><dd>${priceOf(order.quantity)}</dd></div>
</dl>
${mayPay ? html`<a class="buy" href="${order.link}">Go on to the payment</a>` : ''}
<a class="${mayPay ? 'small' : 'buy'}" href="/">Back to the shop</a>
</div></main>`,
    { refreshes: order.status === 'open' },
  );
}

const orderWords = {
  paid: { title: 'Thank you for your order', text: 'It is paid. The kettle would be on its way.' },
  open: {
    title: 'Your order is not paid yet',
    text: 'As soon as the payment service tells us that it is, this page says so.',
  },
  not_paid: { title: 'Your order was not paid', text: 'Nothing was charged. Order again whenever you like.' },
} as const;

export function troublePage(title: string, text: string): Html {
  return shopDocument(
    `${title} · Demo shop`,
    html`<main class="page-order"><div class="order"><h1>${title}</h1><p>${text}</p><a class="buy" href="/">Back to the shop</a></div></main>`,
  );
}

const kettle = html`<svg viewBox="0 0 320 260" role="img" aria-label="A blue kettle">
<ellipse cx="160" cy="238" rx="112" ry="10" fill="#000" opacity=".12"/>
<path d="M92 110C92 44 228 44 228 110" fill="none" stroke="currentColor" stroke-width="12" stroke-linecap="round"/>
<path d="M222 152c26-2 30-44 58-50l8 14c-16 12-18 58-60 76z" fill="#2a64ad"/>
<path d="M84 128h152c10 0 16 8 17 18l7 68c2 14-8 24-22 24H82c-14 0-24-10-22-24l7-68c1-10 7-18 17-18z" fill="#3a7bcb"/>
<path d="M84 128h22c-10 0-14 8-15 18l-7 68c-2 14 4 24 14 24H82c-14 0-24-10-22-24l7-68c1-10 7-18 17-18z" fill="#5b97df"/>
<path d="M104 128c4-22 108-22 112 0z" fill="#2a64ad"/>
<circle cx="160" cy="104" r="9" fill="currentColor"/>
<path d="M62 206h196l2 12c1 12-9 20-22 20H82c-13 0-23-8-22-20z" fill="#1f4f8d" opacity=".55"/>
</svg>`;
