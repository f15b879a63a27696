// Databases: sqlite
import assert from 'node:assert/strict';
import { X509Certificate } from 'node:crypto';
import { after, afterEach, before, describe, test } from 'node:test';
import { encryptCard } from '../../pages/checkout/store/card-encryption.ts';
import { webhookPath } from '../../src/acquirers/registry.ts';
import { MINUTE, toMillis } from '../../src/shared/time.ts';
import { createBuyers, type Link } from '../support/buyer.ts';
import { SimulatedClock } from '../support/clock.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { cards, createLink, creation, submission } from '../support/requests.ts';
import { db } from '../support/tables.ts';
import { credentials } from './adyen/account.ts';
import { createCardEncryption } from './simulators/adyen/card-decryption.ts';
import { startAdyen } from './simulators/adyen/index.ts';
import { sendTo } from './simulators/webhooks.ts';

const NUMBER = '4111111111111111';

/** An account that accepts only encrypted cards, before the sandbox's account, which accepts only unencrypted ones. */
describe('cards that the page encrypts', () => {
  const clock = new SimulatedClock();
  const encryption = createCardEncryption();
  let fixture: Fixture;
  let vendor: Awaited<ReturnType<typeof startAdyen>>;
  let accountId = '';
  before(async () => {
    fixture = await openFixture({ clock, env: { LIMIT_CARD_PER_HOUR: '10' } });
    vendor = await startAdyen({ now: () => toMillis(clock.now()), encryption });
    accountId = await addAccount(encryption.certificate);
    vendor.webhooks.send = sendTo(fixture.url + webhookPath(accountId));
  });
  after(async () => {
    await fixture.close();
    await vendor.close();
  });
  afterEach(() => vendor.reset());

  const manage = async (path: string, body: object, method = 'POST') => {
    const saved = await fixture.request(path, { method, body, token: fixture.merchant.managerToken });
    assert.equal(saved.status, 200, saved.text);
    await fixture.work();
    return saved.body;
  };
  const credentialsWith = (certificate: string) => {
    const { webhookUser, webhookPassword } = vendor.credentials;
    // As forms paste it: without line breaks.
    const encryptionCertificate = certificate.replaceAll('\n', '');
    return { ...credentials, apiUrl: vendor.url, webhookUser, webhookPassword, encryptionCertificate };
  };
  const addAccount = async (certificate: string): Promise<string> => {
    const routes = [{ payment_method: 'credit_card', country: '*', currency: '*' }];
    const account = { acquirer: 'adyen', name: 'Adyen', credentials: credentialsWith(certificate), routes };
    return (await manage('/v1/acquirer-accounts', account)).id;
  };

  const { stateOf, detailOf } = createBuyers(() => fixture);
  const keyOf = async (link: Link) =>
    (await stateOf(link)).methods.find(({ action }) => action === 'card')?.cardKey ?? assert.fail('There is no key');
  /** The body that the page sends. */
  const encrypted = async (link: Link, { number = NUMBER, key = keyOf(link) } = {}) => {
    const { card_number, card_cvv, card_expiry_month, card_expiry_year, ...payer } = submission(link.reference, number);
    const card = { card_number, card_cvv, card_expiry_month, card_expiry_year };
    return { ...payer, encrypted_card: await encryptCard(card, await key, toMillis(clock.now())) };
  };
  const submitOnPage = async ({ clientToken: token }: Link, body: object) =>
    await fixture.request('/fiat/v1/transaction/submit', { body, token });
  const charges = () => vendor.requests.filter(({ path }) => path === '/payments');

  test('reach the acquirer encrypted; the service receives only the digits that it stores', async () => {
    const link = await createLink(fixture);
    const body = await encrypted(link);
    assert.doesNotMatch(JSON.stringify(body), new RegExp(`${NUMBER}|"123"`));
    const { body: result, text } = await submitOnPage(link, body);
    assert.equal(result.response_type, 'confirmed', text);
    const sent = charges().at(-1)?.body as { paymentMethod: Record<string, string> };
    assert.deepEqual(Object.keys(sent.paymentMethod), [
      ...['type', 'encryptedCardNumber', 'encryptedExpiryMonth', 'encryptedExpiryYear', 'encryptedSecurityCode'],
      'holderName',
    ]);
    const [attempt] = (await detailOf(link)).attempts;
    assert.deepEqual(
      [attempt?.brand, attempt?.first6, attempt?.last4, attempt?.state],
      ['visa', '411111', '1111', 'approved'],
    );
    assert.doesNotMatch(fixture.log(), new RegExp(`${NUMBER}|encryptedCardNumber`));
  });

  test('are not accepted from forms that cannot encrypt', async () => {
    const link = await createLink(fixture);
    const before = charges().length;
    const page = await fixture.request(link.path, { token: null });
    assert.match(page.text, /This page needs JavaScript/);
    assert.doesNotMatch(page.text, /name="do" value="card"/);
    // The sandbox's account accepts cards from the merchant's server.
    const { body } = await fixture.request('/fiat/v1/transaction/submit', {
      body: submission(link.reference, cards.visa),
    });
    assert.equal(body.response_type, 'confirmed');
    assert.equal(charges().length, before);
  });

  test('are never routed to accounts for unencrypted cards', async () => {
    const link = await createLink(fixture);
    const body = await encrypted(link);
    vendor.next('charge', { fault: 'rate_limited' });
    const { body: result } = await submitOnPage(link, body);
    assert.deepEqual([result.response_type, result.decline.code], ['declined', 'acquirer_unavailable']);
    assert.deepEqual(
      (await detailOf(link)).attempts.map(({ state }) => state),
      ['declined'],
    );
    const { account } = await db(fixture.service().database)
      .selectFrom('card_attempts')
      .select('provider as account')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    assert.equal(account, accountId);
  });

  test('are encrypted again after the key has changed', async () => {
    const link = await createLink(fixture);
    const body = await encrypted(link);
    const renewed = createCardEncryption();
    Object.assign(encryption, renewed);
    await manage('/v1/acquirer-account/credentials', {
      id: accountId,
      credentials: credentialsWith(renewed.certificate),
    });
    const outdated = await submitOnPage(link, body);
    assert.deepEqual([outdated.status, outdated.body.code], [409, 'card_key_changed']);
    assert.deepEqual((await detailOf(link)).attempts, []);
    assert.equal((await submitOnPage(link, await encrypted(link))).body.response_type, 'confirmed');
  });

  test('are not retried if the issuer forbids it', async () => {
    const link = await createLink(fixture);
    vendor.next('charge', { outcome: 'declined', code: '5' });
    const first = await submitOnPage(link, await encrypted(link));
    assert.equal(first.body.decline.advice, 'do_not_retry');
    const before = charges().length;
    const again = await submitOnPage(link, await encrypted(link));
    assert.equal(again.body.decline.advice, 'do_not_retry');
    assert.equal(charges().length, before, 'the stored decline is the response');
    assert.equal(
      (await submitOnPage(link, await encrypted(link, { number: cards.mastercard }))).body.response_type,
      'confirmed',
    );
  });

  test('are submitted instead of the card, and only by pages', async () => {
    const link = await createLink(fixture);
    const body = await encrypted(link);
    const codes = async (sent: object, token?: string) => {
      const { body: result } = await fixture.request('/fiat/v1/transaction/submit', {
        body: sent,
        ...(token && { token }),
      });
      return (result.errors ?? []).map(({ pointer, code }: { pointer: string; code: string }) => `${pointer} ${code}`);
    };
    const { encrypted_card: card, ...payer } = body;
    assert.deepEqual(await codes({ ...body, card_number: NUMBER }, link.clientToken), ['/card_number unencrypted']);
    assert.deepEqual(await codes(payer, link.clientToken), [
      ...['/card_number required', '/card_expiry_month required', '/card_expiry_year required', '/card_cvv required'],
    ]);
    const raw = { ...card, number: NUMBER };
    assert.ok(
      (await codes({ ...payer, encrypted_card: raw }, link.clientToken))[0]?.startsWith('/encrypted_card/number'),
    );
    assert.ok((await codes(body)).some((problem: string) => problem.startsWith('/encrypted_card')));
  });

  test('the limit per card counts for one merchant, since the browser chooses the digits', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    const routes = [{ payment_method: 'credit_card', country: '*', currency: '*' }];
    const account = { acquirer: 'adyen', name: 'Other', credentials: credentialsWith(encryption.certificate), routes };
    const added = await fixture.request('/v1/acquirer-accounts', { body: account, token: other.managerToken });
    assert.equal(added.status, 200, added.text);
    await fixture.work();
    const pay = async (token = fixture.merchant.token) => {
      const body = creation();
      const { body: created } = await fixture.request('/fiat/v1/transaction', { body, token });
      const { link: url } = created.value;
      const path = new URL(url).pathname;
      const { body: state } = await fixture.request(`${path}/state`, { token: null });
      const link = { reference: body.transaction_id, path, link: url, clientToken: state.clientToken };
      return (await submitOnPage(link, await encrypted(link, { number: cards.amex }))).status;
    };
    for (let index = 0; index < 10; index += 1) assert.equal(await pay(), 200);
    assert.equal(await pay(), 429);
    assert.equal(await pay(other.token), 200);
  });

  test('need a certificate with an RSA key that has not expired', async () => {
    const check = async (certificate: string) =>
      await fixture.request('/v1/acquirers/check', {
        body: { acquirer: 'adyen', credentials: credentialsWith(certificate) },
        token: fixture.merchant.managerToken,
      });
    const { body } = await check('not a certificate');
    assert.equal(body.errors[0].pointer, '/credentials/encryptionCertificate');
    const short = await check(createCardEncryption(1024).certificate);
    assert.equal(short.body.errors[0].detail, 'must be an X.509 certificate with an RSA key of at least 2048 bits');
    assert.equal((await check(encryption.certificate)).body.result, 'ok');
    const { text: audited } = await fixture.request('/v1/audit-log', { token: fixture.merchant.managerToken });
    assert.ok(audited.includes(new X509Certificate(encryption.certificate).fingerprint256));
    assert.ok(!audited.includes('BEGIN CERTIFICATE'));
    clock.advance(11 * 366 * 24 * 60 * MINUTE);
    const expired = await check(encryption.certificate);
    assert.deepEqual(expired.body, {
      result: 'failed',
      detail: 'The card encryption certificate has expired. Download a new one.',
    });
  });
});
