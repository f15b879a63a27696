// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createTransactionResponse } from '../../src/api/fiat-transaction.ts';
import { DAY } from '../../src/shared/time.ts';
import { allowOrigins, createForm, openPage, policyOf, readPageDocument, readRefusal } from '../support/frames.ts';
import { cardFor, ScriptedProvider } from '../support/scripted-provider.ts';
import { sendRaw } from '../support/raw-http.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { type Answer, openProductionWorld, openWorld, type World } from '../support/world.ts';

const shop = 'https://shop.example';
const stranger = 'https://stranger.example';
/** Also pages that are opened from a file. */
const anybody = '* file:';

function assertFrameable(answer: Answer, ancestors: string) {
  assert.equal(policyOf(answer, 'frame-ancestors'), ancestors);
  assert.equal(answer.headers.get('x-frame-options'), null);
  assert.equal(answer.headers.get('cross-origin-resource-policy'), 'cross-origin');
}

function withoutStyle(html: string): string {
  return html.replace(/<style>.*<\/style>/s, '');
}

/** A refusal tells the developer what to do, and nobody anything about the payment. */
function assertRefused(answer: Answer, status: number, code: string) {
  assert.equal(answer.status, status);
  assert.match(answer.headers.get('content-type') ?? '', /^text\/html/);
  assertFrameable(answer, anybody);
  const refusal = readRefusal(answer.text);
  assert.equal(refusal.code, code);
  assert.match(answer.text, /<p class="refusal"[^>]*>[^<]{20,}<\/p>/, 'is not said without a script');
  assert.match(answer.text, /<script type="module" src="\/assets\/card-frame-/);
  assert.match(answer.text, /<noscript>/);
  for (const secret of ['order-', '12.5', '12,5', 'USD', 'Kettle', 'saucer', 'paylatch-', '/p/', '/e/', 'pl_page_']) {
    assert.ok(!withoutStyle(answer.text).includes(secret), `a refusal holds ${secret}`);
  }
  return refusal;
}

describe('a transaction for the merchant’s own page', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  test('is answered with the address of its frame and a token for its card, a fresh one each time', async () => {
    const body = creation({ transaction_type: 'custom_form' });
    const first = await world.request('/fiat/v1/transaction', { body });
    assert.equal(first.status, 200);
    createTransactionResponse.parse(first.body);
    assert.match(first.body.embed_url, new RegExp(`^${world.url}/e/[\\w-]{27}$`));
    const again = await world.request('/fiat/v1/transaction', { body });
    assert.equal(again.body.embed_url, first.body.embed_url);
    assert.notEqual(again.body.client_token, first.body.client_token);
    for (const { client_token: token } of [first.body, again.body]) {
      const other = await createForm(world);
      const refused = await submitCard(world, other.reference, cards.visa, token);
      assert.equal(refused.status, 401);
    }
    const { status, body: outcome } = await submitCard(world, body.transaction_id, cards.visa, first.body.client_token);
    assert.equal(status, 200);
    assert.equal(outcome.response_type, 'confirmed');
  });

  test('a link has neither', async () => {
    const { body } = await world.request('/fiat/v1/transaction', { body: creation() });
    assert.ok(!('client_token' in body) && !('embed_url' in body));
  });

  test('needs no description and no addresses to go to', async () => {
    const { reference, path, clientToken } = await createForm(world, {
      description: undefined,
      success_redirect_url: undefined,
      fail_redirect_url: undefined,
      type_of_calculation: undefined,
    });
    const ready = readPageDocument((await openPage(world, path, { origin: shop })).text);
    assert.equal(ready.state.phase, 'ready');
    assert.equal(ready.state.description, null);
    assert.equal(ready.state.returnUrl, null);
    const { body } = await submitCard(world, reference, cards.challenge, clientToken);
    await decide(world, body.redirect_url, 'approve');
    const paid = readPageDocument((await openPage(world, path, { origin: shop })).text);
    assert.equal(paid.state.phase, 'paid');
  });
});

/** Answers at the issuer's page, and comes back as a browser does, with what it says of where it is. */
async function decide(world: World, challengeUrl: string, decision: 'approve' | 'refuse', headers = {}) {
  const decided = await world.request(new URL(challengeUrl).pathname, {
    token: null,
    body: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(decided.status, 303);
  return await openPage(world, new URL(decided.headers.get('location') ?? '').pathname, { headers });
}

describe('the card form in a frame', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => {
    await world.close();
  });

  test('carries the state, the way to it, the texts and who may frame it, and is drawn by its script', async () => {
    const { reference, path, linkPath } = await createForm(world);
    const answer = await openPage(world, path, { origin: shop });
    assert.equal(answer.status, 200);
    const document = readPageDocument(answer.text);
    assert.equal(document.state.phase, 'ready');
    assert.equal(document.state.reference, reference);
    assert.equal(document.linkPath, linkPath);
    assert.deepEqual(document.embedding, { origins: null });
    assert.equal(document.countryCodes.length, 249);
    assert.ok(document.texts['fields.card_number']);
    assert.ok(document.texts['frame.label']);
    assert.ok(!Object.keys(document.texts).some((key) => /^(issuer|message|methods|time|return)\./.test(key)));
    const [, body = ''] = /<body>(.*?)<script type="application\/json"/s.exec(answer.text) ?? [];
    assert.match(body.trim(), /^<noscript>.*<\/noscript>$/s);
    const state = await world.request(`${document.linkPath}/state`, { token: null });
    assert.equal(state.body.phase, 'ready');
    const paid = await submitCard(world, reference, cards.visa, document.state.clientToken ?? '');
    assert.equal(paid.body.response_type, 'confirmed');
  });

  test('of a link works as well', async () => {
    const { path } = await createLink(world);
    const answer = await openPage(world, path.replace('/p/', '/e/'), { origin: shop });
    assert.equal(readPageDocument(answer.text).state.phase, 'ready');
  });

  test('has a policy of its own: our own host, and frames for banks', async () => {
    const { path } = await createForm(world);
    const answer = await openPage(world, path, { origin: shop });
    assertFrameable(answer, anybody);
    assert.equal(policyOf(answer, 'default-src'), "'none'");
    assert.equal(policyOf(answer, 'script-src'), "'self'");
    assert.equal(policyOf(answer, 'connect-src'), "'self'");
    assert.equal(policyOf(answer, 'form-action'), "'self'");
    assert.equal(policyOf(answer, 'frame-src'), "'self' https:");
    assert.doesNotMatch(answer.headers.get('content-security-policy') ?? '', /unsafe/);
    assert.match(answer.headers.get('permissions-policy') ?? '', /camera=\(\)/);
    assert.equal(answer.headers.get('cache-control'), 'no-store');
    assert.equal(answer.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(answer.headers.get('set-cookie'), null);
    for (const [, url] of answer.text.matchAll(
      /<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"/g,
    )) {
      assert.equal((await world.request(url ?? '', { token: null })).status, 200, url);
    }
  });

  test('tells every phase with its own status', async () => {
    const paid = await createForm(world);
    await submitCard(world, paid.reference);
    const challenged = await createForm(world);
    await submitCard(world, challenged.reference, cards.challenge);
    const checked = await createForm(world);
    await submitCard(world, checked.reference, cards.unknown);
    const failed = await createForm(world);
    for (let attempt = 0; attempt < 5; attempt += 1) await submitCard(world, failed.reference, cards.declined);
    const cancelled = await createForm(world);
    await world.request('/fiat/v1/transaction/cancel', { body: { transaction_id: cancelled.reference } });
    for (const [form, status, phase] of [
      [paid, 410, 'paid'],
      [challenged, 200, 'challenge'],
      [checked, 200, 'checking'],
      [failed, 410, 'failed'],
      [cancelled, 410, 'cancelled'],
    ] as const) {
      const answer = await openPage(world, form.path, { origin: shop });
      assert.equal(answer.status, status, phase);
      assert.equal(readPageDocument(answer.text).state.phase, phase);
      assertFrameable(answer, anybody);
    }
  });

  test('tells that it has expired', async () => {
    const own = await openWorld();
    try {
      const { path } = await createForm(own);
      await own.advance(DAY);
      const answer = await openPage(own, path, { origin: shop });
      assert.equal(answer.status, 410);
      assert.equal(readPageDocument(answer.text).state.phase, 'expired');
    } finally {
      await own.close();
    }
  });

  test('tells a buyer whose country is not supported', async () => {
    const own = await openWorld({ countryOfAddress: () => 'TH' });
    try {
      const body = { key: 'restricted-country-list', value: '["TH"]' };
      await own.request('/v1/merchant/preferences', { method: 'PATCH', body });
      const { path } = await createForm(own);
      const answer = await openPage(own, path, { origin: shop });
      assert.equal(answer.status, 403);
      const { state } = readPageDocument(answer.text);
      assert.equal(state.phase, 'restricted');
      assert.equal(state.clientToken, null);
    } finally {
      await own.close();
    }
  });

  test('is in the language that its address names, or else in the browser’s', async () => {
    const { path } = await createForm(world);
    for (const [locale, acceptLanguage, expected, amounts] of [
      ['en-GB', 'en-US', 'en-GB', 'en-GB-u-nu-latn'],
      ['de-AT', 'en-AU', 'de-AT', 'de-AT-u-nu-latn'],
      ['af-ZA', 'en-AU', 'en-AU', 'af-ZA-u-nu-latn'],
      ['xx', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['-', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['__proto__', '', 'en-US', 'en-US-u-nu-latn'],
    ] as const) {
      const answer = await openPage(world, `${path}?locale=${locale}`, {
        origin: shop,
        headers: { 'accept-language': acceptLanguage },
      });
      const document = readPageDocument(answer.text);
      assert.equal(document.locale, expected, locale);
      assert.equal(document.amountLocale, amounts, locale);
      assert.ok(answer.text.includes(`<html lang="${expected}" dir="ltr">`));
    }
  });

  test('leaves parameters alone that are not its own, and refuses its own when they are not right', async () => {
    const { path } = await createForm(world);
    const tracked = await openPage(world, `${path}?utm_source=mail&utm_source=web&fbclid=1&__proto__=2`, {});
    assert.equal(tracked.status, 200);
    for (const query of [
      `origin=${shop}&origin=${stranger}`,
      `origin=${'x'.repeat(400)}`,
      `locale=${'x'.repeat(70)}`,
      'locale=en&locale=de',
    ]) {
      assertRefused(await openPage(world, `${path}?${query}`), 422, 'validation_failed');
    }
  });

  test('whatever its address holds, it is answered with what a frame can tell', async () => {
    for (const id of [
      '%00',
      '%ff',
      '%zz',
      '..%2f..%2fetc%2fpasswd',
      '__proto__',
      'x'.repeat(5000),
      "'--",
      '%E2%80%AE',
    ]) {
      for (const path of [`/e/${id}`, `/e/${id}?origin=${shop}&locale=%00`, `/p/${id}?origin=%3Cscript%3E`]) {
        const { status, headers, text } = await sendRaw(world.url, { path, headers: { accept: 'text/html' } });
        assertRefused({ status, headers, text, body: null }, 404, 'not_found');
      }
    }
  });

  test('takes no other method', async () => {
    const { path } = await createForm(world);
    const answer = await world.request(path, { method: 'POST', body: {}, token: null });
    assert.equal(answer.status, 405);
    assert.equal(answer.headers.get('allow'), 'GET, HEAD');
    assert.equal(answer.headers.get('x-frame-options'), 'DENY');
  });

  test('says it when something breaks, without saying what', async () => {
    const own = await openWorld();
    const { path, linkPath } = await createForm(own);
    await own.service().database.close();
    try {
      for (const address of [path, `${linkPath}?origin=${shop}`]) {
        const refusal = assertRefused(await openPage(own, address), 500, 'internal_error');
        assert.equal(refusal.retryable, true);
        assert.match(refusal.message, /req_/);
      }
    } finally {
      await own.close().catch(() => undefined);
    }
  });
});

describe('who may show a payment in a frame', () => {
  /** The same for both kinds of page that can stand in a frame. */
  const kinds = [
    ['the card form', ({ path }: { path: string }) => path],
    ['the link page', ({ linkPath }: { linkPath: string }) => linkPath],
  ] as const;

  describe('in the sandbox', () => {
    let world: World;
    before(async () => {
      world = await openWorld();
    });
    after(async () => await world.close());

    for (const [kind, pathOf] of kinds) {
      test(`${kind}: anybody without a list, and with an empty one`, async () => {
        const form = await createForm(world);
        for (const list of [null, []]) {
          await allowOrigins(world, list);
          for (const origin of [shop, 'http://localhost:3000', 'null', 'nonsense']) {
            const answer = await openPage(world, pathOf(form), { origin });
            assert.equal(answer.status, 200, origin);
            assertFrameable(answer, anybody);
            assert.deepEqual(readPageDocument(answer.text).embedding, { origins: null });
          }
        }
      });

      test(`${kind}: with a list those who are in it`, async () => {
        const form = await createForm(world);
        await allowOrigins(world, [shop, 'http://localhost:3000']);
        try {
          for (const origin of [shop, 'http://localhost:3000', `${shop}/`]) {
            const answer = await openPage(world, pathOf(form), { origin });
            assert.equal(answer.status, 200);
            assertFrameable(answer, `${shop} http://localhost:3000`);
            assert.equal(policyOf(answer, 'frame-src'), "'self' https:");
            assert.deepEqual(readPageDocument(answer.text).embedding, { origins: [shop, 'http://localhost:3000'] });
          }
          for (const origin of [
            stranger,
            'http://shop.example',
            'https://shop.example:8443',
            'https://www.shop.example',
            'https://shop.example.stranger.example',
            'null',
            'file:///tmp/shop.html',
            'javascript:alert(1)',
            '<script>alert(1)</script>',
          ]) {
            const answer = await openPage(world, pathOf(form), { origin });
            const { message, retryable } = assertRefused(answer, 403, 'origin_not_allowed');
            assert.match(message, /embed-origin-list/);
            assert.match(message, /PATCH \/v1\/merchant\/preferences/);
            assert.equal(retryable, false);
            assert.doesNotMatch(answer.text, /<script>alert/);
            if (origin.startsWith('http')) assert.ok(message.includes(`"${origin}"`), message);
          }
        } finally {
          await allowOrigins(world, null);
        }
      });

      test(`${kind}: who claims an origin of the list without having it is stopped by the list in the header`, async () => {
        const form = await createForm(world);
        await allowOrigins(world, [shop]);
        const answer = await openPage(world, pathOf(form), {
          origin: shop,
          headers: { referer: `${stranger}/`, origin: stranger },
        });
        assert.equal(answer.status, 200);
        assertFrameable(answer, shop);
        await allowOrigins(world, null);
      });
    }

    test('without a claim the page that the browser names is asked about, or nobody is', async () => {
      const { path } = await createForm(world);
      await allowOrigins(world, [shop]);
      const from = async (referer: string | null) =>
        await openPage(world, path, { headers: referer === null ? {} : { referer } });
      assert.equal((await from(`${shop}/checkout?x=1`)).status, 200);
      assertRefused(await from(`${stranger}/checkout`), 403, 'origin_not_allowed');
      for (const unknown of [null, 'nonsense']) {
        const answer = await from(unknown);
        assert.equal(answer.status, 200);
        assertFrameable(answer, shop);
      }
      await allowOrigins(world, null);
    });
  });

  describe('in production', () => {
    let world: World;
    before(async () => {
      world = await openProductionWorld(new ScriptedProvider());
    });
    after(async () => await world.close());

    for (const [kind, pathOf] of kinds) {
      test(`${kind}: nobody without a list, and with an empty one`, async () => {
        const form = await createForm(world);
        for (const list of [null, []]) {
          await allowOrigins(world, list);
          assertRefused(await openPage(world, pathOf(form), { origin: shop }), 403, 'origin_not_allowed');
        }
        const named = await openPage(world, pathOf(form), { origin: shop });
        assert.ok(readRefusal(named.text).message.includes(`"${shop}"`));
      });

      test(`${kind}: with a list those who are in it`, async () => {
        const form = await createForm(world);
        await allowOrigins(world, [shop]);
        const answer = await openPage(world, pathOf(form), { origin: shop });
        assert.equal(answer.status, 200);
        assertFrameable(answer, shop);
        assert.equal(policyOf(answer, 'frame-src'), 'https:');
        assert.match(answer.headers.get('strict-transport-security') ?? '', /max-age/);
        assertRefused(await openPage(world, pathOf(form), { origin: stranger }), 403, 'origin_not_allowed');
        await allowOrigins(world, null);
      });
    }

    test('a card can be paid with in the frame', async () => {
      await allowOrigins(world, [shop]);
      const { reference, path } = await createForm(world);
      const { state } = readPageDocument((await openPage(world, path, { origin: shop })).text);
      const body = submission(reference, cardFor('approve'));
      const paid = await world.request('/fiat/v1/transaction/submit', { token: state.clientToken, body });
      assert.equal(paid.body.response_type, 'confirmed');
      await allowOrigins(world, null);
    });
  });
});

describe('what is not made for a frame', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  test('is kept out of one: the link page, states, problems, scripts, the API', async () => {
    const { path } = await createLink(world);
    for (const address of [
      path,
      `${path}?origin=`,
      `${path}?locale=de&utm_source=mail&utm_source=web`,
      `${path}/state`,
      '/p/nothing-here',
      '/p/nothing-here/return',
      '/nothing/here',
      '/v1/merchant/preferences',
      '/healthz',
      '/texts/card/en',
      '/widget/v1/pay-form.js',
    ]) {
      const answer = await openPage(world, address);
      assert.equal(answer.headers.get('x-frame-options'), 'DENY', address);
      assert.equal(policyOf(answer, 'frame-ancestors'), "'none'", address);
    }
  });

  test('the link page alone shows no frame, and the language of its address goes before the browser’s', async () => {
    const { path, link } = await createLink(world);
    const answer = await openPage(world, `${path}?locale=en-GB`, { headers: { 'accept-language': 'en-AU' } });
    assert.equal(policyOf(answer, 'frame-src'), null);
    assert.equal(answer.headers.get('cross-origin-resource-policy'), 'same-origin');
    const document = readPageDocument(answer.text);
    assert.equal(document.locale, 'en-GB');
    assert.equal(document.embedding, null);
    assert.equal(world.url + document.linkPath, link);
    assert.match(answer.text, /<link-page/);
  });
});

describe('the link page in a frame', () => {
  test('has what answers the page around it on its way from the start', async () => {
    const world = await openWorld();
    try {
      const { path } = await createLink(world);
      const { path: form } = await createForm(world);
      const scriptsOf = async (address: string, origin?: string) => {
        const { text } = await openPage(world, address, origin === undefined ? {} : { origin });
        return [...text.matchAll(/rel="modulepreload" href="([^"]+)"/g)].map(([, url]) => url);
      };
      const [framed, alone, card] = [await scriptsOf(path, shop), await scriptsOf(path), await scriptsOf(form, shop)];
      assert.deepEqual(
        card.filter((url) => !framed.includes(url)),
        [],
      );
      assert.equal(new Set(framed).size, framed.length);
      assert.ok(card.some((url) => !alone.includes(url)));
    } finally {
      await world.close();
    }
  });

  test('is the whole page, drawn on the server, with the state and the language of its address', async () => {
    const world = await openWorld();
    try {
      const { path } = await createLink(world);
      const answer = await openPage(world, `${path}?locale=en-GB`, { origin: shop });
      assert.equal(answer.status, 200);
      assertFrameable(answer, anybody);
      assert.match(answer.text, /<link-page/);
      const document = readPageDocument(answer.text);
      assert.equal(document.locale, 'en-GB');
      assert.equal(document.linkPath, path);
      assert.equal(document.state.phase, 'ready');
      assert.ok(document.texts['time.over'] && document.texts['frame.label_link']);
      assertRefused(await openPage(world, `/p/${'x'.repeat(27)}`, { origin: shop }), 404, 'not_found');
    } finally {
      await world.close();
    }
  });
});

describe('the way back from the bank', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  const inFrame = { 'sec-fetch-dest': 'iframe' };

  test('the sandbox’s issuer can be shown in a frame', async () => {
    const { reference } = await createForm(world);
    const { body } = await submitCard(world, reference, cards.challenge);
    const issuer = await openPage(world, new URL(body.redirect_url).pathname, { headers: inFrame });
    assert.equal(issuer.status, 200);
    assert.equal(policyOf(issuer, 'frame-ancestors'), anybody);
    assert.equal(issuer.headers.get('x-frame-options'), null);
    assert.equal(policyOf(issuer, 'form-action'), "'self' http: https:");
  });

  test('what sends on within the frame says nothing of who may show it', async () => {
    const { reference } = await createForm(world);
    const { body } = await submitCard(world, reference, cards.challenge);
    const redirect = await world.request(new URL(body.redirect_url).pathname, {
      body: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...inFrame },
      token: null,
    });
    assert.equal(redirect.status, 303);
    assert.equal(policyOf(redirect, 'frame-ancestors'), null);
    assert.equal(policyOf(redirect, 'default-src'), "'none'");
    assert.equal(redirect.headers.get('x-frame-options'), null);
  });

  for (const [list, ancestors] of [
    [null, anybody],
    [[shop], `'self' ${shop}`],
  ] as const) {
    test(`in a frame it ends with a word, for ${list ? 'the merchant’s origins' : 'anybody'}`, async () => {
      await allowOrigins(world, list);
      for (const [decision, status] of [
        ['approve', 'transaction_status_confirmed'],
        ['refuse', 'transaction_status_pending'],
      ] as const) {
        const { reference } = await createForm(world);
        const { body } = await submitCard(world, reference, cards.challenge);
        const back = await decide(world, body.redirect_url, decision, inFrame);
        assert.equal(back.status, 200);
        assert.equal(policyOf(back, 'frame-ancestors'), ancestors);
        assert.equal(back.headers.get('x-frame-options'), null);
        assert.doesNotMatch(back.text, /<script/);
        assert.doesNotMatch(withoutStyle(back.text), /order-|12\.50|Kettle|shop\.example/);
        assert.equal((await detailOf(world, reference)).status, status);
      }
      await allowOrigins(world, null);
    });
  }

  test('a bank that posts the buyer back is answered the same', async () => {
    const { reference, linkPath } = await createForm(world);
    await submitCard(world, reference, cards.challenge);
    const back = await world.request(`${linkPath}/return`, {
      token: null,
      body: 'cres=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...inFrame },
    });
    assert.equal(back.status, 200);
    assert.match(back.text, /closes by itself/);
  });

  test('without a frame it leads to the shop, or to the page, as ever', async () => {
    for (const headers of [{}, { 'sec-fetch-dest': 'document' }]) {
      const { reference } = await createForm(world);
      const { body } = await submitCard(world, reference, cards.challenge);
      const back = await decide(world, body.redirect_url, 'approve', headers);
      assert.equal(back.status, 303);
      assert.equal(back.headers.get('location'), 'https://shop.example/paid');
    }
  });
});

describe('texts for a page whose language changes', () => {
  let world: World;
  before(async () => {
    world = await openWorld();
  });
  after(async () => await world.close());

  test('are those that the page had, in another language, and may be kept', async () => {
    const { path } = await createForm(world);
    for (const [page, address] of [
      ['card', path],
      ['link', path.replace('/e/', '/p/')],
    ] as const) {
      const { texts } = readPageDocument((await openPage(world, address, { origin: shop })).text);
      const answer = await world.request(`/texts/${page}/en-GB`, { token: null });
      assert.equal(answer.status, 200);
      assert.equal(answer.headers.get('cache-control'), 'public, max-age=3600');
      const { locale, amountLocale, direction, texts: asked } = answer.body;
      assert.deepEqual(
        { locale, amountLocale, direction },
        { locale: 'en-GB', amountLocale: 'en-GB-u-nu-latn', direction: 'ltr' },
      );
      assert.deepEqual(asked, texts);
    }
  });

  test('depend on their address alone', async () => {
    const headers = { 'accept-language': 'en-AU' };
    const { body } = await world.request('/texts/card/xx', { token: null, headers });
    assert.equal(body.locale, 'en-US');
  });

  test('are English for what is no language, and nothing breaks', async () => {
    for (const locale of [
      'xx',
      '-',
      '%00',
      '%ff',
      '%zz',
      '*',
      '__proto__',
      'x'.repeat(4000),
      'en-US-u-nu-thai',
      'tlh',
      'en;q=0',
    ]) {
      const { status, text } = await sendRaw(world.url, { path: `/texts/card/${locale}` });
      assert.equal(status, 200, locale);
      assert.match(JSON.parse(text).locale, /^en-US$/, locale);
    }
    for (const path of ['/texts/card', '/texts/card/', '/texts/issuer/en', '/texts/__proto__/en', '/texts/card/en/x']) {
      assert.equal((await world.request(path, { token: null })).status, 404, path);
    }
    assert.equal((await world.request('/texts/card/en?x=1', { token: null })).status, 422);
  });
});
