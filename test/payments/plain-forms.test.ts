// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { HOUR } from '../../src/shared/time.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { cards, createLink, detailOf, submission } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

describe('a plain form', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback' } });
    await enableEveryMethod(fixture, fixture.merchant);
  });
  after(async () => await fixture.close());

  type Link = Awaited<ReturnType<typeof createLink>>;
  const post = async (link: Link, fields: Record<string, string>, headers: Record<string, string> = {}) =>
    await fixture.request(link.path, {
      body: new URLSearchParams(fields).toString(),
      headers: { 'content-type': 'application/x-www-form-urlencoded', accept: 'text/html', ...headers },
      token: null,
    });
  const card = (link: Link, number: string = cards.visa, change: Record<string, string> = {}) => {
    const {
      transaction_id: _id,
      card_expiry_month: month,
      card_expiry_year: year,
      ...fields
    } = submission(link.reference, number);
    return { do: 'card', client_token: link.clientToken, ...fields, card_expiry: `${month}/${year}`, ...change };
  };

  test('rows and panels are in the order of the screen, so that the page can be painted as it arrives', async () => {
    const { text } = await fixture.request((await createLink(fixture)).path, { token: null });
    const parts = [...text.matchAll(/ class="method-(row|panel)"/g)].map(([, part]) => part);
    assert.deepEqual(parts, ['row', ...Array(3).fill(['row', 'panel']).flat(), 'panel']);
    assert.doesNotMatch(text, /blocking="render"/);
  });

  test('the button of a non-card method shows an amount only if it differs from that of the summary', async () => {
    const buttonsOf = async (calculation: string) => {
      const link = await createLink(fixture, { type_of_calculation: calculation });
      const { text } = await fixture.request(link.path, { token: null });
      return [...text.matchAll(/<button class="pay pay-apart">([^<]*)/g)].map(([, label]) => label);
    };
    const next = 'Continue to payment';
    assert.deepEqual(await buttonsOf('forward_without_fee'), [next, next, next]);
    // The card that is open at first has a fee.
    const amount = 'Pay $12.50';
    assert.deepEqual(await buttonsOf('forward_with_fee'), [amount, amount, amount]);
  });

  test('charges a card once, like the script', async () => {
    const link = await createLink(fixture);
    const { status, headers } = await post(link, card(link));
    assert.deepEqual([status, headers.get('location')], [303, `${link.path}?paid=1`]);
    assert.equal((await detailOf(fixture, link.reference)).status, 'transaction_status_confirmed');
    const again = await post(link, card(link));
    assert.equal(again.status, 410);
    assert.match(again.text, /This payment is complete/);
    assert.equal((await detailOf(fixture, link.reference)).attempts.length, 1);
  });

  test('does not charge another total than the page showed', async () => {
    const link = await createLink(fixture);
    const { text } = await fixture.request(link.path, { token: null });
    const [, shown = ''] = /name="amount" value="([^"]+)"/.exec(text) ?? [];
    const outdated = await post(link, card(link, cards.visa, { amount: `${shown}1` }));
    assert.match(outdated.text, />You weren&#39;t charged\. The total has changed\./);
    assert.deepEqual((await detailOf(fixture, link.reference)).attempts, []);
    assert.equal((await post(link, card(link, cards.visa, { amount: shown }))).status, 303);
  });

  test('reads digits of any script', async () => {
    const link = await createLink(fixture);
    const inArabic = (text: string) => text.replaceAll(/\d/g, (digit) => '٠١٢٣٤٥٦٧٨٩'.charAt(Number(digit)));
    const { card_number, card_cvv, card_expiry } = card(link);
    const fields = [card_number, card_cvv, card_expiry].map((value) => inArabic(value));
    const [number = '', cvv = '', expiry = ''] = fields;
    const { status } = await post(link, card(link, number, { card_cvv: cvv, card_expiry: expiry }));
    assert.equal(status, 303);
    assert.equal((await detailOf(fixture, link.reference)).attempts[0]?.last4, cards.visa.slice(-4));
  });

  test('shows invalid fields, without repeating card data', async () => {
    const link = await createLink(fixture);
    const { status, text } = await post(
      link,
      card(link, '4242424242424241', { card_cvv: '9876', email: '', first_name: '"><b>Ada' }),
    );
    assert.equal(status, 422);
    assert.match(text, /The card number is not valid/);
    assert.match(text, /Enter an email address/);
    assert.match(text, /value="&quot;&gt;&lt;b&gt;Ada"/);
    assert.doesNotMatch(text, /42424242|9876/);
    assert.equal((await detailOf(fixture, link.reference)).attempts.length, 0);
    assert.doesNotMatch(fixture.log(), /42424242/);
  });

  test('gets an HTML page even for an unknown payment or an unavailable action', async () => {
    const link = await createLink(fixture);
    const nowhere = await post({ ...link, path: '/p/none' }, card(link));
    assert.equal(nowhere.status, 404);
    assert.match(nowhere.text, /data-mark="warning"[^]*<h1/);
    const { status, text } = await post(link, { ...card(link), do: 'dance' });
    assert.equal(status, 422);
    assert.match(text, /^<!doctype html>/);
    // Clients that do not accept HTML get the problem document.
    const program = await post(link, { ...card(link), do: 'dance' }, { accept: 'application/json' });
    assert.equal(JSON.parse(program.text).code, 'validation_failed');
  });

  test('shows that a method is not offered, and keeps the selected method when its choice is missing', async () => {
    const link = await createLink(fixture, { payment_method: 'qr_code', country: 'THA', currency: 'THB' });
    const submitMethod = async (fields: Record<string, string>) =>
      await post(link, { do: 'method', client_token: link.clientToken, ...fields });
    const missed = await submitMethod({ payment_method: 'online_banking' });
    assert.equal(missed.status, 422);
    assert.match(missed.text, /Choose your bank\./);
    assert.match(missed.text, /value="online_banking"\s+checked/);
    const unknown = await submitMethod({ payment_method: 'upi' });
    assert.equal(unknown.status, 422);
    assert.match(unknown.text, /This payment method is unavailable/);
  });

  test('does nothing without the page’s token, and renews an expired one', async () => {
    const link = await createLink(fixture);
    const other = await createLink(fixture);
    for (const token of ['', 'x', other.clientToken]) {
      const { status, text } = await post(link, { ...card(link), client_token: token });
      assert.equal(status, 422);
      assert.match(text, /Payment not completed/);
      assert.match(text, /name="client_token"/);
    }
    await fixture.advance(HOUR);
    assert.equal((await post(link, card(link))).status, 422);
    assert.equal((await detailOf(fixture, link.reference)).attempts.length, 0);
  });

  test('with an unknown action is refused', async () => {
    const link = await createLink(fixture);
    for (const fields of [{}, { do: 'everything' }, { do: 'toString' }]) {
      const { status } = await post(link, fields);
      assert.equal(status, 422);
    }
    const method = await post(link, { do: 'method', client_token: link.clientToken, payment_method: 'upi' });
    assert.equal(method.status, 422);
  });

  test('from a restricted country is refused', async () => {
    const link = await createLink(fixture);
    await fixture.request('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'restricted-country-list', value: '["TH"]' },
    });
    const { status, text } = await post(link, card(link), { 'x-forwarded-for': '1.0.128.1' });
    assert.equal(status, 403);
    assert.match(text, /not supported/);
    assert.equal((await detailOf(fixture, link.reference)).attempts.length, 0);
  });

  test('starts a push payment, and abandons a challenge', async () => {
    const link = await createLink(fixture, { payment_method: 'qr_code', country: 'THA', currency: 'THB' });
    const started = await post(link, { do: 'method', client_token: link.clientToken, payment_method: 'qr_code' });
    assert.deepEqual([started.status, started.headers.get('location')], [303, link.path]);
    assert.equal((await detailOf(fixture, link.reference)).instructions[0].state, 'issued');
    const challenged = await createLink(fixture);
    await post(challenged, card(challenged, cards.challenge));
    const { clientToken } = (await fixture.request(`${challenged.path}/state`, { token: null })).body;
    await post(challenged, { do: 'abandon', client_token: clientToken });
    assert.equal((await fixture.request(`${challenged.path}/state`, { token: null })).body.phase, 'ready');
  });
});

describe('the language of a link', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  const languageAt = async (path: string, acceptLanguage = 'en') =>
    /<html lang="([^"]+)"/.exec(
      (await fixture.request(path, { token: null, headers: { 'accept-language': acceptLanguage } })).text,
    )?.[1];

  test('is the chosen one, on every device', async () => {
    const { path } = await createLink(fixture);
    assert.equal(await languageAt(path, 'vi'), 'vi-VN');
    const chosen = await fixture.request(`${path}/locale`, { body: { locale: 'th' }, token: null });
    assert.equal(chosen.status, 200);
    assert.equal(chosen.body.locale, 'th-TH');
    assert.equal(await languageAt(path), 'th-TH');
    assert.equal(await languageAt(`${path}?locale=he`), 'he-IL');
    assert.equal(await languageAt(path), 'he-IL');
  });

  test('is always one with a translation', async () => {
    const { path } = await createLink(fixture);
    for (const locale of ['xx', 'tlh', 'no language', '-']) {
      const { status, body } = await fixture.request(`${path}/locale`, { body: { locale }, token: null });
      assert.deepEqual([status, body.code, body.errors[0].pointer], [422, 'validation_failed', '/locale'], locale);
    }
    assert.equal(await languageAt(`${path}?locale=tlh`), 'en-US');
    assert.equal(await languageAt(path), 'en-US');
  });
});

describe('a merchant’s brand', () => {
  test('sets the page’s color and logo, and the policy allows only these', async () => {
    const fixture = await openFixture();
    try {
      const set = async (key: string, value: string) =>
        assert.equal(
          (await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value } })).status,
          200,
        );
      const { path } = await createLink(fixture);
      const plain = await fixture.request(path, { token: null });
      await set('brand-color', '#ffcc00');
      await set('brand-logo-url', 'https://cdn.kettle.example/logo.png');
      const { text, headers } = await fixture.request(path, { token: null });
      const policy = headers.get('content-security-policy') ?? '';
      assert.match(policy, /img-src 'self' data: https:\/\/cdn\.kettle\.example;/);
      assert.equal(policy.match(/'sha256-/g)?.length, 2);
      assert.equal(plain.headers.get('content-security-policy')?.match(/'sha256-/g)?.length, 1);
      assert.match(text, /<img\s+class="merchant-logo"\s+src="https:\/\/cdn\.kettle\.example\/logo\.png"\s+alt=""/);
      const accents = [...text.matchAll(/--accent:(#[0-9a-f]{6})/g)].map(([, color]) => color);
      // The color stays as chosen, in light and in dark mode.
      assert.deepEqual(accents.slice(-2), ['#ffcc00', '#ffcc00']);
    } finally {
      await fixture.close();
    }
  });
});
