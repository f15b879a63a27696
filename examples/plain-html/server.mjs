// Serves the page and talks to the payment service. The access token never leaves this process.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { createServer } from 'node:http';

const { PAYLATCH_URL = 'http://localhost:8080', PAYLATCH_TOKEN, PORT = '3000' } = process.env;

const policy = `default-src 'none'; script-src 'self' ${PAYLATCH_URL}; style-src 'self' ${PAYLATCH_URL}; frame-src ${PAYLATCH_URL}; connect-src 'self'; base-uri 'none'; require-trusted-types-for 'script'; trusted-types 'none'`;
const read = (name) => readFileSync(new URL(name, import.meta.url), 'utf8').replaceAll('%PAYLATCH_URL%', PAYLATCH_URL);
const files = {
  '/': ['text/html; charset=utf-8', read('index.html')],
  '/checkout.js': ['text/javascript', read('checkout.js')],
  '/checkout.css': ['text/css', read('checkout.css')],
};

async function paylatch(path, body) {
  const response = await fetch(PAYLATCH_URL + path, {
    method: body ? 'POST' : 'GET',
    headers: { authorization: `Bearer ${PAYLATCH_TOKEN}`, 'content-type': 'application/json' },
    body: body && JSON.stringify(body),
  });
  if (!response.ok) throw new Error(await response.text());
  return await response.json();
}

/** The shop says what it costs: what a page says could be anybody's idea. */
async function createPayment() {
  const { embed_url: embedUrl } = await paylatch('/fiat/v1/transaction', {
    transaction_id: `order-${randomUUID()}`,
    transaction_type: 'custom_form',
    payment_method: 'credit_card',
    amount: 12.5,
    currency: 'USD',
    country: 'USA',
    description: 'Two cups',
  });
  return { embedUrl };
}

async function readPayment(reference) {
  const { status } = await paylatch(`/fiat/v1/transaction?transaction_id=${encodeURIComponent(reference)}`);
  return { isPaid: status === 'transaction_status_confirmed' };
}

const server = createServer(async (request, response) => {
  const { pathname } = new URL(request.url, 'http://shop');
  const send = (status, type, content) =>
    response.writeHead(status, { 'content-type': type, 'content-security-policy': policy }).end(content);
  try {
    if (Object.hasOwn(files, pathname)) return send(200, ...files[pathname]);
    const [, folder, reference] = pathname.split('/');
    if (folder !== 'payments') return send(404, 'text/plain', 'Not found');
    const answer = request.method === 'POST' ? await createPayment() : await readPayment(reference);
    return send(200, 'application/json', JSON.stringify(answer));
  } catch (error) {
    console.error(error);
    return send(502, 'application/json', '{}');
  }
});
server.listen(Number(PORT), () => console.log(`http://localhost:${PORT}`));
