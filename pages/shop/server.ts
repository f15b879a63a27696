import { Hono } from 'hono';
import { secureHeaders } from 'hono/secure-headers';
import { type Order, Orders } from './orders.ts';
import { orderPage, productPage, styleSheetPath, troublePage } from './pages.ts';
import { Paylatch, type PaylatchAccess, PaylatchError } from './paylatch.ts';
import { product } from './product.ts';
import { styles } from './styles.ts';

/**
 * The demo shop: a merchant's own site, on an origin of its own, that knows the payment service only
 * by its API. Its token stays on this server.
 *
 * @example
 * serve({ fetch: createShop({ apiUrl, shopUrl, accessToken, callbackSecret }).fetch, port: 8081 });
 */
export function createShop(access: PaylatchAccess): Hono {
  const paylatch = new Paylatch(access);
  const orders = new Orders();
  const shop = new Hono();

  shop.use(
    secureHeaders({
      contentSecurityPolicy: {
        defaultSrc: ["'none'"],
        styleSrc: ["'self'"],
        // Browsers hold a form to this also where its answer redirects to: the payment page, whose
        // address the payment service alone decides.
        formAction: ["'self'", 'http:', 'https:'],
        baseUri: ["'none'"],
        frameAncestors: ["'none'"],
      },
      // The shop runs on http in a sandbox.
      strictTransportSecurity: false,
    }),
  );

  shop.get('/', (c) => c.html(productPage()));
  shop.get(styleSheetPath, (c) => c.body(styles, 200, { 'content-type': 'text/css; charset=utf-8' }));

  shop.post('/orders', async (c) => {
    const asked = Number((await c.req.parseBody())['quantity']);
    const quantity = product.quantities.find((offered) => offered === asked) ?? product.quantities[0];
    const order = orders.open(quantity);
    order.link = await paylatch.createLink(order);
    return c.redirect(order.link, 303);
  });

  for (const path of ['/orders/:id/thanks', '/orders/:id/failed'] as const) {
    shop.get(path, async (c) => {
      const order = orders.find(c.req.param('id'));
      if (!order)
        return c.html(troublePage('There is no such order', 'The demo shop forgets its orders when it stops.'), 404);
      await learnStatus(order);
      return c.html(orderPage(order));
    });
  }

  /** A callback may be on its way still, and the buyer is here: then the shop asks. */
  async function learnStatus(order: Order): Promise<void> {
    if (order.status === 'paid') return;
    const status = await paylatch.readStatus(order.id).catch(() => order.status);
    order.status = status;
  }

  shop.post('/callbacks', async (c) => {
    const body = await c.req.text();
    try {
      const told = paylatch.readCallback(body, c.req.header());
      const order = told && orders.find(told.orderId);
      if (order) order.status = told.status;
      return c.body(null, 204);
    } catch {
      return c.text('The signature is not right', 401);
    }
  });

  shop.notFound((c) => c.html(troublePage('There is no such page', 'Go back to the shop to find the kettle.'), 404));
  shop.onError((error, c) => {
    const said = error instanceof PaylatchError ? error.message : 'Something went wrong in the shop';
    return c.html(
      troublePage('The payment could not be prepared', `${said}. Nothing was charged; try again in a moment.`),
      502,
    );
  });
  return shop;
}
