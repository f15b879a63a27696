import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import type { RefundOutcome } from '../../src/acquirers/refund.ts';
import { HOUR } from '../../src/shared/time.ts';
import { changeAccounts, changePush } from '../support/acquirer-accounts.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { createLink } from '../support/requests.ts';
import { type Browser, openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { openEndpoint } from '../support/webhook-endpoint.ts';
import { external } from '../support/withdrawals.ts';

describe('emails to members', () => {
  let fixture: Fixture;
  let mail: MailServer;
  let owner: Browser & { id: number; email: string };
  let viewer: Browser & { id: number; email: string };
  before(async () => {
    mail = await openMailServer();
    fixture = await openFixture({ env: { ...mail.env, WITHDRAWAL_DESTINATION_DELAY_HOURS: '24' } });
    owner = await signedIn(fixture, 'owner');
    viewer = await signedIn(fixture, 'viewer');
    const other = await fixture.makeMerchant('Other');
    await signedIn(fixture, 'owner', { merchant: other.id });
    await fixture.work();
    const enabled = {
      payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }],
    };
    await fixture.request('/fiat/v1/merchant/payment-methods', {
      ...{ method: 'PATCH', body: enabled, token: fixture.merchant.managerToken },
    });
  });
  beforeEach(() => {
    mail.received.length = 0;
  });
  after(async () => {
    await fixture.close();
    await mail.close();
  });

  const recipients = () => mail.received.map(({ to }) => to.join()).sort();
  const only = () => {
    assert.equal(mail.received.length, 1, JSON.stringify(mail.received.map(({ message }) => message.subject)));
    const [received] = mail.received;
    if (!received) throw new Error('No email');
    return received;
  };
  const { startPayment, simulate, merchantAction } = createBuyers(() => fixture);
  const payByQrCode = async (action: 'overpay' | 'underpay', fields: Record<string, unknown> = {}) => {
    const link = await createLink(fixture, {
      ...{ payment_method: 'qr_code', amount: 1250, country: 'THA', currency: 'THB', ...fields },
    });
    await simulate(await startPayment(link, 'qr_code'), action);
    await fixture.work();
    return link;
  };
  const overpay = async () => await payByQrCode('overpay');

  test('an invitation contains its link, in the language of the inviting browser', async () => {
    const invited = await owner.request('/v1/people/invite', {
      ...{ body: { email: 'new@shop.example', role: 'operator' } },
      headers: { 'accept-language': 'de-AT,de;q=0.9,en;q=0.8' },
    });
    assert.equal(invited.body.is_emailed, true);
    // The database contains no secret of a link, not even while the email waits.
    const { sql } = await import('kysely');
    const stored = await sql<{ content: string }>`select content from mails where kind = 'invitation'`.execute(
      fixture.service().database.query,
    );
    const secret = new URL(invited.body.link).hash.slice(1);
    assert.equal(stored.rows.length, 1);
    for (const { content } of stored.rows) assert.doesNotMatch(content ?? '', new RegExp(secret));
    await fixture.work();
    const { to, message } = only();
    assert.deepEqual(to, ['new@shop.example']);
    assert.equal(message.subject, 'Sie sind zu Kettle & Co eingeladen');
    assert.ok(message.text?.includes(invited.body.link));
    assert.equal(message.from?.name, 'Paylatch');
    assert.equal(
      message.headers.some(({ key }) => key === 'list-unsubscribe'),
      false,
    );
  });

  test('a payment that needs review is reported to reviewers, at most once an hour', async () => {
    await overpay();
    await overpay();
    assert.deepEqual(recipients(), [owner.email]);
    assert.match(mail.received[0]?.message.text ?? '', /\/account\/\d+\/reviews/);
    await fixture.advance(HOUR);
    await overpay();
    assert.equal(mail.received.length, 2);
  });

  test('a rejected payment is reported to reviewers again when its refund fails', async () => {
    await fixture.advance(HOUR);
    const link = await overpay();
    let outcome: RefundOutcome = { kind: 'pending' };
    const restore = changePush(fixture.service(), (push) => ({ ...push, refund: () => Promise.resolve(outcome) }));
    assert.equal((await merchantAction(link, 'reject')).status, 200);
    await fixture.advance(HOUR);
    mail.received.length = 0;
    outcome = { kind: 'refused', code: 'account_closed', detail: 'The account is closed.' };
    await fixture.advance(HOUR);
    restore();
    assert.deepEqual(recipients(), [owner.email]);
    assert.ok(only().message.text?.includes(link.reference));
  });

  test('a partial payment whose rest no account accepts is reported to reviewers instead of the payer', async () => {
    await fixture.advance(HOUR);
    const restore = changeAccounts(fixture.service(), (account) => ({
      ...account,
      capabilities: account.capabilities.map((capability) => ({ ...capability, minimum: { THB: 20_000n } })),
    }));
    const link = await payByQrCode('underpay', { payer: { email: 'ada@example.com' } });
    restore();
    assert.deepEqual(recipients(), [owner.email]);
    assert.ok(only().message.text?.includes(link.reference));
  });

  test('a crypto payment of a link that awaits approval is reported to reviewers', async () => {
    await fixture.advance(HOUR);
    await enableEveryMethod(fixture, fixture.merchant);
    const { chain, mine, prefer } = invoicesOf(() => fixture);
    await prefer({ 'new-tx-manual-approve': true });
    const link = await createLink(fixture, { amount: 20 });
    const { instructions } = await startPayment(link, 'crypto_payment', 'btc');
    assert.ok(instructions.action === 'crypto');
    await chain().pay({ address: instructions.address, code: 'btc', amount: 20409n });
    await mine();
    assert.deepEqual(recipients(), [owner.email]);
    assert.ok(only().message.text?.includes(link.reference));
    await prefer({ 'new-tx-manual-approve': null });
  });

  test('the link in a notification turns it off, without a sign-in, and the profile on again', async () => {
    await fixture.advance(HOUR);
    await overpay();
    const { message } = only();
    const header = (name: string) => message.headers.find(({ key }) => key === name)?.value ?? '';
    assert.equal(header('list-unsubscribe-post'), 'List-Unsubscribe=One-Click');
    const url = new URL(/<([^>]+)>/.exec(header('list-unsubscribe'))?.[1] ?? '');
    assert.ok(message.text?.includes(url.href));
    const anonymous = { token: null, headers: { 'content-type': 'application/x-www-form-urlencoded' } };
    // Opening the link changes nothing: scanners do so too.
    assert.equal((await fixture.request(url.pathname, { token: null })).status, 200);
    const { kinds } = (await owner.request('/account/notifications')).body;
    assert.ok(kinds.length > 0);
    assert.ok(kinds.every((each: { is_on: boolean }) => each.is_on));
    for (const forged of [
      url.pathname.replace('review_waiting', 'endpoint_disabled'),
      `${url.pathname.slice(0, -1)}!`,
    ]) {
      const refused = await fixture.request(forged, { method: 'POST', ...anonymous });
      assert.equal(refused.status, 404, forged);
    }
    const done = await fixture.request(url.pathname, { ...anonymous, body: 'List-Unsubscribe=One-Click' });
    assert.equal(done.status, 200);
    await fixture.advance(HOUR);
    await overpay();
    assert.equal(mail.received.length, 1);
    const turnedOn = await owner.request('/account/notifications', { body: { kind: 'review_waiting', is_on: true } });
    assert.deepEqual(turnedOn.body, {
      is_set_up: true,
      kinds: [
        { kind: 'review_waiting', is_on: true },
        { kind: 'endpoint_disabled', is_on: true },
      ],
    });
    await fixture.advance(HOUR);
    await overpay();
    assert.equal(mail.received.length, 2);
  });

  test('a disabled webhook endpoint is reported, without the path of its URL', async () => {
    const endpoint = await openEndpoint();
    endpoint.respond = () => 410;
    await fixture.request('/v1/merchant/preferences', {
      ...{ method: 'PATCH', body: { key: 'callback-url', value: endpoint.url } },
    });
    await fixture.request('/v1/callbacks/test', { body: {} });
    const { reference } = await createLink(fixture);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    await fixture.work();
    await endpoint.close();
    const { to, message } = only();
    assert.deepEqual(to, [owner.email]);
    assert.equal(message.subject, 'Kettle & Co: webhook endpoint disabled');
    assert.ok(message.text?.includes(new URL(endpoint.url).origin));
    assert.doesNotMatch(message.text ?? '', /\/callbacks/);
  });

  test('a changed withdrawal address is reported to owners, and cannot be turned off', async () => {
    const changed = await owner.request('/v1/merchant/preferences', {
      ...{ method: 'PATCH', body: { key: 'auto-withdrawal-destination-btc', value: external.bitcoin } },
    });
    assert.equal(changed.status, 200, changed.text);
    await fixture.work();
    const { to, message } = only();
    assert.deepEqual(to, [owner.email]);
    assert.equal(message.subject, 'Kettle & Co: Bitcoin withdrawal address changed');
    assert.ok(message.text?.includes(external.bitcoin));
    assert.match(message.text ?? '', /Takes effect: /);
    assert.equal(
      message.headers.some(({ key }) => key === 'list-unsubscribe'),
      false,
    );
    const refused = await owner.request('/account/notifications', {
      body: { kind: 'destination_changed', is_on: false },
    });
    assert.equal(refused.status, 422);
  });

  test('a sign-in with another browser is reported, in its language', async () => {
    const signIn = async (headers: Record<string, string>) => {
      const browser = openBrowser(fixture);
      const body = { email: viewer.email, password: PASSWORD };
      assert.equal((await browser.request('/account/sign-in/password', { body, headers })).status, 200);
      await fixture.work();
    };
    const firefox = (version: number) => ({
      'user-agent': `Mozilla/5.0 (X11; Linux x86_64; rv:${version}.0) Gecko/20100101 Firefox/${version}.0`,
      'accept-language': 'fr-FR',
    });
    await signIn({});
    assert.equal(mail.received.length, 0);
    await signIn(firefox(140));
    const { to, message } = only();
    assert.deepEqual(to, [viewer.email]);
    assert.equal(message.subject, 'Nouvelle connexion à votre compte');
    assert.match(message.text ?? '', /Firefox, Linux/);
    assert.match(message.text ?? '', /127\.0\.0\.1/);
    // An update of the same browser is the same device.
    await signIn(firefox(141));
    assert.equal(mail.received.length, 1);
    // No merchant sees it: it concerns the user's account.
    const listed = await fixture.request('/v1/emails?per_page=100');
    assert.ok(listed.body.emails.length > 0);
    assert.ok(listed.body.emails.every((each: { kind: string }) => each.kind !== 'new_sign_in'));
  });

  test('previews are shown to members, in a frame without scripts', async () => {
    const open = async (query: string, browser: Browser, headers: Record<string, string> = {}) =>
      await browser.request(`/email-preview?${query}`, { merchant: fixture.merchant.id, headers });
    const shown = await open('kind=receipt&locale=ar&scheme=dark', viewer, { 'sec-fetch-dest': 'iframe' });
    assert.equal(shown.status, 200);
    assert.match(shown.text, /<html lang="ar-EG" dir="rtl">/);
    assert.match(shown.headers.get('content-security-policy') ?? '', /default-src 'none'.*sandbox$/);
    assert.equal((await open('kind=receipt', viewer, { 'sec-fetch-dest': 'document' })).status, 403);
    assert.equal((await open('kind=other', viewer)).status, 422);
    assert.equal((await open('kind=receipt', openBrowser(fixture))).status, 401);
  });

  test('addresses of members and invited users are listed unmasked only with the scope `team:manage`', async () => {
    const listed = async (browser: Browser): Promise<string[]> => {
      const { body } = await browser.request('/v1/emails?per_page=100', { merchant: fixture.merchant.id });
      return body.emails.map(({ recipient }: { recipient: string }) => recipient);
    };
    assert.ok((await listed(owner)).includes('new@shop.example'));
    for (const browser of [viewer, await signedIn(fixture, 'operator')]) {
      const recipients = await listed(browser);
      assert.deepEqual([...new Set(recipients)].sort(), ['n•••@shop.example', 'o•••@shop.example']);
    }
  });
});
