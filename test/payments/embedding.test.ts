// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { renderFrameError } from '../../pages/checkout/frame/render.ts';
import { createTransactionResponse } from '../../src/api/fiat-transaction.ts';
import { DAY } from '../../src/shared/time.ts';
import {
  allowOrigins,
  createForm,
  openPage,
  policyDirective,
  readPageDocument,
  readFrameError,
} from '../support/frames.ts';
import { cardFor, ScriptedAcquirer } from '../support/scripted-acquirer.ts';
import { sendRaw } from '../support/raw-http.ts';
import { cards, createLink, creation, detailOf, submission, submitCard } from '../support/requests.ts';
import { type FixtureResponse, openProductionFixture, openFixture, type Fixture } from '../support/fixture.ts';

const shop = 'https://shop.example';
const otherSite = 'https://other.example';
/** Any origin, including pages opened from a file. */
const anyOrigin = '* file:';

function assertFrameable(response: FixtureResponse, ancestors: string) {
  assert.equal(policyDirective(response, 'frame-ancestors'), ancestors);
  assert.equal(response.headers.get('x-frame-options'), null);
  assert.equal(response.headers.get('cross-origin-resource-policy'), 'cross-origin');
}

function withoutStyle(html: string): string {
  return html.replace(/<style>.*<\/style>/s, '');
}

/** A refusal explains the fix to the developer, and reveals nothing about the payment. */
function assertRefused(response: FixtureResponse, status: number, code: string) {
  assert.equal(response.status, status);
  assert.match(response.headers.get('content-type') ?? '', /^text\/html/);
  assertFrameable(response, anyOrigin);
  const refusal = readFrameError(response.text);
  assert.equal(refusal.code, code);
  assert.match(response.text, /<div class="frame-error"><p[^>]*>[^<]{20,}<\/p>/, 'the error needs no script');
  assert.match(response.text, /<script type="module" src="\/assets\/card-frame-/);
  assert.match(response.text, /<noscript>/);
  for (const secret of ['order-', '12.5', '12,5', 'USD', 'Kettle', 'saucer', 'paylatch-', '/p/', '/e/', 'pl_page_']) {
    assert.ok(!withoutStyle(response.text).includes(secret), `the refusal contains ${secret}`);
  }
  return refusal;
}

describe('a custom_form transaction', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('returns its frame’s URL and a new page token on each request', async () => {
    const body = creation({ transaction_type: 'custom_form' });
    const first = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(first.status, 200);
    createTransactionResponse.parse(first.body);
    assert.match(first.body.embed_url, new RegExp(`^${fixture.url}/e/[\\w-]{27}$`));
    const again = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(again.body.embed_url, first.body.embed_url);
    assert.notEqual(again.body.client_token, first.body.client_token);
    for (const { client_token: token } of [first.body, again.body]) {
      const other = await createForm(fixture);
      const refused = await submitCard(fixture, other.reference, cards.visa, token);
      assert.equal(refused.status, 401);
    }
    const { status, body: outcome } = await submitCard(
      fixture,
      body.transaction_id,
      cards.visa,
      first.body.client_token,
    );
    assert.equal(status, 200);
    assert.equal(outcome.response_type, 'confirmed');
  });

  test('a link transaction has neither', async () => {
    const { body } = await fixture.request('/fiat/v1/transaction', { body: creation() });
    assert.ok(!('client_token' in body) && !('embed_url' in body));
  });

  test('needs no description and no redirect URLs', async () => {
    const { reference, path, clientToken } = await createForm(fixture, {
      description: undefined,
      success_redirect_url: undefined,
      fail_redirect_url: undefined,
      type_of_calculation: undefined,
    });
    const ready = readPageDocument((await openPage(fixture, path, { origin: shop })).text);
    assert.equal(ready.state.phase, 'ready');
    assert.equal(ready.state.description, null);
    assert.equal(ready.state.returnUrl, null);
    const { body } = await submitCard(fixture, reference, cards.challenge, clientToken);
    await decide(fixture, body.redirect_url, 'approve');
    const paid = readPageDocument((await openPage(fixture, path, { origin: shop })).text);
    assert.equal(paid.state.phase, 'paid');
  });
});

/** Completes the challenge on the issuer's page and follows the return redirect, with extra headers. */
async function decide(fixture: Fixture, challengeUrl: string, decision: 'approve' | 'refuse', headers = {}) {
  const decided = await fixture.request(new URL(challengeUrl).pathname, {
    token: null,
    body: `decision=${decision}`,
    headers: { 'content-type': 'application/x-www-form-urlencoded' },
  });
  assert.equal(decided.status, 303);
  return await openPage(fixture, new URL(decided.headers.get('location') ?? '').pathname, { headers });
}

describe('the card form in a frame', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => {
    await fixture.close();
  });

  test('contains state, path, texts and allowed origins, and is rendered by its script', async () => {
    const { reference, path, linkPath } = await createForm(fixture);
    const response = await openPage(fixture, path, { origin: shop });
    assert.equal(response.status, 200);
    const document = readPageDocument(response.text);
    assert.equal(document.state.phase, 'ready');
    assert.equal(document.state.reference, reference);
    assert.equal(document.linkPath, linkPath);
    assert.deepEqual(document.embedding, { origins: null });
    assert.ok(document.texts['fields.card_number']);
    assert.ok(document.texts['frame.label']);
    assert.ok(!Object.keys(document.texts).some((key) => /^(issuer|message|methods|time|return)\./.test(key)));
    const [, body = ''] = /<body>(.*?)<script type="application\/json"/s.exec(response.text) ?? [];
    assert.match(body.trim(), /^<noscript>.*<\/noscript>$/s);
    const state = await fixture.request(`${document.linkPath}/state`, { token: null });
    assert.equal(state.body.phase, 'ready');
    const paid = await submitCard(fixture, reference, cards.visa, document.state.clientToken ?? '');
    assert.equal(paid.body.response_type, 'confirmed');
  });

  test('works for link transactions', async () => {
    const { path } = await createLink(fixture);
    const response = await openPage(fixture, path.replace('/p/', '/e/'), { origin: shop });
    assert.equal(readPageDocument(response.text).state.phase, 'ready');
  });

  test('has its own content security policy: our host, and frames for issuers', async () => {
    const { path } = await createForm(fixture);
    const response = await openPage(fixture, path, { origin: shop });
    assertFrameable(response, anyOrigin);
    assert.equal(policyDirective(response, 'default-src'), "'none'");
    assert.equal(policyDirective(response, 'script-src'), "'self'");
    assert.equal(policyDirective(response, 'connect-src'), "'self'");
    assert.equal(policyDirective(response, 'form-action'), "'self'");
    assert.equal(policyDirective(response, 'frame-src'), "'self' https:");
    assert.doesNotMatch(response.headers.get('content-security-policy') ?? '', /unsafe/);
    assert.match(response.headers.get('permissions-policy') ?? '', /camera=\(\)/);
    assert.equal(response.headers.get('cache-control'), 'no-store');
    assert.equal(response.headers.get('referrer-policy'), 'no-referrer');
    assert.equal(response.headers.get('set-cookie'), null);
    const scripts = [
      ...response.text.matchAll(/<(?:script type="module" src|link rel="modulepreload" href)="([^"]+)"/g),
    ];
    assert.ok(scripts.length > 0);
    for (const [, url] of scripts) {
      assert.equal((await fixture.request(url ?? '', { token: null })).status, 200, url);
    }
  });

  test('has an HTTP status for every phase', async () => {
    const paid = await createForm(fixture);
    await submitCard(fixture, paid.reference);
    const challenged = await createForm(fixture);
    await submitCard(fixture, challenged.reference, cards.challenge);
    const checked = await createForm(fixture);
    await submitCard(fixture, checked.reference, cards.unknown);
    const failed = await createForm(fixture);
    for (let attempt = 0; attempt < 5; attempt += 1) await submitCard(fixture, failed.reference, cards.declined);
    const cancelled = await createForm(fixture);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: cancelled.reference } });
    for (const [form, status, phase] of [
      [paid, 410, 'paid'],
      [challenged, 200, 'challenge'],
      [checked, 200, 'checking'],
      [failed, 410, 'failed'],
      [cancelled, 410, 'cancelled'],
    ] as const) {
      const response = await openPage(fixture, form.path, { origin: shop });
      assert.equal(response.status, status, phase);
      assert.equal(readPageDocument(response.text).state.phase, phase);
      assertFrameable(response, anyOrigin);
    }
  });

  test('shows the expiry', async () => {
    const separateFixture = await openFixture();
    try {
      const { path } = await createForm(separateFixture);
      await separateFixture.advance(DAY);
      const response = await openPage(separateFixture, path, { origin: shop });
      assert.equal(response.status, 410);
      assert.equal(readPageDocument(response.text).state.phase, 'expired');
    } finally {
      await separateFixture.close();
    }
  });

  test('shows a restricted country', async () => {
    const separateFixture = await openFixture({ countryOfAddress: () => 'TH' });
    try {
      const body = { key: 'restricted-country-list', value: '["TH"]' };
      await separateFixture.request('/v1/merchant/preferences', { method: 'PATCH', body });
      const { path } = await createForm(separateFixture);
      const response = await openPage(separateFixture, path, { origin: shop });
      assert.equal(response.status, 403);
      const { state } = readPageDocument(response.text);
      assert.equal(state.phase, 'restricted');
      assert.equal(state.clientToken, null);
    } finally {
      await separateFixture.close();
    }
  });

  test('uses the language of its query, or else the browser’s', async () => {
    const { path } = await createForm(fixture);
    for (const [locale, acceptLanguage, expected, amounts] of [
      ['en-GB', 'en-US', 'en-GB', 'en-GB-u-nu-latn'],
      ['de-AT', 'en-AU', 'de-AT', 'de-AT-u-nu-latn'],
      ['af-ZA', 'en-AU', 'en-AU', 'af-ZA-u-nu-latn'],
      ['xx', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['-', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['', 'en-AU', 'en-AU', 'en-AU-u-nu-latn'],
      ['__proto__', '', 'en-US', 'en-US-u-nu-latn'],
    ] as const) {
      const response = await openPage(fixture, `${path}?locale=${locale}`, {
        origin: shop,
        headers: { 'accept-language': acceptLanguage },
      });
      const document = readPageDocument(response.text);
      assert.equal(document.locale, expected, locale);
      assert.equal(document.amountLocale, amounts, locale);
      assert.ok(response.text.includes(`<html lang="${expected}" dir="ltr">`));
    }
  });

  test('ignores foreign query parameters and refuses invalid ones of its own', async () => {
    const { path } = await createForm(fixture);
    const tracked = await openPage(fixture, `${path}?utm_source=mail&utm_source=web&fbclid=1&__proto__=2`, {});
    assert.equal(tracked.status, 200);
    for (const query of [
      `origin=${shop}&origin=${otherSite}`,
      `origin=${'x'.repeat(400)}`,
      `locale=${'x'.repeat(70)}`,
      'locale=en&locale=de',
    ]) {
      assertRefused(await openPage(fixture, `${path}?${query}`), 422, 'validation_failed');
    }
  });

  test('responds to any path with an embeddable refusal', async () => {
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
        const { status, headers, text } = await sendRaw(fixture.url, { path, headers: { accept: 'text/html' } });
        assertRefused({ status, headers, text, body: null }, 404, 'not_found');
      }
    }
  });

  test('accepts no other HTTP method', async () => {
    const { path } = await createForm(fixture);
    const response = await fixture.request(path, { method: 'POST', body: {}, token: null });
    assert.equal(response.status, 405);
    assert.equal(response.headers.get('allow'), 'GET, HEAD');
    assert.equal(response.headers.get('x-frame-options'), 'DENY');
  });

  test('reports an internal error without details', async () => {
    const separateFixture = await openFixture();
    const { path, linkPath } = await createForm(separateFixture);
    await separateFixture.service().database.close();
    try {
      for (const address of [path, `${linkPath}?origin=${shop}`]) {
        const refusal = assertRefused(await openPage(separateFixture, address), 500, 'internal_error');
        assert.equal(refusal.retryable, true);
        assert.match(refusal.message, /req_/);
      }
    } finally {
      await separateFixture.close().catch(() => undefined);
    }
  });
});

describe('allowed origins', () => {
  /** Both kinds of embeddable page. */
  const kinds = [
    ['the card form', ({ path }: { path: string }) => path],
    ['the link page', ({ linkPath }: { linkPath: string }) => linkPath],
  ] as const;

  describe('in the sandbox', () => {
    let fixture: Fixture;
    before(async () => {
      fixture = await openFixture();
    });
    after(async () => await fixture.close());

    for (const [kind, pathOf] of kinds) {
      test(`${kind}: any origin without a list or with an empty one`, async () => {
        const form = await createForm(fixture);
        for (const list of [null, []]) {
          await allowOrigins(fixture, list);
          for (const origin of [shop, 'http://localhost:3000', 'null', 'nonsense']) {
            const response = await openPage(fixture, pathOf(form), { origin });
            assert.equal(response.status, 200, origin);
            assertFrameable(response, anyOrigin);
            assert.deepEqual(readPageDocument(response.text).embedding, { origins: null });
          }
        }
      });

      test(`${kind}: with a list those who are in it`, async () => {
        const form = await createForm(fixture);
        await allowOrigins(fixture, [shop, 'http://localhost:3000']);
        try {
          for (const origin of [shop, 'http://localhost:3000', `${shop}/`]) {
            const response = await openPage(fixture, pathOf(form), { origin });
            assert.equal(response.status, 200);
            assertFrameable(response, `${shop} http://localhost:3000`);
            assert.equal(policyDirective(response, 'frame-src'), "'self' https:");
            assert.deepEqual(readPageDocument(response.text).embedding, { origins: [shop, 'http://localhost:3000'] });
          }
          for (const origin of [
            otherSite,
            'http://shop.example',
            'https://shop.example:8443',
            'https://www.shop.example',
            'https://shop.example.other.example',
            'null',
            'file:///tmp/shop.html',
            'javascript:alert(1)',
            '<script>alert(1)</script>',
          ]) {
            const response = await openPage(fixture, pathOf(form), { origin });
            const { message, retryable } = assertRefused(response, 403, 'origin_not_allowed');
            assert.match(message, /embed-origin-list/);
            assert.match(message, /PATCH \/v1\/merchant\/preferences/);
            assert.equal(retryable, false);
            assert.doesNotMatch(response.text, /<script>alert/);
            if (origin.startsWith('http')) assert.ok(message.includes(`"${origin}"`), message);
          }
        } finally {
          await allowOrigins(fixture, null);
        }
      });

      test(`${kind}: a falsely claimed origin is stopped by frame-ancestors`, async () => {
        const form = await createForm(fixture);
        await allowOrigins(fixture, [shop]);
        const response = await openPage(fixture, pathOf(form), {
          origin: shop,
          headers: { referer: `${otherSite}/`, origin: otherSite },
        });
        assert.equal(response.status, 200);
        assertFrameable(response, shop);
        await allowOrigins(fixture, null);
      });
    }

    test('without a claimed origin, the Referer is checked; without either, the page is refused', async () => {
      const { path } = await createForm(fixture);
      await allowOrigins(fixture, [shop]);
      const from = async (referer: string | null) =>
        await openPage(fixture, path, { headers: referer === null ? {} : { referer } });
      assert.equal((await from(`${shop}/checkout?x=1`)).status, 200);
      assertRefused(await from(`${otherSite}/checkout`), 403, 'origin_not_allowed');
      for (const unknown of [null, 'nonsense']) {
        const response = await from(unknown);
        assert.equal(response.status, 200);
        assertFrameable(response, shop);
      }
      await allowOrigins(fixture, null);
    });
  });

  describe('in production', () => {
    let fixture: Fixture;
    before(async () => {
      fixture = await openProductionFixture(new ScriptedAcquirer());
    });
    after(async () => await fixture.close());

    for (const [kind, pathOf] of kinds) {
      test(`${kind}: no origin without a list or with an empty one`, async () => {
        const form = await createForm(fixture);
        for (const list of [null, []]) {
          await allowOrigins(fixture, list);
          assertRefused(await openPage(fixture, pathOf(form), { origin: shop }), 403, 'origin_not_allowed');
        }
        const named = await openPage(fixture, pathOf(form), { origin: shop });
        assert.ok(readFrameError(named.text).message.includes(`"${shop}"`));
      });

      test(`${kind}: payers read a message in their language with a reference, and no explanation for developers`, async () => {
        await allowOrigins(fixture, null);
        const form = await createForm(fixture);
        const headers = { 'accept-language': 'de' };
        const { text, headers: sent } = await openPage(fixture, pathOf(form), { origin: shop, headers });
        const [, shown = ''] = /<div class="frame-error">(.*?)<\/div>/.exec(text) ?? [];
        const reference = `Referenz für den Support: origin_not_allowed, ${sent.get('request-id')}`;
        assert.equal(
          shown,
          `<p>Das Zahlungsformular kann hier nicht angezeigt werden. Wenden Sie sich an den Shop.</p><small>${reference}</small>`,
        );
      });

      test(`${kind}: with a list those who are in it`, async () => {
        const form = await createForm(fixture);
        await allowOrigins(fixture, [shop]);
        const response = await openPage(fixture, pathOf(form), { origin: shop });
        assert.equal(response.status, 200);
        assertFrameable(response, shop);
        assert.equal(policyDirective(response, 'frame-src'), 'https:');
        assert.match(response.headers.get('strict-transport-security') ?? '', /max-age/);
        assertRefused(await openPage(fixture, pathOf(form), { origin: otherSite }), 403, 'origin_not_allowed');
        await allowOrigins(fixture, null);
      });
    }

    test('a card payment works in the frame', async () => {
      await allowOrigins(fixture, [shop]);
      const { reference, path } = await createForm(fixture);
      const { state } = readPageDocument((await openPage(fixture, path, { origin: shop })).text);
      const body = submission(reference, cardFor('approve'));
      const paid = await fixture.request('/fiat/v1/transaction/submit', { token: state.clientToken, body });
      assert.equal(paid.body.response_type, 'confirmed');
      await allowOrigins(fixture, null);
    });
  });
});

describe('other pages', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('cannot be embedded: the link page, states, problems, scripts, the API', async () => {
    const { path } = await createLink(fixture);
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
      const response = await openPage(fixture, address);
      assert.equal(response.headers.get('x-frame-options'), 'DENY', address);
      assert.equal(policyDirective(response, 'frame-ancestors'), "'none'", address);
    }
  });

  test('the standalone link page allows no frame, and its query’s language overrides the browser’s', async () => {
    const { path, link } = await createLink(fixture);
    const response = await openPage(fixture, `${path}?locale=en-GB`, { headers: { 'accept-language': 'en-AU' } });
    assert.equal(policyDirective(response, 'frame-src'), null);
    assert.equal(response.headers.get('cross-origin-resource-policy'), 'same-origin');
    const document = readPageDocument(response.text);
    assert.equal(document.locale, 'en-GB');
    assert.equal(document.embedding, null);
    assert.equal(fixture.url + document.linkPath, link);
    assert.match(response.text, /<link-page/);
  });
});

test('a refusal that can succeed later asks payers to try again', () => {
  const error = { code: 'unavailable', message: 'The service is being restarted.', retryable: true };
  const document = { locale: 'en', amountLocale: 'en', direction: 'ltr', texts: {}, error } as const;
  const page = renderFrameError(document, 'unavailable, 1', { script: null, style: '', styleSource: '' });
  assert.match(page, /<div class="frame-error"><p>Something went wrong. Try again in a moment.<\/p>/);
});

describe('the embedded link page', () => {
  test('preloads the script that communicates with the embedding page', async () => {
    const fixture = await openFixture();
    try {
      const { path } = await createLink(fixture);
      const { path: form } = await createForm(fixture);
      const scriptsOf = async (address: string, origin?: string) => {
        const { text } = await openPage(fixture, address, origin === undefined ? {} : { origin });
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
      await fixture.close();
    }
  });

  test('is the full server-rendered page, with the state and the language of its query', async () => {
    const fixture = await openFixture();
    try {
      const { path } = await createLink(fixture);
      const response = await openPage(fixture, `${path}?locale=en-GB`, { origin: shop });
      assert.equal(response.status, 200);
      assertFrameable(response, anyOrigin);
      assert.match(response.text, /<link-page/);
      const document = readPageDocument(response.text);
      assert.equal(document.locale, 'en-GB');
      assert.equal(document.linkPath, path);
      assert.equal(document.state.phase, 'ready');
      assert.ok(document.texts['time.expired'] && document.texts['frame.label_link']);
      assertRefused(await openPage(fixture, `/p/${'x'.repeat(27)}`, { origin: shop }), 404, 'not_found');
    } finally {
      await fixture.close();
    }
  });
});

describe('the return from a challenge', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const inFrame = { 'sec-fetch-dest': 'iframe' };

  test('the sandbox’s issuer can be shown in a frame', async () => {
    const { reference } = await createForm(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    const issuer = await openPage(fixture, new URL(body.redirect_url).pathname, { headers: inFrame });
    assert.equal(issuer.status, 200);
    assert.equal(policyDirective(issuer, 'frame-ancestors'), anyOrigin);
    assert.equal(issuer.headers.get('x-frame-options'), null);
    assert.equal(policyDirective(issuer, 'form-action'), "'self' http: https:");
  });

  test('a redirect within the frame reveals no allowed origins', async () => {
    const { reference } = await createForm(fixture);
    const { body } = await submitCard(fixture, reference, cards.challenge);
    const redirect = await fixture.request(new URL(body.redirect_url).pathname, {
      body: 'decision=approve',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...inFrame },
      token: null,
    });
    assert.equal(redirect.status, 303);
    assert.equal(policyDirective(redirect, 'frame-ancestors'), null);
    assert.equal(policyDirective(redirect, 'default-src'), "'none'");
    assert.equal(redirect.headers.get('x-frame-options'), null);
  });

  for (const [list, ancestors] of [
    [null, anyOrigin],
    [[shop], `'self' ${shop}`],
  ] as const) {
    test(`in a frame it ends with a message to ${list ? 'the merchant’s origins' : 'any origin'}`, async () => {
      await allowOrigins(fixture, list);
      for (const [decision, status] of [
        ['approve', 'transaction_status_confirmed'],
        ['refuse', 'transaction_status_pending'],
      ] as const) {
        const { reference } = await createForm(fixture);
        const { body } = await submitCard(fixture, reference, cards.challenge);
        const back = await decide(fixture, body.redirect_url, decision, inFrame);
        assert.equal(back.status, 200);
        assert.equal(policyDirective(back, 'frame-ancestors'), ancestors);
        assert.equal(back.headers.get('x-frame-options'), null);
        assert.doesNotMatch(back.text, /<script/);
        assert.doesNotMatch(withoutStyle(back.text), /order-|12\.50|Kettle|shop\.example/);
        assert.equal((await detailOf(fixture, reference)).status, status);
      }
      await allowOrigins(fixture, null);
    });
  }

  test('accepts a POST return as well', async () => {
    const { reference, linkPath } = await createForm(fixture);
    await submitCard(fixture, reference, cards.challenge);
    const back = await fixture.request(`${linkPath}/return`, {
      token: null,
      body: 'cres=x',
      headers: { 'content-type': 'application/x-www-form-urlencoded', ...inFrame },
    });
    assert.equal(back.status, 200);
    assert.match(back.text, /closes automatically/);
  });

  test('without a frame it redirects to the shop or the page', async () => {
    for (const headers of [{}, { 'sec-fetch-dest': 'document' }]) {
      const { reference } = await createForm(fixture);
      const { body } = await submitCard(fixture, reference, cards.challenge);
      const back = await decide(fixture, body.redirect_url, 'approve', headers);
      assert.equal(back.status, 303);
      assert.equal(back.headers.get('location'), 'https://shop.example/paid');
    }
  });
});

describe('texts for a change of language', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  test('are the page’s texts in another language, and cacheable', async () => {
    const { path } = await createForm(fixture);
    for (const [page, address] of [
      ['card', path],
      ['link', path.replace('/e/', '/p/')],
    ] as const) {
      const { texts } = readPageDocument((await openPage(fixture, address, { origin: shop })).text);
      const response = await fixture.request(`/texts/${page}/en-GB`, { token: null });
      assert.equal(response.status, 200);
      assert.equal(response.headers.get('cache-control'), 'public, max-age=3600');
      const { locale, amountLocale, direction, texts: translated } = response.body;
      assert.deepEqual(
        { locale, amountLocale, direction },
        { locale: 'en-GB', amountLocale: 'en-GB-u-nu-latn', direction: 'ltr' },
      );
      // Also those of the page’s other states.
      assert.partialDeepStrictEqual(translated, texts);
    }
  });

  test('depend on their URL only', async () => {
    const headers = { 'accept-language': 'en-AU' };
    const { body } = await fixture.request('/texts/card/xx', { token: null, headers });
    assert.equal(body.locale, 'en-US');
  });

  test('are English for an invalid language', async () => {
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
      const { status, text } = await sendRaw(fixture.url, { path: `/texts/card/${locale}` });
      assert.equal(status, 200, locale);
      assert.match(JSON.parse(text).locale, /^en-US$/, locale);
    }
    for (const path of ['/texts/card', '/texts/card/', '/texts/issuer/en', '/texts/__proto__/en', '/texts/card/en/x']) {
      assert.equal((await fixture.request(path, { token: null })).status, 404, path);
    }
    assert.equal((await fixture.request('/texts/card/en?x=1', { token: null })).status, 422);
  });
});
