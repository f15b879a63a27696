// Exports a store of BTCPay Server as JSON, for `npx paylatch import btcpay --file`. Use it for a BTCPay Server that the
// importer cannot reach, such as one in a private network:
//
//   BTCPAY_API_KEY=… node export.mjs http://10.0.0.5 STORE_ID > store.json

const [base, storeId] = process.argv.slice(2);
if (!base || !storeId) throw new Error('Usage: BTCPAY_API_KEY=… node export.mjs URL STORE_ID > store.json');

/** Returns null if the API key lacks the permission. */
async function read(path) {
  const response = await fetch(`${base.replace(/\/+$/, '')}/api/v1${path}`, {
    headers: { authorization: `token ${process.env.BTCPAY_API_KEY}` },
  });
  if (response.status === 403) return null;
  if (!response.ok) throw new Error(`${path}: status ${response.status}`);
  return await response.json();
}

const path = `/stores/${encodeURIComponent(storeId)}`;
const [store, paymentMethods, webhooks, paymentRequests] = await Promise.all(
  ['', '/payment-methods', '/webhooks', '/payment-requests'].map((part) => read(path + part)),
);

let requestInvoices = {};
for (const { id, status, referenceId } of paymentRequests ?? []) {
  if (status !== 'Pending') continue;
  const query = new URLSearchParams({ orderId: `PAY_REQUEST_${id}` });
  if (referenceId) query.append('orderId', referenceId);
  const invoices = await read(`${path}/invoices?${query}`);
  requestInvoices = invoices && { ...requestInvoices, [id]: invoices };
  if (!invoices) break;
}

const apps = await read(`${path}/apps`);
for (const app of apps ?? [])
  if (app.appType === 'PointOfSale') Object.assign(app, await read(`/apps/pos/${encodeURIComponent(app.id)}`));

const data = { store, paymentMethods, webhooks, paymentRequests, requestInvoices, apps };
process.stdout.write(`${JSON.stringify(data, null, 2)}\n`);
