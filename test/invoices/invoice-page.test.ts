// Databases: sqlite
import assert from 'node:assert/strict';
import { after, afterEach, before, beforeEach, describe, test } from 'node:test';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import type { InvoicePageState } from '../../src/api/invoice-page.ts';
import { MINUTE, SECOND } from '../../src/shared/time.ts';
import { lastBlockTopic } from '../../src/chains/cursor.ts';
import { createLastHeights } from '../../src/chains/last-heights.ts';
import { type InvoicePageRecords, readPageRecords } from '../../src/invoices/page-records.ts';
import { buildPageState } from '../../src/invoices/page-state.ts';
import { onSqlite, testEngine } from '../support/databases.ts';
import { type EventReader, openEvents } from '../support/event-source.ts';
import { invoicesOf } from '../support/invoices.ts';
import { readProblem } from '../support/problems.ts';
import { external } from '../support/withdrawals.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';

const pathOf = ({ link }: CryptoTransaction) => new URL(link.payment).pathname;

/** Fetches the page of an invoice as a payer's browser does. */
function pagesOf(fixture: () => Fixture) {
  const sendRequest = async (path: string, headers: Record<string, string> = {}) =>
    await fixture().request(path, { token: null, headers });
  return {
    sendRequest,
    /** Visible text, without styles, script data and markup. */
    page: async (invoice: CryptoTransaction, headers: Record<string, string> = {}) => {
      const response = await sendRequest(pathOf(invoice), { accept: 'text/html', ...headers });
      const [, body = ''] = /<body>(.*)<script type="application\/json"/s.exec(response.text) ?? [];
      const said = body.replaceAll(/<[^>]+>/g, ' ').replaceAll(/\s+/g, ' ');
      assert.doesNotMatch(
        said,
        /\b(?:page|time|phases|instructions|details|copy|sent|invoice)\.[a-z_]+/,
        'a text is missing',
      );
      return { ...response, said };
    },
    state: async (invoice: CryptoTransaction, headers: Record<string, string> = {}) => {
      const { status, body, text } = await sendRequest(`${pathOf(invoice)}/state`, headers);
      assert.equal(status, 200, text);
      return body as InvoicePageState;
    },
  };
}

describe('the invoice page', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  beforeEach(async () => {
    fixture.merchant = await fixture.makeMerchant('Kettle & Co');
  });
  after(async () => await fixture.close());
  const { chain, create, get, pay, mine, review, prefer } = invoicesOf(() => fixture);
  const { sendRequest, page, state } = pagesOf(() => fixture);

  onSqlite('shows merchant, amount, address and deadline', async () => {
    await prefer({ 'brand-name': 'Kettle', 'brand-color': '#5b2a86', 'min-confirmation-btc': 3 });
    const invoice = await create();
    const pageState = await state(invoice);
    assert.match((await page(invoice)).said, /≈ \$147\.00 · \u20661\sBTC\u2069 = \$98,000/u);
    assert.deepEqual(pageState, {
      phase: 'ready',
      reference: invoice.txId,
      description: null,
      merchant: {
        ...{ name: 'Kettle', color: '#5b2a86', logoUrl: null },
        ...{ contact: null, termsUrl: null, privacyUrl: null },
      },
      coin: { code: 'btc', name: 'Bitcoin', network: 'Bitcoin (simulated)' },
      acceptsAnyAmount: false,
      amount: '0.0015',
      fiatEquivalent: { value: '147.00', currency: 'USD', rate: '98000' },
      paymentUri: { address: invoice.walletAddress, uri: invoice.uri },
      received: null,
      remaining: null,
      reviewReason: null,
      confirmations: null,
      transactions: [],
      paidAt: null,
      returnUrl: null,
      isReplaced: false,
      serverTime: pageState.serverTime,
      createdAt: invoice.createdAt,
      expiresAt: invoice.expiredAt,
      payerCountry: null,
      pollAfterMs: 5000,
      sandbox: true,
      simulatorUrl: `${fixture.url}/sandbox/chain/${invoice.id}`,
    } satisfies InvoicePageState);
    const { status, text, headers } = await page(invoice);
    assert.equal(status, 200);
    assert.match(text, /<title>Pay [^<]*0\.0015[^<]*BTC[^<]* to Kettle<\/title>/);
    assert.ok(text.includes(`href="${invoice.uri}"`), 'the page links to a wallet app');
    assert.match(text, /<svg[^>]*role="img" aria-label="QR code for BTC"/);
    assert.match(text, /<h1[^>]* data-length="short"/, 'hidden text does not reduce the font size of the amount');
    for (const said of [invoice.walletAddress, '$147.00', 'Bitcoin (simulated)', 'left', '--accent:#5b2a86'])
      assert.ok(text.includes(said), said);
    const policy = headers.get('content-security-policy') ?? '';
    assert.match(policy, /^default-src 'none'/);
    assert.match(policy, /script-src 'self';/);
    assert.match(policy, /frame-ancestors 'none'/);
    assert.match(headers.get('cache-control') ?? '', /no-store/);
  });

  test('shows confirmations until the invoice is paid', async () => {
    const invoice = await create();
    await pay(invoice);
    await fixture.work();
    const current = await state(invoice);
    assert.deepEqual(
      [current.phase, current.confirmations, current.paymentUri],
      ['seen', { seen: 0, needed: 2 }, null],
    );
    assert.match((await page(invoice)).said, /Waiting for the first confirmation on Bitcoin/);
    await mine();
    assert.deepEqual((await state(invoice)).confirmations, { seen: 1, needed: 2 });
    assert.match((await page(invoice)).said, /1 of 2 confirmations/);
    await mine();
    const paid = await state(invoice);
    assert.deepEqual([paid.phase, paid.confirmations, paid.pollAfterMs], ['paid', null, null]);
    const { status, said, text } = await page(invoice);
    assert.equal(status, 410);
    assert.match(said, /Payment received\s+Thank you\. You&#39;re all set\./);
    assert.doesNotMatch(said, /return to/, 'the invoice has no return URL');
    assert.ok(!text.includes(invoice.walletAddress), 'the address is no longer shown');
  });

  onSqlite('shows a review, the missing amount and the contact', async () => {
    const [less, more, late] = [await create(), await create(), await create()];
    await pay(less, 100_000n);
    await pay(more, 200_000n);
    await fixture.work();
    await fixture.advance(31 * MINUTE);
    await pay(late);
    await mine();
    await prefer({ 'new-tx-manual-approve': true });
    const checked = await create();
    await pay(checked);
    await fixture.work();
    for (const [invoice, reviewReason, received, missing, words] of [
      [less, 'underpaid', '0.001', '0.0005', /short\)\. Kettle &amp; Co will review your payment\. Contact them/],
      [more, 'overpaid', '0.002', null, /You paid too much/],
      [late, 'late', '0.0015', null, /arrived late/],
      [checked, 'manual_approval', '0.0015', null, /Kettle &amp; Co is reviewing your payment/],
    ] as const) {
      const pageState = await state(invoice);
      assert.deepEqual(
        [pageState.phase, pageState.reviewReason, pageState.received, pageState.remaining, pageState.paymentUri],
        ['review', reviewReason, received, missing, null],
      );
      const { status, said } = await page(invoice);
      assert.equal(status, 200);
      assert.match(said, words);
    }
  });

  onSqlite('shows what is paid for, how much of it arrived, the transaction and a way back', async () => {
    const order = { description: 'Two <b>cups</b>', returnUrl: 'https://shop.example/orders/7' };
    const [paid, less] = [await create(order), await create(order)];
    const opened = await page(paid);
    assert.match(opened.said, /Two &lt;b&gt;cups&lt;\/b&gt;/);
    assert.match(opened.text, /<a class="back-link" href="https:\/\/shop\.example\/orders\/7">/);
    const txHash = await pay(paid);
    await pay(less, 100_000n);
    await mine();
    await mine();

    const { phase, transactions, paidAt, returnUrl } = await state(paid);
    assert.deepEqual([phase, transactions], ['paid', [{ hash: txHash, url: null }]]);
    assert.ok(paidAt !== null && paidAt >= paid.createdAt);
    assert.equal(returnUrl, order.returnUrl);
    const receipt = await page(paid);
    assert.match(receipt.text, /<a class="button button-main" href="https:\/\/shop\.example\/orders\/7">/);
    assert.ok(receipt.text.includes(txHash.slice(6, -6)), 'the receipt names the transaction');
    assert.match((await page(less)).text, /<progress[^>]* max="0\.0015" value="0\.001"[^>]* aria-label="Received"/);

    const { status } = await fixture.request('/v1/transaction/invoice', {
      body: { txId: 'script', code: 'btc', amount: '150000', type: 'revolver', returnUrl: 'javascript:alert(1)' },
    });
    assert.equal(status, 422);
  });

  onSqlite('shows the result of a review', async () => {
    const [accepted, refused, returned] = [await create(), await create(), await create()];
    for (const invoice of [accepted, refused, returned]) await pay(invoice, 100_000n);
    await mine();
    await review('approve', accepted);
    await review('reject', refused);
    await review('reject', returned, { refundAddress: external.bitcoin });
    await mine();
    const phaseOf = async (invoice: CryptoTransaction) => {
      const { phase, received, pollAfterMs } = await state(invoice);
      return [phase, received, pollAfterMs, (await page(invoice)).status];
    };
    assert.deepEqual(await phaseOf(accepted), ['paid', '0.001', null, 410]);
    assert.deepEqual(await phaseOf(refused), ['rejected', '0.001', null, 410]);
    assert.deepEqual(await phaseOf(returned), ['refunding', '0.001', 15_000, 200]);
    assert.match((await page(returned)).said, /refund is on its way/);
    const reading = await readPageRecords(fixture.service().database, returned.id, null);
    assert.ok(reading);
    const completed: InvoicePageRecords = {
      ...reading,
      transaction: { ...reading.transaction, status: 'refunded', rejection: 'refunded' },
    };
    const { phase, pollAfterMs } = buildPageState(fixture.service().invoices.context, completed, null);
    assert.deepEqual([phase, pollAfterMs], ['refunded', null]);
  });

  onSqlite('shows that a payment was replaced, and the address to pay again', async () => {
    const invoice = await create();
    const txHash = await pay(invoice);
    await fixture.work();
    await chain().replace(txHash);
    await fixture.work();
    const pageState = await state(invoice);
    assert.deepEqual([pageState.phase, pageState.isReplaced, pageState.received], ['ready', true, null]);
    assert.ok(pageState.paymentUri);
    assert.match((await page(invoice)).said, /Transaction replaced/);
    // A replacement of the same amount is not shown.
    const second = await pay(invoice);
    await fixture.work();
    await chain().replace(second, { address: invoice.walletAddress, code: 'btc', amount: 150_000n });
    await fixture.work();
    assert.deepEqual([(await state(invoice)).phase, (await state(invoice)).isReplaced], ['seen', false]);
  });

  onSqlite('expires at its deadline without a visit, and shows late deposits', async () => {
    const invoice = await create();
    fixture.clock.advance(30 * MINUTE);
    const pageState = await state(invoice);
    assert.deepEqual([pageState.phase, pageState.paymentUri, pageState.pollAfterMs], ['expired', null, 15_000]);
    await fixture.work();
    const { status, said, text } = await page(invoice);
    assert.equal(status, 410);
    assert.match(said, /This link has expired/);
    assert.ok(!text.includes(invoice.walletAddress));
    await pay(invoice);
    await fixture.work();
    assert.equal((await state(invoice)).reviewReason, 'late');
  });

  onSqlite('of a user’s wallet accepts any amount repeatedly while the wallet serves', async () => {
    await prefer({ 'min-amount-btc': '1000' });
    const invoice = await create({ type: 'user', amount: '150000' });
    const ready = await state(invoice);
    assert.deepEqual(
      [ready.phase, ready.acceptsAnyAmount, ready.amount, ready.fiatEquivalent, ready.expiresAt],
      ['ready', true, null, null, null],
    );
    assert.equal(ready.paymentUri?.uri, `bitcoin:${invoice.walletAddress}`);
    const { said } = await page(invoice);
    assert.match(said, /Any amount/);
    assert.doesNotMatch(said, / left|0\.0015/);
    await pay(invoice, 70_000n);
    await mine();
    const current = await state(invoice);
    assert.deepEqual([current.phase, current.received, current.paymentUri], ['seen', '0.0007', ready.paymentUri]);
    assert.doesNotMatch((await page(invoice)).said, /Don&#39;t pay again/);
    await mine();
    const paid = await state(invoice);
    assert.deepEqual([paid.phase, paid.paymentUri, paid.pollAfterMs], ['paid', ready.paymentUri, 15_000]);
    assert.equal((await page(invoice)).status, 200);
    fixture.clock.advance(MINUTE);
    await create({ type: 'user', txId: invoice.txId ?? '', amount: '200000' });
    await pay(invoice, 500n);
    await fixture.work();
    const later = await state(invoice);
    assert.deepEqual(
      [later.phase, later.paidAt],
      ['paid', paid.paidAt],
      'later changes do not move the time of payment',
    );
    await prefer({ 'new-tx-manual-approve': true });
    await pay(invoice, 5000n);
    await fixture.work();
    assert.equal((await state(invoice)).reviewReason, 'manual_approval');
    assert.equal((await review('approve', invoice)).status, 200);
    // A deposit to a retired wallet would be unattributed.
    const reading = await readPageRecords(fixture.service().database, invoice.id, null);
    assert.ok(reading);
    const retired: InvoicePageRecords = { ...reading, wallet: { ...reading.wallet, state: 'retired' } };
    assert.equal(buildPageState(fixture.service().invoices.context, retired, null).paymentUri, null);
  });

  onSqlite('of an unattributed deposit explains how it is handled', async () => {
    const invoice = await create();
    await pay(invoice);
    const again = await pay(invoice);
    await fixture.work();
    const { body } = await fixture.request('/v1/transactions?status=approved_required');
    const other = body.transactions[0] as CryptoTransaction;
    const pageState = await state(other);
    assert.deepEqual(
      [
        pageState.phase,
        pageState.reference,
        pageState.amount,
        pageState.received,
        pageState.reviewReason,
        pageState.paymentUri,
      ],
      ['review', null, null, '0.0015', 'manual_approval', null],
    );
    await chain().evict(again);
    await fixture.work();
    assert.equal((await state(other)).phase, 'dropped');
    const { status, said } = await page(other);
    assert.equal(status, 410);
    assert.match(said, /Transaction replaced/);
  });

  onSqlite('contains nothing internal to the merchant', async () => {
    await prefer({ 'processing-fee-btc': 7.31, 'payment-tolerance-percent-btc': 8.67 });
    const secrets = ['secret-comment', 'secret-reason', 'secret refund'];
    const invoice = await create({ comment: secrets[0] });
    await pay(invoice, 100_000n);
    await mine();
    const refundAddress = external.bitcoin;
    const before = [(await page(invoice)).text, JSON.stringify(await state(invoice))];
    await review('reject', invoice, { reason: secrets[1], refundAddress });
    const { decision, processingFeePercent } = await get(invoice);
    assert.ok(decision && processingFeePercent === 7.31);
    const reader = await openEvents(`${fixture.url}${pathOf(invoice)}/events`);
    const pageState = [
      ...before,
      (await page(invoice)).text,
      JSON.stringify(await state(invoice)),
      (await reader.next('state')).data,
    ];
    reader.close();
    for (const text of pageState)
      for (const secret of [...secrets, refundAddress, decision.by, '7.31', '8.67', 'secret'])
        assert.ok(!text.includes(secret), secret);
  });

  onSqlite('uses the payer’s language, or the one in the URL', async () => {
    const invoice = await create({ code: 'eth', amount: '46666666666666667' });
    const arabic = await page(invoice, { 'accept-language': 'ar' });
    assert.match(arabic.text, /<html lang="ar[^"]*" dir="rtl">/);
    assert.match(arabic.said, /عبر الشبكة/);
    assert.ok(arabic.said.includes('0.046666666666666667'), 'no digit is lost');
    const german = await sendRequest(`${pathOf(invoice)}?locale=de`, { 'accept-language': 'ar' });
    assert.match(german.text, /<html lang="de-DE"/);
    const texts = await sendRequest('/texts/invoice/ja');
    assert.equal(texts.body.direction, 'ltr');
    assert.ok(texts.body.texts['invoice.unconfirmed']);
    assert.equal(texts.body.texts['fields.card_number'], undefined);
  });

  onSqlite('that does not exist is a not-found page, and a problem for programs', async () => {
    for (const path of [`/i/${'x'.repeat(27)}`, '/i/x', '/i/%00']) {
      const { status, text } = await sendRequest(path, { accept: 'text/html' });
      assert.equal(status, 404, path);
      assert.match(text, /There is no payment at this address/);
      assert.doesNotMatch(text, /Reload/);
      for (const below of ['', '/state', '/events']) {
        const response = await sendRequest(path + below);
        assert.equal(readProblem(response, path + below).code, 'not_found');
      }
    }
  });
});

describe('geo restriction of the invoice page', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture({ env: { TRUSTED_PROXIES: 'loopback', LIMIT_PAGE_PER_MINUTE: '30' } });
    await fixture.work();
  });
  after(async () => await fixture.close());
  const { create, pay, prefer } = invoicesOf(() => fixture);
  const { page, state } = pagesOf(() => fixture);
  const from = (address: string) => ({ 'x-forwarded-for': address });
  const thailand = from('1.0.128.1');

  onSqlite('a restricted country gets no address, but sees the state of a payment', async () => {
    await prefer({ 'restricted-country-list': '["TH"]' });
    const [invoice, paid, user] = [await create(), await create(), await create({ type: 'user' })];
    await pay(paid);
    await pay(user, 1000n);
    await fixture.work();
    const pageState = await state(invoice, thailand);
    assert.deepEqual(
      [pageState.phase, pageState.paymentUri, pageState.payerCountry, pageState.pollAfterMs],
      ['restricted', null, 'TH', null],
    );
    const { status, said, text } = await page(invoice, thailand);
    assert.equal(status, 403);
    assert.match(said, /Your country is not supported .*Detected country: Thailand\./);
    assert.match(text, /<a class="button" href="">Reload/);
    assert.ok(!text.includes(invoice.walletAddress));
    assert.equal((await state(paid, thailand)).phase, 'seen');
    const ofUser = await state(user, thailand);
    assert.deepEqual([ofUser.phase, ofUser.paymentUri], ['seen', null]);
    const elsewhere = await state(invoice, from('8.8.8.8'));
    assert.deepEqual([elsewhere.phase, elsewhere.payerCountry], ['ready', 'US']);
    await prefer({ 'restricted-country-list': null, 'unknown-country': 'refuse' });
    assert.equal((await state(invoice, from('10.1.1.1'))).phase, 'restricted');
    await prefer({ 'unknown-country': null });
  });

  onSqlite('pages per IP address are limited', async () => {
    const invoice = await create();
    const statuses = [];
    for (let index = 0; index < 32; index += 1) statuses.push((await page(invoice, from('9.9.9.9'))).status);
    assert.deepEqual([statuses[0], statuses.at(-1)], [200, 429]);
    // The state remains visible.
    assert.equal((await state(invoice, from('9.9.9.9'))).phase, 'ready');
  });
});

describe('live updates of the invoice page', () => {
  let fixture: Fixture;
  const opened: EventReader[] = [];
  before(async () => {
    fixture = await openFixture();
    await fixture.work();
  });
  beforeEach(async () => {
    fixture.merchant = await fixture.makeMerchant('Kettle & Co');
  });
  afterEach(() => {
    for (const reader of opened.splice(0)) reader.close();
  });
  after(async () => await fixture.close());
  const { chain, create, pay, mine, review } = invoicesOf(() => fixture);

  const follow = async (invoice: CryptoTransaction) => {
    const reader = await openEvents(`${fixture.url}${pathOf(invoice)}/events`);
    opened.push(reader);
    assert.equal(reader.status, 200, reader.text);
    return reader;
  };
  const next = async (reader: EventReader) => {
    const { phase, confirmations } = JSON.parse((await reader.next('state')).data) as InvoicePageState;
    return confirmations ? `${phase} ${confirmations.seen}/${confirmations.needed}` : phase;
  };
  const pageState = (reader: EventReader) => reader.received().match(/^event: state$/gm)?.length ?? 0;

  test('send each confirmation and the final state, then close', async () => {
    const invoice = await create({ code: 'eth', amount: '1000000000000000' });
    const reader = await follow(invoice);
    assert.equal(await next(reader), 'ready');
    await pay(invoice);
    await mine(1, 'ethereum');
    assert.equal(await next(reader), 'seen 1/12');
    for (const current of [2, 3, 4]) {
      await mine(1, 'ethereum');
      assert.equal(await next(reader), `seen ${current}/12`);
    }
    await mine(20, 'ethereum');
    assert.equal(await next(reader), 'paid');
    await reader.ended();
  });

  onSqlite('report a mined deposit although the status stays the same', async () => {
    const invoice = await create();
    await pay(invoice);
    await fixture.work();
    const reader = await follow(invoice);
    assert.equal(await next(reader), 'seen 0/2');
    await mine();
    assert.equal(await next(reader), 'seen 1/2');
  });

  onSqlite('send confirmations during a review, and its result', async () => {
    const invoice = await create();
    await pay(invoice, 1n);
    await mine();
    const reader = await follow(invoice);
    assert.equal(await next(reader), 'review 1/2');
    await mine();
    assert.equal(await next(reader), 'review 2/2');
    await review('reject', invoice);
    assert.equal(await next(reader), 'rejected');
    await reader.ended();
  });

  onSqlite('report orphaned blocks and dropped deposits', async () => {
    const invoice = await create({ code: 'eth', amount: '1000000000000000' });
    const txHash = await pay(invoice);
    await mine(3, 'ethereum');
    const reader = await follow(invoice);
    assert.equal(await next(reader), 'seen 3/12');
    await chain('ethereum').reorg(3, { drop: [txHash] });
    await fixture.work();
    let state = await next(reader);
    while (state.startsWith('seen')) state = await next(reader);
    assert.equal(state, 'ready');
  });

  onSqlite('send no blocks to pages without pending confirmations', async () => {
    const [fresh, other] = [await create(), await create({ code: 'eth', amount: '1000000000000000' })];
    await pay(other);
    await mine(1, 'ethereum');
    const readers = [await follow(fresh), await follow(other)];
    for (const reader of readers) await next(reader);
    // Neither blocks of its own chain, without pending deposits, nor of another.
    await mine(3);
    await mine(1, 'ethereum');
    assert.equal(await next(readers[1] as EventReader), 'seen 2/12');
    await fixture.advance(26 * SECOND);
    await readers[0]?.next('beat');
    assert.deepEqual(readers.map(pageState), [1, 2]);
  });

  onSqlite('report the expiry without a change, and late deposits', async () => {
    const invoice = await create();
    const reader = await follow(invoice);
    assert.equal(await next(reader), 'ready');
    await fixture.advance(29 * MINUTE);
    // Streams last ten minutes: the page reconnects.
    const again = await follow(invoice);
    assert.equal(await next(again), 'ready');
    await fixture.advance(MINUTE);
    assert.equal(await next(again), 'expired');
    await pay(invoice);
    await fixture.work();
    assert.equal(await next(again), 'review 0/2');
  });

  onSqlite('continue for a user’s wallet, and close immediately in a final state', async () => {
    const user = await create({ type: 'user' });
    await pay(user, 5000n);
    await mine(2);
    const reader = await follow(user);
    assert.equal(await next(reader), 'paid');
    await pay(user, 5000n);
    await fixture.work();
    assert.equal(await next(reader), 'seen 0/2');
    const paid = await create();
    await pay(paid);
    await mine(2);
    const last = await follow(paid);
    assert.equal(await next(last), 'paid');
    await last.ended();
  });

  test('the height is read once per announcement for all pages', async () => {
    const { database } = fixture.service();
    let reads = 0;
    const query = new Proxy(database.query, {
      get(target, name) {
        if (name === 'selectFrom') reads += 1;
        const value: unknown = Reflect.get(target, name);
        return typeof value === 'function' ? value.bind(target) : value;
      },
    });
    const lastBlocks = createLastHeights({ query, announcements: database.announcements }, ['bitcoin']);
    const heights = async () => {
      const heights = Array.from({ length: 1000 }, async () => await lastBlocks.height('bitcoin'));
      return [...new Set(await Promise.all(heights))];
    };
    const { height } = await chain().tip();
    assert.deepEqual([await heights(), reads], [[height], 1]);
    await mine(5);
    assert.deepEqual([await heights(), reads], [[height + 5], 2]);
    await database.inTransaction(async (unit) => unit.announce(lastBlockTopic('ethereum')));
    assert.deepEqual([await heights(), reads], [[height + 5], 2]);
  });

  if (testEngine === 'postgres') {
    test('report blocks that another process has read', async () => {
      const invoice = await create();
      await pay(invoice);
      await fixture.work();
      const reader = await follow(invoice);
      assert.equal(await next(reader), 'seen 0/2');
      const other = await fixture.another();
      try {
        // The lease of the previous reader has expired.
        fixture.clock.advance(MINUTE);
        await chain().mine();
        await other.jobs.drain();
        assert.equal(await next(reader), 'seen 1/2');
      } finally {
        await other.close();
      }
    });
  }
});
