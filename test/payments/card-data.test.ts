// Databases: sqlite
import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, type TestContext, test } from 'node:test';
import { DAY, MINUTE } from '../../src/shared/time.ts';
import { readFiles, readStoredData, searchCards } from '../support/card-search.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { type FixtureResponse, openFixture, type RequestOptions } from '../support/fixture.ts';

/** Security codes that occur nowhere else in these tests. The four-digit code is also searched for without context. */
const searchedCards = {
  visa: { number: cards.visa, cvv: '947' },
  mastercard: { number: cards.mastercard, cvv: '581' },
  amex: { number: cards.amex, cvv: '8317' },
  challenge: { number: cards.challenge, cvv: '739' },
  frictionless: { number: cards.frictionless, cvv: '862' },
  declined: { number: cards.declined, cvv: '694' },
  insufficientFunds: { number: cards.insufficientFunds, cvv: '753' },
  expired: { number: cards.expired, cvv: '628' },
  unknown: { number: cards.unknown, cvv: '968' },
} as const;
type CardName = keyof typeof searchedCards;
const allCards = Object.values(searchedCards);

/** Opens a fixture that records every response. */
async function openRecorded(context: TestContext, options: Parameters<typeof openFixture>[0] = {}) {
  const fixture = await openFixture(options);
  context.after(async () => await fixture.close());
  const responses: string[] = [];
  const sendRequest = async (path: string, request: RequestOptions = {}): Promise<FixtureResponse> => {
    const response = await fixture.request(path, request);
    responses.push([...response.headers].map((header) => header.join(': ')).join('\n') + response.text);
    return response;
  };
  let counter = 0;
  const link = async () => {
    counter += 1;
    const body = creation({ transaction_id: `kettle-${'abcdefghijklmnopqrstuvwxyz'[counter]}` });
    const created = await sendRequest('/fiat/v1/transaction', { body });
    const path = new URL(created.body.value.link).pathname;
    const state = await sendRequest(`${path}/state`, { token: null });
    return { reference: body.transaction_id, path, clientToken: state.body.clientToken as string };
  };
  const fields = (reference: string, name: CardName, change: Record<string, unknown> = {}) =>
    submission(reference, searchedCards[name].number, { card_cvv: searchedCards[name].cvv, ...change });
  return { fixture, responses, sendRequest, link, fields };
}

describe('card data', () => {
  test('is stored, logged or sent nowhere, for any outcome of a payment', async (context) => {
    const { fixture, responses, sendRequest, link, fields } = await openRecorded(context);
    const endpoint: TestEndpoint = await openEndpoint();
    context.after(async () => await endpoint.close());
    await sendRequest('/v1/merchant/preferences', {
      method: 'PATCH',
      body: { key: 'callback-url', value: endpoint.url },
    });
    const references: string[] = [];
    const paths: string[] = [];
    const submit = async (name: CardName, byPage: boolean) => {
      const { reference, path, clientToken } = await link();
      references.push(reference);
      paths.push(path);
      const response = await sendRequest('/fiat/v1/transaction/submit', {
        body: fields(reference, name),
        ...(byPage && { token: clientToken }),
      });
      assert.equal(response.status, 200, response.text);
      return { ...response.body, path };
    };
    const seen: string[] = [];
    for (const byPage of [false, true]) {
      for (const name of Object.keys(searchedCards) as CardName[]) {
        const body = await submit(name, byPage);
        seen.push(body.response_type);
        if (body.response_type !== '3ds_redirect') continue;
        const issuer = new URL(body.redirect_url).pathname;
        await sendRequest(issuer, { token: null });
        const form = { 'content-type': 'application/x-www-form-urlencoded' };
        if (name === 'challenge') {
          await sendRequest(issuer, { body: `decision=${byPage ? 'approve' : 'refuse'}`, headers: form, token: null });
        }
        await sendRequest(`${body.path}/return`, { token: null });
      }
    }
    assert.deepEqual(new Set(seen), new Set(['confirmed', 'declined', '3ds_redirect', 'processing']));

    await fixture.work();
    await fixture.advance(MINUTE);
    await fixture.restart();
    await fixture.advance(2 * DAY);
    for (const path of paths) {
      for (const view of [path, `${path}/state`])
        await sendRequest(view, { token: null, headers: { accept: 'text/html' } });
    }
    for (const reference of references) await sendRequest(`/fiat/v1/transaction?transaction_id=${reference}`);
    await sendRequest('/fiat/v1/transactions?per_page=100');
    await sendRequest('/metrics', { token: null });

    assert.ok(endpoint.received.length > references.length);
    const places = await readStoredData(fixture);
    places.set('responses', responses.join('\n'));
    places.set('callbacks', endpoint.received.map((item) => JSON.stringify(item)).join('\n'));
    assert.deepEqual(searchCards(places, allCards), []);
    // The permitted card data is there: the search covered the right payments.
    assert.match(String(places.get('table card_attempts')), /"first6":"424242","last4":"4242"/);
    assert.match(String(places.get('callbacks')), /\\"last4\\":\\"0005\\"/);
    assert.match(String(places.get('log')), /"route":"\/fiat\/v1\/transaction\/submit"/);
  });

  test('is not repeated, logged or stored after an invalid request', async (context) => {
    const { fixture, responses, sendRequest, link, fields } = await openRecorded(context);
    const { reference, path, clientToken } = await link();
    const { number, cvv } = searchedCards.visa;
    const spaced = '4242 4242 4242 4242';
    const refused = async (request: Promise<FixtureResponse>, ...statuses: number[]) => {
      const response = await request;
      assert.ok(statuses.includes(response.status), `${response.status} ${response.text}`);
    };
    const submit = async (body: unknown, token?: string) =>
      await sendRequest('/fiat/v1/transaction/submit', { body, ...(token && { token }) });

    const wrong: Record<string, unknown>[] = [
      { card_expiry_year: '2020' },
      { card_expiry_month: '13' },
      { card_cvv: '9' },
      { card_cvv: number },
      { card_number: `${number}0` },
      { card_number: `${spaced} ${cvv}` },
      { card_number: Number(number) },
      { card_number: [number] },
      { card_number: { number, cvv } },
      { country: number },
      { phone: `${number}x` },
      { email: number },
      { postcode: `${spaced} ${spaced}` },
      { state: '' },
      { city: `\u0000${number}` },
      { transaction_id: number },
      { transaction_id: Number(number) },
      { transaction_id: `${number}\u0000` },
      { transaction_id: null },
      { [number]: cvv },
      { [spaced]: cvv },
      { [`card ${number}`]: 1 },
      { [`${number.slice(0, 8)}-${number.slice(8)}`]: cvv },
    ];
    for (const change of wrong) {
      await refused(submit(fields(reference, 'visa', change)), 404, 422);
      await refused(submit(fields(reference, 'visa', change), clientToken), 401, 404, 422);
    }
    const valid = JSON.stringify(fields(reference, 'visa'));
    for (const body of [
      valid.slice(0, -1),
      `${valid},`,
      `[${valid}]`,
      JSON.stringify(valid),
      number,
      `"${number}"`,
      `${number} ${cvv}`,
    ]) {
      await refused(submit(body), 400, 422);
    }
    await refused(sendRequest('/fiat/v1/transaction/submit', { body: valid, token: number }), 401);
    await refused(sendRequest('/fiat/v1/transaction/submit', { body: valid, token: null }), 401);
    await refused(
      sendRequest('/fiat/v1/transaction/submit', { body: valid, headers: { 'content-type': `text/${number}` } }),
      415,
    );
    await refused(sendRequest('/fiat/v1/transaction', { body: fields(reference, 'visa') }), 422);
    await refused(
      sendRequest('/fiat/v1/transaction', { body: creation({ payment_method: number, country: number }) }),
      422,
    );
    await refused(sendRequest('/fiat/v1/transaction/cancel', { body: fields(reference, 'visa') }), 422);
    await refused(
      sendRequest('/fiat/v1/merchant/payment-methods', { body: { country: number, currency: number } }),
      422,
    );
    await refused(sendRequest('/v1/merchant/preferences', { method: 'PATCH', body: { key: number, value: cvv } }), 422);
    await refused(
      sendRequest('/v1/merchant/preferences', { body: { preferences: [{ key: 'callback-url', value: number }] } }),
      422,
    );
    await refused(
      sendRequest('/fiat/v1/merchant/payment-methods', {
        ...{ method: 'PATCH', token: fixture.merchant.managerToken },
        body: { payment_methods: [{ payment_method: number, currency: 'USD', status: 'enable' }] },
      }),
      422,
    );
    for (const path of ['/v1/transaction/approve', '/v1/transaction/reject', '/v1/withdrawal/cancel'])
      await refused(sendRequest(path, { body: { id: number } }), 403, 404, 422);
    await refused(sendRequest('/v1/wallet/rotate', { body: { walletAddress: number } }), 403, 404, 422);
    await refused(sendRequest('/fiat/v1/transaction/cancel', { body: { transaction_id: number } }), 404);
    await refused(sendRequest(`/fiat/v1/transaction?transaction_id=${number}`), 404);
    await refused(sendRequest(`/fiat/v1/transactions?page=${number}`), 422);
    await refused(sendRequest(`/fiat/v1/transactions?${number}=${cvv}`), 422);
    await refused(sendRequest(`/fiat/v1/transactions?card_number=${number}&card_cvv=${cvv}`), 422);
    await refused(sendRequest(`/p/${number}`, { token: null }), 404);
    await refused(sendRequest(`/e/${number}?locale=${number}`, { token: null }), 404);
    await refused(sendRequest(`/sandbox/issuer/${number}?cvv=${cvv}`, { token: null }), 404);
    await refused(
      sendRequest(`/${number}`, { token: null, headers: { accept: 'text/html', 'user-agent': `${number} ${cvv}` } }),
      404,
    );
    await refused(
      sendRequest(`${path}/abandon`, { body: { card_number: number, card_cvv: cvv }, token: clientToken }),
      422,
    );

    // Accepted but not stored: only brand, first six and last four digits of a submission are.
    const payerFields = {
      first_name: number,
      last_name: cvv,
      address: `${spaced} ${cvv}`,
      city: `cvv ${cvv}`,
      phone: number,
    };
    const paid = await sendRequest('/fiat/v1/transaction/submit', {
      body: fields(reference, 'visa', payerFields),
      headers: { 'idempotency-key': number },
    });
    assert.equal(paid.body.response_type, 'confirmed');
    await refused(submit(fields(reference, 'visa')), 409);

    const places = await readStoredData(fixture);
    places.set('responses', responses.join('\n'));
    assert.deepEqual(searchCards(places, [searchedCards.visa]), []);
  });

  test('in an acquirer’s error is not logged', async (context) => {
    const { fixture, responses, sendRequest, link, fields } = await openRecorded(context, {
      wrapCardAcquirer: (acquirer) => ({
        ...acquirer,
        charge: ({ card }) =>
          Promise.reject(new Error(`No response to {"number":"${card.number}","cvv":"${card.cvv}"}`)),
      }),
    });
    const { reference } = await link();
    const response = await sendRequest('/fiat/v1/transaction/submit', { body: fields(reference, 'amex') });
    assert.equal(response.body.response_type, 'processing');
    const places = await readStoredData(fixture);
    places.set('responses', responses.join('\n'));
    assert.match(fixture.log(), /acquirer failed to charge/);
    assert.deepEqual(searchCards(places, [searchedCards.amex]), []);
  });

  describe('is found by the search:', () => {
    const { number, cvv } = searchedCards.amex;
    const plantedCards: Record<string, string> = {
      plain: number,
      'within other digits': `000${number}000`,
      'with spaces': '3782 822463 10005',
      'with hyphens': '3782-822463-10005',
      'with dots between all digits': [...number].join('.'),
      'as a list of digits': JSON.stringify([...number]),
      'in a URL': `card=${[...number].join('%20')}`,
      'with entities': '3782&nbsp;822463&#32;10005',
      'with escapes': String.raw`3782\u00a0822463\n10005`,
      'in base64': Buffer.from(number).toString('base64'),
      'in base64 of a longer text': Buffer.from(`{"card_number":"${number}"}`).toString('base64'),
      'in base64url, one byte further': Buffer.from(`.{"card_number":"${number}"}`).toString('base64url'),
      'in base64, two bytes further': Buffer.from(`..{"card_number":"${number}"}`).toString('base64'),
      'in hex': Buffer.from(number).toString('hex'),
      'in capital hex': Buffer.from(number).toString('hex').toUpperCase(),
      backwards: [...number].reverse().join(''),
      'by its code': `{"card_cvv":"${cvv}"}`,
      'by its code as a number': `cvv=${cvv}`,
      'by its code alone': `code ${cvv}, please`,
    };

    for (const [how, text] of Object.entries(plantedCards)) {
      test(`${how}, in a row, the log, a file and a response`, async (context) => {
        const fixture = await openFixture();
        context.after(async () => await fixture.close());
        const { database } = fixture.service();
        assert.deepEqual(searchCards(await readStoredData(fixture), [searchedCards.amex]), []);
        const { id } = await db(database)
          .insertInto('merchants')
          .values({ name: text, created_at: 1 })
          .returning('id')
          .executeTakeFirstOrThrow();
        const inDatabase = searchCards(await readStoredData(fixture), [searchedCards.amex]);
        assert.ok(
          inDatabase.some((finding) => finding.startsWith('table merchants')),
          inDatabase.join(),
        );
        // In a database file, escapes and quotes are stored as they are.
        if (fixture.databaseFolder && !how.includes('code')) {
          assert.ok(
            inDatabase.some((finding) => finding.startsWith('file paylatch.db')),
            inDatabase.join(),
          );
        }
        await db(database).deleteFrom('merchants').where('id', '=', id).execute();
        // Appended directly: the logger would mask the card.
        const line = `${JSON.stringify({ note: text, msg: 'planted' })}\n`;
        const inLog = searchCards(new Map([['log', fixture.log() + line]]), [searchedCards.amex]);
        assert.ok(inLog.length > 0);
        assert.ok(
          searchCards(new Map([['responses', `{"detail":${JSON.stringify(text)}}`]]), [searchedCards.amex]).length > 0,
        );

        const folder = mkdtempSync(join(tmpdir(), 'paylatch-planted-'));
        writeFileSync(
          join(folder, 'a'),
          Buffer.concat([Buffer.alloc(5000, 0xfe), Buffer.from(` ${text} `), Buffer.alloc(10)]),
        );
        assert.ok(searchCards(readFiles(folder), [searchedCards.amex]).length > 0);
        rmSync(folder, { recursive: true });
      });
    }

    test('in binary data: an integer, packed digits, UTF-16', () => {
      const integer = Buffer.alloc(8);
      integer.writeBigInt64BE(BigInt(cards.visa));
      for (const bytes of [integer, Buffer.from(cards.visa, 'hex'), Buffer.from(cards.visa, 'utf16le')]) {
        assert.ok(
          searchCards(new Map([['bytes', Buffer.concat([Buffer.alloc(9, 7), bytes])]]), [searchedCards.visa]).length >
            0,
        );
      }
    });

    test('permitted card data is not reported', () => {
      const permitted =
        '{"first6":"378282","last4":"0005","at":"2026-11-21T09:00:00.008317Z","id":"a8317","port":":8317"}';
      assert.deepEqual(searchCards(new Map([['row', permitted]]), allCards), []);
    });
  });
});
