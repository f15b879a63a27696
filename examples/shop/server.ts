import { randomUUID } from 'node:crypto';
import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { PaylatchError } from '../../client/index.ts';
import { browserFiles, readBrowserFile } from './browser-files.ts';
import { contentSecurityPolicy } from './content-security-policy.ts';
import { serviceOrigin } from './document.ts';
import { type Order, type OrderPayment, Orders, paymentReference } from './orders.ts';
import { kettleFile } from './kettle.ts';
import { checkoutPage, orderPage, productPage, errorPage } from './pages.ts';
import { Paylatch, type PaylatchAccess } from './paylatch.ts';
import { playgroundPage } from './playground-page.ts';
import { product } from './product.ts';

interface ShopEnv {
  Variables: {
    /** Origin of the payment service, on pages that contain its form. */
    service?: string;
  };
}

/**
 * The demo shop: a merchant's site on its own origin, which uses only the public API of the payment service. Its
 * access token stays on this server. `browserFolder` contains the static files.
 *
 * @example
 * const access = { apiUrl, shopUrl, accessToken, callbackSecret };
 * serve({ fetch: createShop(access, 'dist/shop').fetch, port: 8081 });
 */
export function createShop(access: PaylatchAccess, browserFolder: string): Hono<ShopEnv> {
  const paylatch = new Paylatch(access);
  const orders = new Orders();
  const shop = new Hono<ShopEnv>();

  // Registered before the headers that prevent other sites from loading the shop's files, because the payment page
  // shows this image.
  shop.get('/kettle.svg', (c) => c.body(kettleFile, 200, { 'content-type': 'image/svg+xml' }));

  // In a sandbox, the shop runs on http.
  shop.use(secureHeaders({ strictTransportSecurity: false }));
  shop.use(async (c, next) => {
    await next();
    c.header('Content-Security-Policy', contentSecurityPolicy(c.get('service')));
  });

  shop.get('/', (c) => c.html(productPage()));
  for (const name of browserFiles) {
    const { content, contentType } = readBrowserFile(browserFolder, name);
    shop.get(`/${name}`, (c) => c.body(content, 200, { 'content-type': contentType }));
  }

  shop.post('/orders', async (c) => {
    const requestedQuantity = Number((await c.req.parseBody())['quantity']);
    const quantity = product.quantities.find((offered) => offered === requestedQuantity) ?? product.quantities[0];
    const order = orders.create(quantity);
    await createPayment(order, 'form');
    return c.redirect(`/orders/${order.id}/pay`, 303);
  });

  shop.get('/orders/:id/pay', async (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order) return await c.html(orderNotFoundPage(), 404);
    const { payment } = order;
    if (!payment || order.status !== 'open') return c.redirect(`/orders/${order.id}`, 303);
    if (payment.kind === 'link') return c.redirect(payment.url, 303);
    c.set('service', serviceOrigin(payment.url));
    return await c.html(checkoutPage(order, payment.url));
  });

  // Two open payments for one order could both be paid, so the form's payment is canceled before a link is created.
  shop.post('/orders/:id/link', async (c) => {
    const order = orders.find(c.req.param('id'));
    if (!order?.payment) return await c.html(orderNotFoundPage(), 404);
    if (order.payment.kind === 'form') {
      const isClosed = await paylatch.cancel(order.payment.reference).then(
        () => true,
        () => false,
      );
      if (!isClosed) return c.redirect(`/orders/${order.id}`, 303);
      await createPayment(order, 'link');
    }
    return c.redirect(order.payment.url, 303);
  });

  /** Creates the current payment for an order. */
  async function createPayment(order: Order, kind: OrderPayment['kind']): Promise<void> {
    const reference = paymentReference(order.id, kind);
    const purchase = {
      reference,
      quantity: order.quantity,
      description: `Order ${order.id}`,
      successUrl: `${access.shopUrl}/orders/${order.id}/thanks`,
      failUrl: `${access.shopUrl}/orders/${order.id}/failed`,
    };
    const url = await (kind === 'form' ? paylatch.createForm(purchase) : paylatch.createLink(purchase));
    order.payment = { kind, reference, url };
  }

  for (const path of ['/orders/:id', '/orders/:id/thanks', '/orders/:id/failed'] as const) {
    shop.get(path, async (c) => {
      const order = orders.find(c.req.param('id'));
      if (!order) return await c.html(orderNotFoundPage(), 404);
      await refreshStatus(order);
      return await c.html(orderPage(order));
    });
  }

  /** Reads the status when the buyer returns before the webhook arrives. */
  async function refreshStatus(order: Order): Promise<void> {
    if (order.status === 'paid' || !order.payment) return;
    const { reference } = order.payment;
    const status = await paylatch.readStatus(reference).catch(() => null);
    if (status) orders.recordPaymentStatus({ reference, status });
  }

  shop.post('/callbacks', async (c) => {
    const body = await c.req.text();
    try {
      const update = paylatch.verifyWebhook(body, c.req.header());
      if (update) orders.recordPaymentStatus(update);
      return c.body(null, 204);
    } catch {
      return c.text('Invalid signature', 401);
    }
  });

  shop.get('/playground', async (c) => {
    const embedUrl = await createTrialPayment();
    c.set('service', serviceOrigin(embedUrl));
    return await c.html(playgroundPage(embedUrl));
  });

  shop.post('/playground/payments', async (c) => c.json({ embedUrl: await createTrialPayment() }));

  /** A payment for the playground. The shop ignores its outcome. */
  async function createTrialPayment(): Promise<string> {
    const playground = `${access.shopUrl}/playground`;
    return await paylatch.createForm({
      reference: `playground-${randomUUID().slice(0, 8)}`,
      quantity: 1,
      description: 'A payment to try the form',
      successUrl: `${playground}?back=success_redirect_url`,
      failUrl: `${playground}?back=fail_redirect_url`,
    });
  }

  shop.notFound((c) => c.html(errorPage('Page not found', 'Go back to the shop to find the kettle.'), 404));
  shop.onError((error, c) => {
    const message = error instanceof PaylatchError ? error.message : 'The shop had an internal error.';
    return c.html(
      errorPage('The payment could not be created', `${message} Nothing was charged; try again in a moment.`),
      502,
    );
  });
  return shop;
}

function orderNotFoundPage() {
  return errorPage('Order not found', 'The demo shop deletes its orders when it restarts.');
}
