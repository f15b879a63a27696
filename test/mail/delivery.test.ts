// Databases: sqlite
import assert from 'node:assert/strict';
import { afterEach, describe, test } from 'node:test';
import { readConfig } from '../../src/config.ts';
import { checkMail } from '../../src/mail/check.ts';
import { createSmtpTransport, type OutgoingMail } from '../../src/mail/smtp.ts';
import { DAY, MINUTE } from '../../src/shared/time.ts';
import { ConfigError } from '../../src/system/settings.ts';
import { SimulatedClock } from '../support/clock.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { createMigratedDatabase } from '../support/databases.ts';
import { type MailServer, openMailServer } from '../support/mail-server.ts';
import { creation, createLink } from '../support/requests.ts';

const outgoing: OutgoingMail = {
  ...{ messageId: '<a@mail.example>', recipient: 'ada@example.com', replyTo: null, unsubscribeUrl: null },
  ...{ subject: 'Hi', senderName: 'Kettle & Co', html: '<p>Hi</p>', text: 'Hi' },
};
const from = { name: '', address: 'pay@mail.example' };

describe('the delivery of emails', () => {
  let fixture: Fixture | null = null;
  let mail: MailServer | null = null;
  afterEach(async () => {
    await fixture?.close();
    await mail?.close();
    fixture = null;
    mail = null;
  });

  const open = async (env: Record<string, string> = {}) => {
    const server = await openMailServer();
    mail = server;
    const opened = await openFixture({ env: { ...server.env, ...env } });
    fixture = opened;
    const send = async (email = 'ada@example.com') => {
      const { reference } = await createLink(opened);
      const response = await opened.request('/fiat/v1/transaction/send', {
        body: { transaction_id: reference, email },
      });
      await opened.work();
      return response;
    };
    const state = async () => (await opened.request('/v1/emails?per_page=1')).body.emails[0];
    return { fixture: opened, mail: server, send, state };
  };

  test('a refused recipient is not tried again, and the reason is listed', async () => {
    const { fixture, mail, send, state } = await open();
    mail.refuseRecipient = () => ({ code: 550, text: '5.1.1 No such mailbox' });
    await send();
    const { state: is, attempts, error } = await state();
    assert.deepEqual([is, attempts], ['failed', 1]);
    assert.match(error, /^550 5\.1\.1 No such mailbox/);
    mail.refuseRecipient = () => null;
    await fixture.advance(3 * DAY);
    assert.equal(mail.received.length, 0);
    assert.doesNotMatch(fixture.log(), /ada@example\.com|No such mailbox/);
    const metrics = (await fixture.request('/metrics', { token: null })).text;
    assert.match(metrics, /paylatch_email_attempts_total\{kind="payment_link",result="failed"\} 1/);
  });

  test('an email whose acceptance takes long is sent once, also by several processes', async () => {
    const { fixture, mail, state } = await open();
    const other = await fixture.another();
    const { reference } = await createLink(fixture);
    await fixture.request('/fiat/v1/transaction/send', {
      body: { transaction_id: reference, email: 'ada@example.com' },
    });
    const received = Promise.withResolvers<void>();
    const accepted = Promise.withResolvers<void>();
    mail.accept = async () => {
      mail.accept = () => Promise.resolve();
      received.resolve();
      await accepted.promise;
    };
    const work = fixture.work();
    await received.promise;
    fixture.clock.advance(2 * MINUTE);
    await other.jobs.drain();
    accepted.resolve();
    await work;
    await other.close();
    assert.deepEqual([mail.received.length, (await state()).state], [1, 'sent']);
  });

  test('a temporary refusal is tried again, with the same Message-ID', async () => {
    const { fixture, mail, send, state } = await open();
    mail.refuseRecipient = () => ({ code: 421, text: '4.3.2 Closing' });
    await send();
    mail.refuseRecipient = () => ({ code: 450, text: '4.2.0 Greylisted' });
    await fixture.advance(MINUTE);
    const { state: is, attempts, error } = await state();
    assert.deepEqual([is, attempts], ['waiting', 2]);
    assert.match(error, /Greylisted/);
    mail.refuseRecipient = () => null;
    // The message arrives, but the connection breaks before the response.
    mail.cuts = 1;
    await fixture.advance(5 * MINUTE);
    assert.equal((await state()).state, 'waiting');
    await fixture.advance(15 * MINUTE);
    assert.deepEqual([(await state()).state, (await state()).attempts, (await state()).error], ['sent', 4, null]);
    const ids = new Set(mail.received.map(({ message }) => message.messageId));
    assert.equal(ids.size, 1);
    await fixture.advance(DAY);
    assert.equal((await state()).attempts, 4);
  });

  test('a waiting email is sent after the sealing key was rotated', async () => {
    const store = await createMigratedDatabase();
    const clock = new SimulatedClock();
    mail = await openMailServer();
    mail.refuseRecipient = () => ({ code: 450, text: '4.2.0 Greylisted' });
    const start = async (keys: string) =>
      await openFixture({
        ...{ clock, database: { ...store, drop: async () => await Promise.resolve() } },
        env: { ...mail?.env, SEALING_KEY: keys },
      });
    const [former, current] = ['11'.repeat(32), '22'.repeat(32)];
    const first = await start(former);
    const { reference } = await createLink(first);
    const body = { transaction_id: reference, email: 'ada@example.com' };
    assert.equal((await first.request('/fiat/v1/transaction/send', { body })).status, 200);
    await first.work();
    await first.close();
    await (await start(`${current},${former}`)).close();
    const last = await start(current);
    mail.refuseRecipient = () => null;
    await last.advance(MINUTE);
    await last.close();
    assert.equal(mail.received.length, 1);
    await store.drop();
  });

  test('an email fails after nine attempts, and its content is deleted', async () => {
    const { fixture, mail, send, state } = await open();
    mail.refuseMessage = () => ({ code: 451, text: '4.3.0 Out of order' });
    await send();
    for (let attempt = 1; attempt < 9; attempt += 1) await fixture.advance(DAY);
    assert.deepEqual([(await state()).state, (await state()).attempts], ['failed', 9]);
    const { database } = fixture.service();
    const { rows } = await database.inTransaction(async ({ query }) => {
      const { sql } = await import('kysely');
      return await sql<{ content: string | null }>`select content from mails`.execute(query);
    });
    assert.deepEqual(rows, [{ content: null }]);
    await fixture.advance(31 * DAY);
    assert.deepEqual((await fixture.request('/v1/emails')).body.emails, []);
  });

  test('the reason of a failed connection does not name the mail server; paylatch doctor does', async () => {
    const { fixture, mail, send, state } = await open();
    await mail.close();
    await send();
    const { state: is, error } = await state();
    assert.deepEqual([is, error], ['waiting', 'The mail server could not be reached']);
    const options = { host: '127.0.0.1', port: mail.port, from, credentials: null, tls: 'none' as const };
    const check = await checkMail(fixture.service().database, options).run();
    assert.match(JSON.stringify(check), /ECONNREFUSED 127\.0\.0\.1/);
  });

  test('limits the emails of a merchant, and those to one address', async () => {
    const { send } = await open({ LIMIT_EMAIL_PER_HOUR: '8', PAYLATCH_ENV: 'sandbox' });
    for (let count = 0; count < 8; count += 1) assert.equal((await send(`buyer-${count}@example.com`)).status, 200);
    const limited = await send('buyer-9@example.com');
    assert.deepEqual([limited.status, limited.body.limit], [429, 'email_merchant']);
  });

  test('without a mail server nothing is stored, and links are refused', async () => {
    fixture = await openFixture();
    const { reference } = await createLink(fixture);
    const sent = await fixture.request('/fiat/v1/transaction/send', {
      body: { transaction_id: reference, email: 'ada@example.com' },
    });
    assert.deepEqual([sent.status, sent.body.code], [409, 'email_not_set_up']);
    const paid = creation({ payer: { email: 'ada@example.com' } });
    await fixture.request('/fiat/v1/transaction', { body: paid });
    const listed = await fixture.request('/v1/emails');
    assert.deepEqual([listed.body.is_set_up, listed.body.emails], [false, []]);
  });

  test('signs in only over TLS, unless the operator turned it off', async () => {
    const users: string[] = [];
    const server = await openMailServer({
      authOptional: false,
      allowInsecureAuth: true,
      onAuth({ username = '', password }, _session, done) {
        users.push(username);
        if (password === 'right') done(null, { user: username });
        else done(Object.assign(new Error('5.7.8 Wrong: hunter2'), { responseCode: 535 }));
      },
    });
    mail = server;
    const options = {
      host: '127.0.0.1',
      port: server.port,
      from,
      credentials: { user: 'paylatch', password: 'right' },
    };
    const encrypted = createSmtpTransport({ ...options, tls: 'starttls' });
    const failure = await encrypted.send(outgoing);
    encrypted.close();
    assert.equal(failure?.isPermanent, false);
    assert.deepEqual(users, []);
    const plain = createSmtpTransport({ ...options, tls: 'none' });
    assert.equal(await plain.send(outgoing), null);
    plain.close();
    const wrong = createSmtpTransport({
      ...options,
      credentials: { user: 'paylatch', password: 'hunter2' },
      tls: 'none',
    });
    const refused = await wrong.send(outgoing);
    wrong.close();
    assert.deepEqual(refused, { isPermanent: false, reason: '535 The mail server rejected the credentials' });
  });

  test('paylatch doctor names an unreachable server and failed emails', async () => {
    const { fixture, mail, send } = await open();
    const { database } = fixture.service();
    const options = { host: '127.0.0.1', port: mail.port, from, credentials: null, tls: 'none' as const };
    assert.equal((await checkMail(database, options).run()).status, 'ok');
    assert.equal((await checkMail(database, null).run()).status, 'ok');
    mail.refuseRecipient = () => ({ code: 550, text: 'No' });
    await send();
    assert.equal((await checkMail(database, options).run()).status, 'warning');
    assert.equal((await checkMail(database, { ...options, port: 1 }).run()).status, 'problem');
  });
});

describe('the settings of emails', () => {
  const read = (env: Record<string, string>) => readConfig({ EMAIL_FROM: 'pay@shop.example', ...env }).mail;

  test('TLS is required, except on the same machine or if it is turned off', () => {
    const url = (host: string, protocol = 'smtp') => ({ SMTP_URL: `${protocol}://u%40x:p%2Fw@${host}` });
    assert.deepEqual(read(url('mail.example')), {
      ...{ host: 'mail.example', port: 587, tls: 'starttls' },
      credentials: { user: 'u@x', password: 'p/w' },
      from: { name: '', address: 'pay@shop.example' },
    });
    assert.equal(read(url('mail.example', 'smtps'))?.tls, 'implicit');
    assert.equal(read(url('mail.example', 'smtps'))?.port, 465);
    for (const host of ['127.0.0.1:25', 'localhost', '[::1]:25']) assert.equal(read(url(host))?.tls, 'none', host);
    assert.equal(read(url('127.0.0.1.evil.example'))?.tls, 'starttls');
    assert.equal(read({ ...url('mail.example'), SMTP_TLS: 'off' })?.tls, 'none');
    assert.equal(read({}), null);
    const named = read({ ...url('mail.example'), EMAIL_FROM: 'Kettle & Co <Pay@Shop.example>' });
    assert.deepEqual(named?.from, { name: 'Kettle & Co', address: 'pay@shop.example' });
  });

  test('errors never contain the password', () => {
    for (const env of [
      { SMTP_URL: 'http://user:hunter2@mail.example' },
      { SMTP_URL: 'smtp://user:hunter2@mail.example/path' },
      { SMTP_URL: 'smtp://user:hunter2@mail.example', EMAIL_FROM: 'nobody' },
      { SMTP_URL: 'smtp://user:hunter2@mail.example', EMAIL_FROM: 'A\r\nBcc: b@x.example <a@x.example>' },
      { SMTP_URL: 'smtp://user:hunter2@mail.example', EMAIL_FROM: '' },
    ])
      assert.throws(
        () => read(env),
        (error) => error instanceof ConfigError && !error.message.includes('hunter2'),
      );
  });
});
