import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import type { Service } from '../../src/app.ts';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { type Fixture, type FixtureResponse, openFixture } from '../support/fixture.ts';
import { cards, detailOf, submitCard } from '../support/requests.ts';
import { signedIn } from '../support/users.ts';

const cup = { title: 'Cup', amount: 5, country: 'USA', currency: 'USD', payment_method: 'credit_card' };

describe('reusable links', () => {
  let fixture: Fixture;
  /** A second process on the same database; while it is set, it takes every other request. */
  let other: Service | null = null;
  let taken = 0;
  before(async () => {
    fixture = await openFixture({
      wrapFetch: (fetch) => (request, env) => {
        taken += 1;
        return other && taken % 2 === 0 ? other.fetch(request, env) : fetch(request, env);
      },
    });
  });
  after(async () => await fixture.close());

  const create = async (fields: Record<string, unknown> = {}) => {
    const { status, body, text } = await fixture.request('/fiat/v1/reusable-links', { body: { ...cup, ...fields } });
    assert.equal(status, 200, text);
    return body;
  };
  const read = async ({ id }: { id: string }) => (await fixture.request(`/fiat/v1/reusable-link?id=${id}`)).body;
  const update = async (body: object) => await fixture.request('/fiat/v1/reusable-link', { method: 'PATCH', body });
  const open = async ({ url }: { url: string }, language = 'en') =>
    await fixture.request(new URL(url).pathname, {
      token: null,
      headers: { accept: 'text/html', 'accept-language': language },
    });
  const tokenOf = ({ text }: FixtureResponse) => /name="token" value="([^"]+)"/.exec(text)?.[1] ?? '';
  const send = async (
    { url }: { url: string },
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<{ status: number; location: string | null; text: string }> => {
    const response = await fetch(fixture.url + new URL(url).pathname + new URL(url).search, {
      method: 'POST',
      redirect: 'manual',
      body: new URLSearchParams(fields),
      headers: { accept: 'text/html', 'accept-language': 'en', ...headers },
    });
    return { status: response.status, location: response.headers.get('location'), text: await response.text() };
  };
  /** Opens the page and sends its form. */
  const buy = async (link: { url: string }, fields: Record<string, string> = {}) =>
    await send(link, { token: tokenOf(await open(link)), locale: 'en', ...fields });
  const listOf = async ({ id }: { id: string }) =>
    (await fixture.request(`/fiat/v1/transactions?reusable_link_id=${id}`)).body.transactions as {
      transaction_id: string;
      status: string;
      reusable_link_id: string;
    }[];
  const pay = async (link: { id: string }, card: string = cards.visa) => {
    const [newest] = await listOf(link);
    return await submitCard(fixture, newest?.transaction_id ?? '', card);
  };

  test('sell to many buyers, and count what was paid', async () => {
    const link = await create({
      ...{ description: 'Blue', quantity: { minimum: 1, maximum: 3 }, stock: 5, ask: ['email', 'name'] },
    });
    const page = await open(link);
    assert.equal(page.status, 200);
    assert.match(page.text, /<h1[^>]*><bdi>Cup<\/bdi><\/h1>/);
    assert.match(page.text, /<svg[^>]* aria-label="QR code[^>]*>/);
    assert.match(page.text, /\$5\.00/);
    assert.match(page.text, /Available: 5/);
    assert.equal(page.headers.get('set-cookie'), null);
    assert.match(page.headers.get('cache-control') ?? '', /no-store/);
    const payer = { email: 'ada@example.com', first_name: 'Ada', last_name: 'Lovelace' };
    const { status, location } = await buy(link, { quantity: '2', ...payer });
    assert.equal(status, 303);
    assert.match(location ?? '', /^\/p\/[\w-]{27}$/);
    const [transaction] = await listOf(link);
    assert.equal(transaction?.reusable_link_id, link.id);
    const detail = await detailOf(fixture, transaction?.transaction_id ?? '');
    assert.deepEqual(
      [detail.amount, detail.descriptions, detail.payer, detail.reusable_link_id],
      [10, 'Cup', payer, link.id],
    );
    assert.deepEqual(detail.line_items, [{ name: 'Cup', quantity: 2, unit_amount: 5 }]);
    const counts = ({ sold, reserved, available, revenue }: Record<string, number>) => [
      sold,
      reserved,
      available,
      revenue,
    ];
    assert.deepEqual(counts(await read(link)), [0, 2, 3, 0]);
    assert.equal((await pay(link)).body.response_type, 'confirmed');
    assert.deepEqual(counts(await read(link)), [2, 0, 3, 10]);
    const { events } = (await fixture.request('/v1/events')).body;
    assert.equal(events.at(-1).data.reusable_link_id, link.id);
    const [listed] = (await fixture.request('/fiat/v1/reusable-links?per_page=1')).body.reusable_links;
    assert.deepEqual(listed, await read(link));
  });

  test('reserve stock for half an hour, and release it after a failure or expiry', async () => {
    const link = await create({ stock: 1 });
    assert.equal((await buy(link)).status, 303);
    const soldOut = await open(link);
    assert.match(soldOut.text, /Sold out/);
    assert.doesNotMatch(soldOut.text, /<form method="post"/);
    const [{ transaction_id } = { transaction_id: '' }] = await listOf(link);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id } });
    assert.equal((await read(link)).available, 1);
    assert.equal((await buy(link)).status, 303);
    await fixture.advance(31 * MINUTE);
    assert.equal((await read(link)).available, 1);
    const expired = (await listOf(link))[0]?.transaction_id ?? '';
    assert.equal((await buy(link)).status, 303);
    const renewal = { body: { transaction_id: expired } };
    const refused = await fixture.request('/fiat/v1/transaction/renew', renewal);
    assert.deepEqual([refused.status, refused.body.code], [409, 'sold_out']);
    await update({ id: link.id, stock: 2 });
    const renewed = await fixture.request('/fiat/v1/transaction/renew', renewal);
    assert.equal(renewed.status, 200);
    assert.ok(Date.parse(renewed.body.expires_at) - fixture.clock.now() / 1000 <= 30 * 60_000);
    assert.equal((await read(link)).available, 0);
  });

  test('release what buyers hold half an hour after the stock was limited', async () => {
    const link = await create();
    assert.equal((await buy(link)).status, 303);
    assert.equal((await pay(link, cards.challenge)).body.response_type, '3ds_redirect');
    assert.equal((await buy(link)).status, 303);
    await fixture.advance(MINUTE);
    const since = new Date(fixture.clock.now() / 1000).toISOString();
    // Another buyer at the same time.
    const form = { token: tokenOf(await open(link)), locale: 'en' };
    const [limited] = await Promise.all([update({ id: link.id, stock: 2 }), send(link, form)]);
    assert.equal(limited.status, 200);
    const changed = await fixture.request(`/fiat/v1/transactions?reusable_link_id=${link.id}&updated_since=${since}`);
    assert.deepEqual(changed.body.transactions, await listOf(link));
    assert.equal((await read(link)).available, 0);
    await fixture.advance(31 * MINUTE);
    assert.deepEqual(
      (await listOf(link)).filter(({ status }) => status !== 'transaction_status_failed'),
      [],
    );
    assert.equal((await read(link)).available, 2);
    assert.match((await open(link)).text, /<form method="post"/);
  });

  test('are never oversold by buyers at the same time, in two processes', async () => {
    const second = await fixture.another();
    const link = await create({ stock: 7, quantity: { minimum: 1, maximum: 3 } });
    const tokens = await Promise.all(Array.from({ length: 12 }, async () => tokenOf(await open(link))));
    other = second;
    const responses = await Promise.all(
      tokens.map(async (token, index) => await send(link, { token, locale: 'en', quantity: String((index % 3) + 1) })),
    );
    other = null;
    for (const { status } of responses) assert.ok(status === 303 || status === 422 || status === 200, String(status));
    const { reserved, available } = await read(link);
    assert.ok(reserved > 0 && reserved <= 7);
    assert.equal(reserved + available, 7);
    assert.equal((await listOf(link)).length, responses.filter(({ status }) => status === 303).length);
    await second.close();
  });

  test('create one transaction for a form that is sent twice', async () => {
    const link = await create({ stock: 3 });
    const form = { token: tokenOf(await open(link)), locale: 'en' };
    const twice = await Promise.all([send(link, form), send(link, form)]);
    assert.deepEqual(
      twice.map(({ status }) => status),
      [303, 303],
    );
    assert.equal(twice[0]?.location, twice[1]?.location);
    assert.equal((await listOf(link)).length, 1);
    await fixture.advance(HOUR);
    assert.equal((await send(link, form)).location, new URL(link.url).pathname);
  });

  test('create one transaction for a form that is sent again after it reserved the last stock', async () => {
    for (const [stock, quantity] of [
      [1, '1'],
      [5, '3'],
    ] as const) {
      const link = await create({ stock, ...(stock > 1 && { quantity: { minimum: 1, maximum: 4 } }) });
      const form = { token: tokenOf(await open(link)), locale: 'en', quantity };
      const [first, second] = [await send(link, form), await send(link, form)];
      assert.deepEqual([first.status, second.status, second.location], [303, 303, first.location]);
      assert.equal((await listOf(link)).length, 1);
      const late = await buy(link, { quantity });
      assert.match(late.text, stock === 1 ? /Sold out/ : /aria-invalid="true"/);
      assert.equal((await listOf(link)).length, 1);
    }
  });

  test('show the changed page to a form that is sent again after a change', async () => {
    const link = await create();
    const fields = { token: tokenOf(await open(link)), locale: 'en' };
    assert.match((await send(link, fields)).location ?? '', /^\/p\//);
    assert.equal((await update({ id: link.id, title: 'Mug' })).status, 200);
    const again = await send(link, fields);
    assert.deepEqual([again.status, again.location], [303, new URL(link.url).pathname]);
    assert.equal((await listOf(link)).length, 1);
  });

  test('let the buyer choose the amount within limits', async () => {
    const link = await create({ amount: null, custom_amount: { minimum: 5, maximum: 2000, suggested: 20 }, stock: 9 });
    const page = await open(link, 'de-DE');
    assert.match(page.text, /value="20,00"/);
    assert.match(page.text, /Von 5,00/);
    assert.doesNotMatch(page.text, /Verfügbar/);
    const bought = await buy(link, { amount: '1.234,50', locale: 'de-DE' });
    assert.equal(bought.status, 303);
    assert.equal((await detailOf(fixture, (await listOf(link))[0]?.transaction_id ?? '')).amount, 1234.5);
    for (const amount of ['', '4.99', '2000.01', '-20', '1e2', '20.001', 'NaN', '<b>', '9'.repeat(400)]) {
      const { status, text } = await buy(link, { amount });
      assert.equal(status, 422, amount);
      assert.match(text, /aria-invalid="true"/);
      assert.match(text, /Enter an amount from \$5.00 to \$2,000.00\./);
      assert.doesNotMatch(text, /value="<b>/);
    }
    assert.equal((await listOf(link)).length, 1);
  });

  test('name the field that is empty', async () => {
    const link = await create({ ask: ['email', 'name'] });
    const token = tokenOf(await open(link));
    const empty = { token, email: 'ada@example.com', first_name: '', last_name: ' ' };
    for (const [language, firstName, lastName] of [
      ['en', 'First name is required.', 'Last name is required.'],
      ['de', '„Vorname“ ist ein Pflichtfeld.', '„Nachname“ ist ein Pflichtfeld.'],
    ] as const) {
      const { status, text } = await send(link, empty, { 'accept-language': language });
      assert.equal(status, 422);
      for (const message of [firstName, lastName]) assert.ok(text.includes(message), message);
    }
  });

  test('read a typed amount as the language of the page writes it', async () => {
    const enabled = await fixture.request('/fiat/v1/merchant/payment-methods', {
      method: 'PATCH',
      body: {
        payment_methods: ['TND', 'VND'].map((currency) => ({
          ...{ payment_method: 'credit_card', currency, status: 'enable' },
        })),
      },
      token: fixture.merchant.managerToken,
    });
    assert.equal(enabled.status, 200, enabled.text);
    const limits = { minimum: 1, maximum: 100_000 };
    const tunisian = { country: 'TUN', currency: 'TND', custom_amount: { ...limits, suggested: 1.5 } };
    const vietnamese = { country: 'VNM', currency: 'VND', custom_amount: limits };
    for (const [fields, language, typed, amount] of [
      [tunisian, 'fr-FR', '12,500', 12.5],
      [tunisian, 'de', null, 1.5],
      [vietnamese, 'vi-VN', '50.000', 50_000],
    ] as const) {
      const link = await create({ amount: null, ...fields });
      const page = await open(link, language);
      const [, locale = ''] = /name="locale" value="([^"]+)"/.exec(page.text) ?? [];
      const [, suggested = ''] = /name="amount" value="([^"]*)"/.exec(page.text) ?? [];
      const sent = await send(link, { token: tokenOf(page), locale, amount: typed ?? suggested });
      assert.equal(sent.status, 303, `${typed} in ${language}`);
      assert.equal((await detailOf(fixture, (await listOf(link))[0]?.transaction_id ?? '')).amount, amount);
      // An amount that is refused is shown as it was typed.
      const refused = await send(
        link,
        { token: tokenOf(page), locale, amount: '0.5' },
        { 'accept-language': language },
      );
      assert.match(refused.text, /name="amount" value="0.5"/);
    }
  });

  test('read a typed quantity as the language of the page writes it', async () => {
    const link = await create({ quantity: { minimum: 1, maximum: 2000 } });
    for (const [quantity, locale, expected] of [
      ['1.500', 'de-DE', 1500],
      ['1,500', 'en', 1500],
      ['2', '', 2],
    ] as const) {
      assert.equal((await buy(link, { quantity, locale })).status, 303, `${quantity} in ${locale}`);
      const detail = await detailOf(fixture, (await listOf(link))[0]?.transaction_id ?? '');
      assert.deepEqual(detail.line_items, [{ name: 'Cup', quantity: expected, unit_amount: 5 }]);
    }
  });

  test('refuse forged, foreign and old forms, and change nothing', async () => {
    const [link, another] = [await create({ ask: ['email'] }), await create()];
    const email = 'ada@example.com';
    const token = tokenOf(await open(link));
    const old = tokenOf(await open(link));
    assert.equal((await send(link, { token: tokenOf(await open(another)), email })).status, 422);
    assert.equal((await send(link, { token: `${token}x`, email })).status, 422);
    assert.equal((await send(link, { email })).status, 422);
    assert.equal((await send(link, { token, email }, { 'sec-fetch-site': 'cross-site' })).status, 422);
    for (const bad of ['', 'ada', '"><script>', 'a@b\u0000.example', `${'a'.repeat(300)}@example.com`]) {
      const { status, text } = await send(link, { token, email: bad });
      assert.equal(status, 422);
      assert.doesNotMatch(text, /"><script>/);
    }
    await fixture.advance(5 * HOUR);
    const late = await send(link, { token: old, email });
    assert.equal(late.status, 422);
    assert.match(late.text, /value="ada@example.com"/);
    assert.deepEqual(await listOf(link), []);
    assert.equal((await fixture.request('/b/AAAAAAAAAAAAAAAA', { token: null })).status, 404);
    assert.equal((await fixture.request('/b/short', { token: null })).status, 404);
  });

  test('limit the open transactions of one network', async () => {
    const link = await create({ stock: 100 });
    for (let count = 0; count < 20; count += 1) assert.equal((await buy(link)).status, 303);
    // A started card also reserves its quantity.
    await pay(link, cards.challenge);
    const { status, text } = await buy(link);
    assert.equal(status, 422);
    assert.match(text, /Too many attempts/);
    assert.equal((await read(link)).reserved, 20);
  });

  test('can be changed and archived', async () => {
    const link = await create();
    const changed = await update({ id: link.id, custom_amount: { minimum: 1, maximum: 9 }, title: 'Tip' });
    assert.deepEqual([changed.body.amount, changed.body.title], [null, 'Tip']);
    // Changes at the same time keep each other's fields.
    await Promise.all([update({ id: link.id, stock: 40 }), update({ id: link.id, description: 'Thanks' })]);
    const both = await read(link);
    assert.deepEqual([both.stock, both.description], [40, 'Thanks']);
    const archive = async (archived?: boolean) =>
      await fixture.request('/fiat/v1/reusable-link/archive', { body: { id: link.id, archived } });
    assert.equal((await archive()).body.status, 'archived');
    assert.equal((await open(link)).status, 410);
    assert.equal((await send(link, { token: 'x' })).status, 410);
    const priced = await create();
    await fixture.request('/fiat/v1/reusable-link/archive', { body: { id: priced.id } });
    const closed = await open(priced);
    assert.match(closed.text, /This link is no longer active/);
    assert.doesNotMatch(closed.text, /\$5\.00/);
    const active = (await fixture.request('/fiat/v1/reusable-links?status=active&per_page=100')).body.reusable_links;
    assert.ok(active.length > 0);
    assert.ok(active.every(({ id }: { id: string }) => id !== link.id));
    assert.equal((await archive(false)).body.status, 'active');
    assert.equal((await open(link)).status, 200);
    const rival = await fixture.makeMerchant('Rival');
    const foreign = await fixture.request(`/fiat/v1/reusable-link?id=${link.id}`, { token: rival.token });
    assert.equal(foreign.status, 404);
    const other = { method: 'PATCH', body: { id: link.id, title: 'Mine' }, token: rival.token };
    assert.equal((await fixture.request('/fiat/v1/reusable-link', other)).status, 404);
  });

  test('have their changes in the audit log', async () => {
    const owner = await signedIn(fixture, 'owner');
    const { id } = await create();
    const terms = { type_of_calculation: 'forward_with_fee', quantity: { minimum: 1, maximum: 4 }, ask: ['email'] };
    const body = { id, description: 'Blue', ...terms };
    assert.equal((await owner.request('/fiat/v1/reusable-link', { method: 'PATCH', body })).status, 200);
    const [entry] = (await owner.request('/v1/audit-log?action=updateReusableLink')).body.entries;
    const changed = Object.keys(entry.after).filter((name) => entry.after[name] !== entry.before[name]);
    assert.deepEqual(changed.sort(), ['asks_email', 'description', 'fee_calculation', 'maximum_quantity']);
  });

  test('can get a fixed amount, and one to choose', async () => {
    const link = await create();
    const limits = { minimum: 5, maximum: 10 };
    const custom = (await update({ id: link.id, custom_amount: limits })).body;
    assert.deepEqual([custom.amount, custom.custom_amount], [null, { ...limits, suggested: null }]);
    const fixed = (await update({ id: link.id, amount: 7 })).body;
    assert.deepEqual([fixed.amount, fixed.custom_amount], [7, null]);
  });

  test('report invalid fields', async () => {
    const limits = { minimum: 5, maximum: 10 };
    const refused: [fields: Record<string, unknown>, problem: string][] = [
      [{ amount: undefined }, '/amount required'],
      [{ custom_amount: limits }, '/custom_amount conflict'],
      [{ amount: null, custom_amount: { minimum: 10, maximum: 5 } }, '/custom_amount/maximum too_small'],
      [{ amount: null, custom_amount: { ...limits, suggested: 11 } }, '/custom_amount/suggested out_of_range'],
      [{ amount: null, custom_amount: limits, quantity: { minimum: 1, maximum: 2 } }, '/quantity conflict'],
      [{ amount: null, custom_amount: { minimum: 0.01, maximum: 5 } }, '/custom_amount/minimum amount_below_fee'],
      [{ amount: 1.234 }, '/amount too_many_decimals'],
      [{ amount: 0.01 }, '/amount amount_below_fee'],
      [{ quantity: { minimum: 3, maximum: 2 } }, '/quantity/maximum too_small'],
      [{ amount: 9_000_000, quantity: { minimum: 1, maximum: 100 } }, '/quantity/maximum too_large'],
      [{ stock: -1 }, '/stock too_small'],
      [{ payment_method: 'none' }, '/payment_method unknown_payment_method'],
      [{ title: '\u202e' }, '/title unprintable'],
      [{ ask: ['email', 'email'] }, '/ask invalid'],
      [{ image_url: 'javascript:alert(1)' }, '/image_url invalid_url'],
    ];
    for (const [fields, problem] of refused) {
      const { status, body } = await fixture.request('/fiat/v1/reusable-links', { body: { ...cup, ...fields } });
      const found = body.errors?.map(({ pointer, code }: Record<string, string>) => `${pointer} ${code}`);
      assert.deepEqual([status, found], [422, [problem]], JSON.stringify(fields));
    }
  });

  test('continue to the payment page: their button does not pay', async () => {
    const { text } = await open(await create());
    assert.match(text, /<button class="pay">Continue to payment<\/button>/);
  });

  test('ask for the family name first where the buyer’s country writes it first', async () => {
    const abroad = await openFixture({ env: { TRUSTED_PROXIES: 'loopback', COUNTRY_HEADER: 'CF-IPCountry' } });
    try {
      const { body: link } = await abroad.request('/fiat/v1/reusable-links', {
        body: { ...cup, ask: ['email', 'name'] },
      });
      const { body: japanese } = await abroad.request('/fiat/v1/reusable-links', {
        body: { ...cup, country: 'JPN', ask: ['email', 'name'] },
      });
      const fieldsFor = async ({ url }: { url: string }, country = '') => {
        const headers = { accept: 'text/html', 'accept-language': 'en', 'cf-ipcountry': country };
        const { text } = await abroad.request(new URL(url).pathname, { token: null, headers });
        return [...text.matchAll(/<input class="field" id="buy-\w+" name="(\w+)"/g)].map(([, name]) => name);
      };
      assert.deepEqual(await fieldsFor(link), ['email', 'first_name', 'last_name']);
      for (const country of ['JP', 'KR', 'CN', 'HU'])
        assert.deepEqual(await fieldsFor(link, country), ['email', 'last_name', 'first_name'], country);
      assert.deepEqual(await fieldsFor(japanese), ['email', 'last_name', 'first_name']);
      assert.deepEqual(await fieldsFor(japanese, 'US'), ['email', 'first_name', 'last_name']);
      // The first field on the page with an error has the focus.
      const page = await abroad.request(new URL(japanese.url).pathname, {
        token: null,
        headers: { accept: 'text/html' },
      });
      const refused = await fetch(abroad.url + new URL(japanese.url).pathname, {
        method: 'POST',
        body: new URLSearchParams({ token: tokenOf(page), email: 'ada@example.com' }),
      });
      const focused = /<input[^>]* autofocus>/.exec(await refused.text())?.[0] ?? '';
      assert.match(focused, /name="last_name"/);
    } finally {
      await abroad.close();
    }
  });

  test('link to the merchant: contact, terms, and the page for buyers who do not pay', async () => {
    const shop = await fixture.makeMerchant('Kettle & Cup');
    const values = { 'support-contact': 'help@shop.example', 'terms-url': 'https://shop.example/terms' };
    for (const [key, value] of Object.entries(values)) {
      const { status, text } = await fixture.request('/v1/merchant/preferences', {
        ...{ method: 'PATCH', body: { key, value }, token: shop.managerToken },
      });
      assert.equal(status, 200, text);
    }
    const { body: link } = await fixture.request('/fiat/v1/reusable-links', {
      body: { ...cup, stock: 0, fail_redirect_url: 'https://shop.example/?a=1&b=2' },
      token: shop.token,
    });
    for (const stock of [0, 1]) {
      const body = { id: link.id, stock };
      await fixture.request('/fiat/v1/reusable-link', { method: 'PATCH', body, token: shop.token });
      const { text } = await open(link);
      assert.equal(/Sold out/.test(text), stock === 0);
      assert.match(text, /<a href="mailto:help@shop\.example"><bdi>help@shop\.example<\/bdi><\/a>/);
      assert.match(text, /<a href="https:\/\/shop\.example\/terms"[^>]*>Terms<\/a>/);
      assert.match(
        text,
        /<a class="back-link" href="https:\/\/shop\.example\/\?a=1&amp;b=2">Back to Kettle &amp; Cup<\/a>/,
      );
    }
    assert.doesNotMatch((await open(await create())).text, /class="back-link"/);
  });

  test('keep the language of the URL', async () => {
    const { url } = await create({ ask: ['email'] });
    const link = { url: `${url}?locale=de` };
    const page = await fixture.request(`${new URL(url).pathname}?locale=de`, { token: null });
    const form = { token: tokenOf(page), locale: 'de' };
    assert.match(page.text, /<option[^>]* value="de"[^>]* selected/);
    const path = (entered: string) => /action="([^"]+)"/.exec(entered)?.[1];
    assert.equal(path(page.text), `${new URL(url).pathname}?locale=de`);
    assert.match((await send(link, form)).text, /<html[^>]*lang="de-DE"/);
    assert.match((await send(link, { ...form, email: 'ada@example.com' })).location ?? '', /^\/p\/[\w-]+\?locale=de$/);
  });

  test('show hostile texts as texts', async () => {
    const hostile = `"><img src=x onerror=alert(1)>' & <b>`;
    const link = await create({ title: hostile, description: hostile, image_url: 'https://shop.example/a.png?%22%3E' });
    const { text, headers } = await open(link);
    assert.doesNotMatch(text, /<img src=x|<b>[^<]/);
    assert.equal(text.split('&lt;img src=x onerror=alert(1)&gt;').length - 1, 3);
    assert.match(headers.get('content-security-policy') ?? '', /default-src 'none'/);
  });

  test('are closed to buyers in a restricted country', async () => {
    const link = await create();
    const set = async (value: string | null) =>
      await fixture.request('/v1/merchant/preferences', {
        method: 'PATCH',
        body: { key: 'unknown-country', value: value ?? 'allow' },
        token: fixture.merchant.managerToken,
      });
    assert.equal((await set('refuse')).status, 200);
    const { status, text } = await open(link);
    assert.equal(status, 403);
    assert.doesNotMatch(text, /<form method="post"|class="phone"/);
    assert.match(text, />Payments from an unknown country are not supported<\/h2>/);
    assert.match(text, /<p class="status-text">You weren&#39;t charged\. Turn off your VPN/);
    assert.match(text, /<a class="button" href="">Reload<\/a>/);
    await set(null);
  });
});
