// A shop in one file: renders the page, handles the form, reads the payment status, thanks the buyer.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';
import { text } from 'node:stream/consumers';
import { createPayment, isPaid, SERVICE_URL, PORT } from '../server.mjs';

const SHOP_URL = `http://localhost:${PORT}`;

const style = readFileSync(new URL('checkout.css', import.meta.url));

/** Orders by payment reference. Use a database in production. */
const orders = new Map();

async function checkoutPage() {
  const reference = `order-${randomUUID()}`;
  orders.set(reference, { message: '' });
  const embedUrl = await createPayment(reference, {
    // Used after a 3-D Secure challenge that opens outside the frame (redirect="top").
    success_redirect_url: `${SHOP_URL}/orders/${reference}`,
    fail_redirect_url: `${SHOP_URL}/orders/${reference}`,
  });
  // The button submits the payment first, then the form, with the reference as `payment`.
  return `<h1>Two cups, $12.50</h1>
<form method="post" action="/orders">
<p><label>Gift message<br><input name="message" maxlength="80"></label></p>
<pay-form name="payment" src="${escape(embedUrl)}" no-button></pay-form>
<p><button>Pay $12.50</button></p>
</form>`;
}

async function thanksPage(reference) {
  if (!(await isPaid(reference))) return '<h1>Not paid yet</h1><p><a href="">Check again</a></p>';
  const { message } = orders.get(reference);
  return `<h1>Thank you</h1><p>The cups are on their way${message ? `, with your message: “${escape(message)}”` : ''}.</p>`;
}

const server = createServer(async (request, response) => {
  const [, section, reference] = new URL(request.url, SHOP_URL).pathname.split('/');
  try {
    if (section === 'orders' && request.method === 'POST') {
      const formData = new URLSearchParams(await text(request));
      const order = orders.get(formData.get('payment'));
      if (!order) return send(response, 404, '<h1>Order not found</h1>');
      order.message = formData.get('message');
      return response.writeHead(303, { location: `/orders/${formData.get('payment')}` }).end();
    }
    if (section === 'orders' && orders.has(reference)) return send(response, 200, await thanksPage(reference));
    if (section === 'checkout.css') return response.writeHead(200, { 'content-type': 'text/css' }).end(style);
    if (section === '') return send(response, 200, await checkoutPage());
    return send(response, 404, '<h1>Not found</h1>');
  } catch (error) {
    console.error(error);
    return send(response, 502, '<h1>The payment service is unavailable</h1><p>Nothing was charged.</p>');
  }
});

function send(response, status, body) {
  response.writeHead(status, {
    'content-type': 'text/html; charset=utf-8',
    // The page has no script of its own.
    'content-security-policy': `default-src 'none'; script-src ${SERVICE_URL}; style-src 'self' ${SERVICE_URL}; frame-src ${SERVICE_URL}; form-action 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`,
  });
  response.end(`<!doctype html>
<html lang="en">
<meta charset="utf-8">
<meta name="viewport" content="width=device-width, initial-scale=1">
<title>Two cups</title>
<link rel="stylesheet" href="${SERVICE_URL}/widget/v1/pay-form.css">
<link rel="stylesheet" href="/checkout.css">
<script type="module" src="${SERVICE_URL}/widget/v1/pay-form.js"></script>
<main>${body}</main>
</html>`);
}

function escape(text) {
  return text.replace(/[&<>"]/g, (character) => `&#${character.charCodeAt(0)};`);
}

server.listen(Number(PORT), () => console.log(SHOP_URL));
