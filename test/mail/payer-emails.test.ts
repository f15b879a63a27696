// Databases: sqlite
import assert from 'node:assert/strict';
import { after, before, beforeEach, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, toMillis } from '../../src/shared/time.ts';
import { createBuyers } from '../support/buyer.ts';
import { enableEveryMethod } from '../support/every-method.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { dumpRows } from '../support/rows.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { cards, creation, createLink, submission } from '../support/requests.ts';
import { signedIn } from '../support/users.ts';

const payer = { email: 'Ada@Example.com', first_name: 'Ada', last_name: 'Lovelace' };

describe('emails to payers', () => {
  let fixture: Fixture;
  let mail: MailServer;
  before(async () => {
    mail = await openMailServer();
    fixture = await openFixture({ env: mail.env });
    const enabled = {
      payment_methods: [{ payment_method: 'qr_code', currency: 'THB', status: 'enable', fee_percent: 1 }],
    };
    await fixture.request('/fiat/v1/merchant/payment-methods', {
      ...{ method: 'PATCH', body: enabled, token: fixture.merchant.managerToken },
    });
  });
  beforeEach(() => {
    mail.received.length = 0;
    mail.refuseRecipient = () => null;
  });
  after(async () => {
    await fixture.close();
    await mail.close();
  });

  const pay = async (fields: Record<string, unknown> = {}): Promise<string> => {
    const body = creation(fields);
    const created = await fixture.request('/fiat/v1/transaction', { body });
    assert.equal(created.status, 200, created.text);
    const paid = await fixture.request('/fiat/v1/transaction/submit', { body: submission(body.transaction_id) });
    assert.equal(paid.status, 200, paid.text);
    await fixture.work();
    return body.transaction_id;
  };
  const setPreference = async (key: string, value: unknown) => {
    const response = await fixture.request('/v1/merchant/preferences', { method: 'PATCH', body: { key, value } });
    assert.equal(response.status, 200, response.text);
  };
  const only = () => {
    assert.equal(mail.received.length, 1, JSON.stringify(mail.received.map(({ message }) => message.subject)));
    const [received] = mail.received;
    if (!received) throw new Error('No email');
    return received;
  };

  test('a receipt follows a payment, once, with its amounts and a link', async () => {
    await setPreference('support-contact', 'help@shop.example');
    const reference = await pay({ payer, line_items: [{ name: 'Cup & saucer', quantity: 2, unit_amount: 6.25 }] });
    await fixture.advance(HOUR);
    const { from, to, message } = only();
    assert.equal(from, 'pay@mail.example');
    assert.deepEqual(to, ['ada@example.com']);
    assert.equal(message.subject, 'Receipt from Kettle & Co');
    assert.deepEqual([message.from?.name, message.from?.address], ['Kettle & Co', 'pay@mail.example']);
    assert.equal(message.replyTo?.[0]?.address, 'help@shop.example');
    assert.match(message.messageId ?? '', /^<[\w-]{27}@mail\.example>$/);
    for (const text of [message.text ?? '', message.html ?? '']) {
      for (const part of ['$12.50', 'Visa ending in 4242', reference, `${fixture.url}/p/`])
        assert.ok(text.includes(part), part);
      assert.doesNotMatch(text, /4242424242424242|card_cvv/);
    }
    assert.match(message.text ?? '', /Cup & saucer × 2: \$12\.50/);
    assert.match(message.html ?? '', /Cup &amp; saucer × 2/);
  });

  test('a receipt goes to the address entered with the card', async () => {
    await pay();
    assert.deepEqual(only().to, ['ada@example.com']);
  });

  test('the receipt of a partial capture lists no items, and a later capture of another amount has its own', async () => {
    const body = creation({
      ...{ payer, capture: 'manual' },
      line_items: [{ name: 'Cup & saucer', quantity: 2, unit_amount: 6.25 }],
    });
    await fixture.request('/fiat/v1/transaction', { body });
    await fixture.request('/fiat/v1/transaction/submit', { body: submission(body.transaction_id, cards.captureFails) });
    const capture = async (amount: number) => {
      mail.received.length = 0;
      const captured = await fixture.request('/fiat/v1/transaction/capture', {
        body: { transaction_id: body.transaction_id, amount },
      });
      assert.equal(captured.status, 200, captured.text);
      await fixture.work();
      return mail.received.map(({ message }) => message.text ?? '');
    };
    const [receipt = ''] = await capture(10);
    assert.match(receipt, /\$10\.00/);
    assert.doesNotMatch(receipt, /Cup & saucer|12\.50/);
    // The acquirer takes the first capture back.
    await fixture.advance(HOUR);
    const [other = ''] = await capture(8);
    assert.match(other, /\$8\.00/);
  });

  test('receipts stop when the merchant turns them off', async () => {
    await setPreference('email-receipts', false);
    await pay({ payer });
    assert.equal(mail.received.length, 0);
    await setPreference('email-receipts', null);
  });

  test('a refund is reported once it succeeds', async () => {
    const reference = await pay({ payer });
    mail.received.length = 0;
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: reference, amount: 4 } });
    await fixture.work();
    const { message } = only();
    assert.equal(message.subject, 'Your payment was refunded · Kettle & Co');
    assert.match(message.text ?? '', /Kettle & Co refunded \$4\.00/);
  });

  test('an underpayment names the rest, in the language of the country', async () => {
    const { startPayment, simulate } = createBuyers(() => fixture);
    const link = await createLink(fixture, {
      ...{
        payment_method: 'qr_code',
        amount: 1250,
        country: 'THA',
        currency: 'THB',
        payer: { ...payer, country: 'TH' },
      },
    });
    await simulate(await startPayment(link, 'qr_code'), 'underpay');
    await fixture.work();
    const { message } = only();
    assert.match(message.html ?? '', /<html lang="th-TH" dir="ltr">/);
    assert.match(message.text ?? '', /฿1,125/);
  });

  test('a payment link is sent to an address, in the language that the payer chose', async () => {
    const { reference, path, link } = await createLink(fixture);
    await fixture.request(`${path}/locale`, { body: { locale: 'ar' }, token: null });
    const sent = await fixture.request('/fiat/v1/transaction/send', {
      body: { transaction_id: reference, email: 'Grace@Example.com' },
    });
    assert.equal(sent.status, 200, sent.text);
    assert.equal(sent.body.email.state, 'waiting');
    await fixture.work();
    const { to, message } = only();
    assert.deepEqual(to, ['grace@example.com']);
    assert.match(message.html ?? '', /<html lang="ar-EG" dir="rtl">/);
    assert.ok(message.text?.includes(link));
    const listed = await fixture.request('/v1/emails');
    assert.deepEqual(
      [
        listed.body.is_set_up,
        listed.body.emails[0].kind,
        listed.body.emails[0].state,
        listed.body.emails[0].transaction_id,
      ],
      [true, 'payment_link', 'sent', reference],
    );
  });

  test('the language that the merchant chose is used, until the payer chooses another', async () => {
    const { reference, path, clientToken } = await createLink(fixture, { payer, locale: 'de' });
    const browser = { 'accept-language': 'fr-FR' };
    const language = async () => {
      mail.received.length = 0;
      await fixture.request('/fiat/v1/transaction/send', { body: { transaction_id: reference } });
      await fixture.work();
      return /<html lang="([a-z]+)/.exec(only().message.html ?? '')?.[1];
    };
    const languageOfPage = async () => {
      const page = await fixture.request(path, { token: null, headers: browser });
      return /<html lang="([a-z]+)/.exec(page.text)?.[1];
    };
    assert.equal(await language(), 'de');
    const declined = await fixture.request('/fiat/v1/transaction/submit', {
      ...{ body: submission(reference, cards.declined), token: clientToken, headers: browser },
    });
    assert.equal(declined.status, 200, declined.text);
    assert.deepEqual([await language(), await languageOfPage()], ['de', 'de']);
    await fixture.request(`${path}/locale`, { body: { locale: 'it' }, token: null });
    assert.deepEqual([await language(), await languageOfPage()], ['it', 'it']);
  });

  test('a payment link without an address, or of a paid transaction, is refused', async () => {
    const { reference } = await createLink(fixture);
    const unknown = await fixture.request('/fiat/v1/transaction/send', { body: { transaction_id: reference } });
    assert.deepEqual([unknown.status, unknown.body.errors[0].pointer], [422, '/email']);
    const paid = await pay();
    const again = await fixture.request('/fiat/v1/transaction/send', {
      body: { transaction_id: paid, email: 'ada@example.com' },
    });
    assert.deepEqual([again.status, again.body.code], [409, 'already_paid']);
  });

  test('a payment link is refused while a deposit awaits confirmations, and once the link has expired', async () => {
    await enableEveryMethod(fixture, fixture.merchant);
    const { mine } = invoicesOf(() => fixture);
    const { startPayment, simulate } = createBuyers(() => fixture);
    const problemOf = async ({ reference }: { reference: string }) => {
      const { status, body } = await fixture.request('/fiat/v1/transaction/send', {
        body: { transaction_id: reference },
      });
      return [status, body.code];
    };
    const link = await createLink(fixture, { amount: 20, payer });
    await simulate(await startPayment(link, 'crypto_payment', 'btc'), 'underpay');
    assert.deepEqual(await problemOf(link), [409, 'submit_in_progress']);
    await mine(2);
    assert.deepEqual(await problemOf(link), [200, undefined]);
    const expired = await createLink(fixture, { amount: 20, payer });
    await fixture.advance(23 * HOUR + 50 * MINUTE);
    await startPayment(expired, 'crypto_payment', 'btc');
    // The instructions are not withdrawn yet.
    fixture.clock.advance(10 * MINUTE);
    assert.deepEqual(await problemOf(expired), [410, 'link_expired']);
  });

  test('addresses of payers are masked without the scope `approval:write`', async () => {
    const { body } = await fixture.request('/v1/tokens', {
      ...{
        token: fixture.merchant.managerToken,
        body: { name: 'Links', scopes: ['link:write', 'preference:read', 'team:manage'] },
      },
    });
    const token = String(body.access_token);
    const { reference } = await createLink(fixture, { payer });
    const send = async (fields: object, as = fixture.merchant.token) => {
      const sent = await fixture.request('/fiat/v1/transaction/send', {
        ...{ body: { transaction_id: reference, ...fields }, token: as },
      });
      assert.equal(sent.status, 200, sent.text);
      return sent;
    };
    // A server may repeat the address in its response.
    mail.refuseRecipient = (address) => ({ code: 550, text: `5.1.1 <${address}>: User ada unknown` });
    assert.equal((await send({})).body.email.recipient, 'ada@example.com');
    const masked = await send({}, token);
    assert.equal(masked.body.email.recipient, 'a•••@example.com');
    assert.equal((await send({ email: 'grace@example.com' }, token)).body.email.recipient, 'grace@example.com');
    await fixture.work();
    const hidden = await fixture.request('/v1/emails?per_page=2', { token });
    assert.doesNotMatch(hidden.text, /ada|grace/);
    assert.deepEqual(
      hidden.body.emails.map((each: { recipient: string; error: string }) => [each.recipient, each.error]),
      [
        ['g•••@example.com', '550 5.1.1'],
        ['a•••@example.com', '550 5.1.1'],
      ],
    );
    const [shown] = (await fixture.request('/v1/emails')).body.emails;
    assert.deepEqual(
      [shown.recipient, shown.error],
      ['grace@example.com', '550 5.1.1 <grace@example.com>: User ada unknown'],
    );
  });

  test('another merchant neither sends nor lists them', async () => {
    const other = await fixture.makeMerchant('Other');
    const { reference } = await createLink(fixture);
    const sent = await fixture.request('/fiat/v1/transaction/send', {
      ...{ body: { transaction_id: reference, email: 'ada@example.com' }, token: other.token },
    });
    assert.equal(sent.status, 404);
    const listed = await fixture.request('/v1/emails', { token: other.token });
    assert.deepEqual(listed.body.emails, []);
  });

  test('names inject no headers and no markup', async () => {
    await setPreference('brand-name', 'Eve <b>"\\, =?utf-8?q?x?= <eve@evil.example>');
    await setPreference('support-contact', 'help@shop.example');
    await pay({ payer, description: '<script>alert(1)</script> Bcc: eve@evil.example' });
    const { to, message, raw } = only();
    assert.deepEqual(to, ['ada@example.com']);
    assert.equal(message.from?.address, 'pay@mail.example');
    assert.equal(message.bcc, undefined);
    assert.doesNotMatch(raw.split('\r\n\r\n')[0] ?? '', /^(?:bcc|cc|to: .*evil)/im);
    assert.doesNotMatch(message.html ?? '', /<script|<b>/);
    // A line break reaches no header, even if it got past the API.
    const { createSmtpTransport } = await import('../../src/mail/smtp.ts');
    const transport = createSmtpTransport({
      ...{ host: '127.0.0.1', port: mail.port, tls: 'none', credentials: null },
      from: { name: '', address: 'pay@mail.example' },
    });
    mail.received.length = 0;
    const failure = await transport.send({
      ...{ messageId: '<a@mail.example>', recipient: 'ada@example.com', replyTo: null, unsubscribeUrl: null },
      ...{ subject: 'Hi\r\nBcc: eve@evil.example', senderName: 'Eve\r\nBcc: eve@evil.example', html: 'x', text: 'x' },
    });
    transport.close();
    assert.equal(failure, null);
    assert.deepEqual(only().to, ['ada@example.com']);
    assert.doesNotMatch(only().raw, /^Bcc:/m);
    await setPreference('brand-name', null);
  });

  test('the payer’s erasure deletes their emails, sent or waiting', async () => {
    mail.refuseMessage = () => ({ code: 451, text: 'Try again later' });
    const reference = await pay({ payer });
    mail.refuseMessage = () => null;
    const erased = await fixture.request('/v1/payers/erase', {
      ...{ body: { transaction_id: reference }, token: fixture.merchant.managerToken },
    });
    assert.equal(erased.status, 200, erased.text);
    await fixture.advance(5 * MINUTE);
    assert.equal(mail.received.length, 0);
    const { emails } = (await fixture.request('/v1/emails?per_page=100')).body;
    assert.equal(emails.filter((each: { transaction_id: string }) => each.transaction_id === reference).length, 0);
  });

  test('the erasure of one payment removes the recipients of its emails from stored responses', async () => {
    const { reference } = await createLink(fixture, { payer });
    const send = async () =>
      await fixture.request('/fiat/v1/transaction/send', {
        body: { transaction_id: reference, email: 'Kay.Mulgrew@post.example' },
        headers: { 'idempotency-key': `send ${reference}` },
      });
    assert.equal((await send()).body.email.recipient, 'kay.mulgrew@post.example');
    const erased = await fixture.request('/v1/payers/erase', {
      ...{ body: { transaction_id: reference }, token: fixture.merchant.managerToken },
    });
    assert.equal(erased.status, 200, erased.text);
    const again = await send();
    assert.deepEqual([again.headers.get('idempotency-replayed'), again.body.email.recipient], ['true', '[erased]']);
    const rows = await dumpRows(fixture.service().database);
    assert.doesNotMatch(JSON.stringify(rows), /kay\.mulgrew/i);
  });

  test('a partial payment is reported to reviewers once the link has expired, not to the payer', async () => {
    // The payments of the other tests have ended.
    await fixture.advance(2 * DAY);
    const owner = await signedIn(fixture, 'owner');
    await enableEveryMethod(fixture, fixture.merchant);
    const { chain, mine } = invoicesOf(() => fixture);
    const { detailOf, startPayment } = createBuyers(() => fixture);
    const recipients = () => mail.received.map(({ to }) => to.join());
    /** Pays a half ten minutes before the expiry, in two deposits. The first needs one more confirmation. */
    const payHalf = async () => {
      const link = await createLink(fixture, { amount: 20, payer });
      await fixture.advance(23 * HOUR + 50 * MINUTE);
      const { instructions } = await startPayment(link, 'crypto_payment', 'btc');
      assert.ok(instructions.action === 'crypto');
      await chain().pay({ address: instructions.address, code: 'btc', amount: 5000n });
      await mine();
      await chain().pay({ address: instructions.address, code: 'btc', amount: 5000n });
      await fixture.work();
      mail.received.length = 0;
      return link;
    };
    const late = await payHalf();
    await fixture.advance(HOUR);
    await mine();
    assert.deepEqual(recipients(), [owner.email]);
    await fixture.advance(HOUR);
    await mine();
    await fixture.advance(HOUR);
    const { status, reason } = await detailOf(late);
    assert.deepEqual([status, reason], ['transaction_status_failed', 'underpaid']);
    assert.deepEqual(recipients(), [owner.email]);
    await payHalf();
    await mine(2);
    assert.ok(recipients().includes('ada@example.com'));
    assert.ok(!recipients().includes(owner.email));
    await fixture.advance(HOUR);
    assert.equal(recipients().filter((each) => each === owner.email).length, 1);
  });
});

describe('the retention of payer data', () => {
  test('deletes the emails about payments that ended, whether or not the payer is known', async (t) => {
    const mail = await openMailServer();
    const fixture = await openFixture({ env: { ...mail.env, RETENTION_PAYER_DATA_DAYS: '10' } });
    t.after(async () => {
      await fixture.close();
      await mail.close();
    });
    const send = async (fields: Record<string, unknown> = {}) => {
      const { reference } = await createLink(fixture, fields);
      const sent = await fixture.request('/fiat/v1/transaction/send', {
        body: { transaction_id: reference, email: 'ada@example.com' },
      });
      assert.equal(sent.status, 200, sent.text);
      return reference;
    };
    const listed = async () =>
      (await fixture.request('/v1/emails?per_page=100')).body.emails.map(
        (each: { transaction_id: string }) => each.transaction_id,
      );
    const [known, unknown] = [await send({ payer }), await send()];
    const open = await send({ expires_at: new Date(toMillis(fixture.clock.now() + 20 * DAY)).toISOString() });
    for (const reference of [known, unknown])
      await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: reference } });
    await fixture.advance(9 * DAY);
    assert.deepEqual(await listed(), [open, unknown, known]);
    const recent = await send();
    await fixture.advance(2 * DAY);
    assert.deepEqual(await listed(), [recent, open]);
  });
});
