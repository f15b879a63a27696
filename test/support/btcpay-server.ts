import { Hono } from 'hono';
import { listen } from '../../src/http/server.ts';

/** A store with the fields that the Greenfield API documents, and others that are ignored. */
export function btcpayStore() {
  const inAMonth = Math.floor(Date.now() / 1000) + 30 * 86_400;
  return {
    store: {
      id: '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776',
      name: 'Tea shop',
      website: 'https://tea.example',
      supportUrl: 'mailto:help@tea.example',
      logoUrl: 'https://btcpay.example/LocalStorage/logo.png',
      cssUrl: null,
      brandColor: '#2f6d3c',
      defaultCurrency: 'EUR',
      invoiceExpiration: 3600,
      displayExpirationTimer: 300,
      monitoringExpiration: 86_400,
      speedPolicy: 'LowSpeed',
      paymentTolerance: 0.5,
      requiresRefundEmail: true,
      networkFeeMode: 'MultiplePaymentsOnly',
      defaultLang: 'en',
    },
    paymentMethods: [
      { enabled: true, paymentMethodId: 'BTC-CHAIN' },
      { enabled: true, paymentMethodId: 'BTC-LN' },
      { enabled: false, paymentMethodId: 'LTC-CHAIN' },
    ] as unknown,
    webhooks: [
      {
        id: 'wh1',
        enabled: true,
        automaticRedelivery: true,
        url: 'http://localhost:4000/btcpay',
        authorizedEvents: { everything: false, specificEvents: ['InvoiceSettled', 'InvoiceExpired'] },
      },
      {
        id: 'wh2',
        enabled: false,
        automaticRedelivery: true,
        url: 'http://localhost:4000/old',
        authorizedEvents: { everything: true },
      },
      {
        id: 'wh3',
        enabled: true,
        automaticRedelivery: true,
        url: 'http://localhost:4000/subscriptions',
        authorizedEvents: { everything: false, specificEvents: ['SubscriberCreated'] },
      },
    ],
    paymentRequests: [
      request({
        id: 'rent',
        title: 'Rent of the hall',
        amount: '120.00',
        currency: 'EUR',
        email: 'ada@example.com',
        expiryDate: inAMonth,
        referenceId: 'R-7',
      }),
      request({ id: 'open', title: 'Without expiry', amount: '15.5', currency: '', expiryDate: null }),
      request({ id: 'part', title: 'Paid in part', amount: '80', currency: 'EUR' }),
      request({ id: 'bitcoin', title: 'Priced in bitcoin', amount: '0.01', currency: 'BTC' }),
      request({ id: 'done', title: 'Settled', amount: '5', currency: 'EUR', status: 'Completed' }),
    ],
    requestInvoices: {
      rent: [{ id: 'i1', status: 'Expired', additionalStatus: 'None' }],
      open: [],
      part: [{ id: 'i2', status: 'Expired', additionalStatus: 'PaidPartial' }],
      bitcoin: [],
    } as Record<string, object[]>,
    apps: [
      {
        id: 'pos1',
        appType: 'PointOfSale',
        name: 'Counter',
        archived: false,
        currency: 'USD',
        items: [
          {
            id: 'black-tea',
            title: 'Black <b>tea</b>',
            description: '<p>From Assam &amp; Ceylon</p>',
            image: 'https://tea.example/black.jpg',
            priceType: 'Fixed',
            price: '4.50',
            inventory: 12,
            disabled: false,
          },
          { id: 'tip', title: 'Tip', image: '~/img/tip.png', priceType: 'Topup', price: null, inventory: null },
          { id: 'donation', title: 'Donation', price: { type: 1, value: 5, formatted: '$5.00' } },
          { id: 'sample', title: 'Free sample', priceType: 'Fixed', price: '0' },
          { id: 'gone', title: 'Sold out', priceType: 'Fixed', price: '3', disabled: true },
        ],
      },
      { id: 'fund', appType: 'Crowdfund', name: 'New kettle', archived: false },
    ],
  };
}

function request(fields: Record<string, unknown>) {
  const base = {
    storeId: '9CiNzKoANXxmk5ayZngSXrHTiVvvgCrwrpFQd4m2K776',
    status: 'Pending',
    description: '',
    archived: false,
  };
  return { ...base, createdTime: 1_790_000_000, allowCustomPaymentAmounts: false, ...fields };
}

export type BtcpayStore = ReturnType<typeof btcpayStore>;

/** Serves a store as BTCPay Server does. `forbidden` lists paths that the key may not read. */
export async function openBtcpay(store: BtcpayStore, forbidden: readonly string[] = []) {
  const path = `/api/v1/stores/${store.store.id}`;
  const requested: string[] = [];
  const application = new Hono();
  application.use('*', async (context, next) => {
    requested.push(context.req.path);
    if (context.req.header('authorization') !== 'token btcpay-key')
      return context.json({ code: 'unauthenticated' }, 401);
    if (forbidden.some((each) => context.req.path.endsWith(each)))
      return context.json({ code: 'missing-permission' }, 403);
    return await next();
  });
  application.get(path, (context) => context.json(store.store));
  application.get(`${path}/payment-methods`, (context) => context.json(store.paymentMethods as object));
  application.get(`${path}/webhooks`, (context) => context.json(store.webhooks));
  application.get(`${path}/payment-requests`, (context) => context.json(store.paymentRequests));
  application.get(`${path}/invoices`, (context) => {
    const [first = ''] = context.req.queries('orderId') ?? [];
    return context.json(store.requestInvoices[first.replace('PAY_REQUEST_', '')] ?? []);
  });
  application.get(`${path}/apps`, (context) => context.json(store.apps.map(({ items: _items, ...app }) => app)));
  application.get('/api/v1/apps/pos/:id', (context) => {
    const found = store.apps.find(({ id }) => id === context.req.param('id'));
    return found ? context.json(found) : context.json({}, 404);
  });
  const server = await listen({ fetch: application.fetch, port: 0, host: '127.0.0.1' });
  return { url: `http://127.0.0.1:${server.port}`, requested, close: () => server.close() };
}
