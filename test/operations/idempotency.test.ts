import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { sql } from 'kysely';
import { after, before, describe, test } from 'node:test';
import { DAY, HOUR, MINUTE, SECOND } from '../../src/shared/time.ts';
import { readProblem } from '../support/problems.ts';
import { cards, createLink, creation, submission } from '../support/requests.ts';
import { countRows } from '../support/rows.ts';
import { type FixtureResponse, openFixture, type Fixture } from '../support/fixture.ts';
import type { Database } from '../../src/database/database.ts';
import { onSqlite } from '../support/databases.ts';
import { interruptAfter } from '../support/interruption.ts';
import { openMailServer } from '../support/mail-server.ts';
import { makeUser } from '../support/users.ts';
import { submitCard as submitOperation } from '../../src/api/operations/payments.ts';
import { changeCard } from '../support/acquirer-accounts.ts';

describe('Idempotency-Key', () => {
  let fixture: Fixture;
  before(async () => {
    fixture = await openFixture();
  });
  after(async () => await fixture.close());

  let count = 0;
  const newKey = () => `key ${(count += 1)}`;
  const post = async (path: string, key: string, body: unknown, token?: string): Promise<FixtureResponse> =>
    await fixture.request(path, { body: body as object, headers: { 'idempotency-key': key }, ...(token && { token }) });
  const create = async (key: string, body: object, token?: string) =>
    await post('/fiat/v1/transaction', key, body, token);
  const isReplayed = ({ headers }: FixtureResponse) => headers.get('idempotency-replayed') === 'true';
  const refused = (response: FixtureResponse, status: number, code: string) => {
    const problem = readProblem(response, code);
    assert.deepEqual([response.status, problem.code], [status, code]);
  };
  const rows = async () =>
    await countRows(fixture.service().database, ['fiat_transactions', 'card_attempts', 'events']);

  test('replays the response of the same request without effect', async () => {
    const key = newKey();
    const body = creation();
    const first = await create(key, body);
    assert.equal(first.status, 200);
    assert.ok(!isReplayed(first));
    const before = await rows();
    // In any order of its fields.
    const again = await create(key, Object.fromEntries(Object.entries(body).toReversed()));
    assert.ok(isReplayed(again));
    assert.deepEqual([again.status, again.body], [200, first.body]);
    assert.equal(again.headers.get('content-type'), 'application/json');
    assert.notEqual(again.headers.get('request-id'), first.headers.get('request-id'));
    assert.deepEqual(await rows(), before);
  });

  test('stores no page token, and issues a new one on replay', async () => {
    const stored = async () =>
      JSON.stringify(await db(fixture.service().database).selectFrom('idempotency_keys').selectAll().execute());
    /** The same response with another token, which works after the first has expired. */
    const repeat = async (path: string, body: { transaction_id: string }) => {
      const key = newKey();
      const { status, body: first, text } = await post(path, key, body);
      assert.equal(status, 200, text);
      await fixture.advance(31 * MINUTE);
      assert.ok(!(await stored()).includes('pl_page_'));
      const again = await post(path, key, body);
      assert.ok(isReplayed(again));
      assert.notEqual(again.body.client_token, first.client_token);
      assert.deepEqual({ ...again.body, client_token: null }, { ...first, client_token: null });
      return async (token: string = again.body.client_token) =>
        await fixture.request('/fiat/v1/transaction/submit', { body: submission(body.transaction_id), token });
    };
    const body = creation({ transaction_type: 'custom_form' });
    await repeat('/fiat/v1/transaction', body);
    await fixture.advance(DAY);
    const pay = await repeat('/fiat/v1/transaction/renew', { transaction_id: body.transaction_id });
    assert.equal((await pay()).body.response_type, 'confirmed');
  });

  test('is rejected with another body', async () => {
    const key = newKey();
    await create(key, creation());
    const before = await rows();
    refused(await create(key, creation()), 422, 'idempotency_key_reused');
    assert.deepEqual(await rows(), before);
  });

  test('is separate for each token and operation', async () => {
    const key = newKey();
    await create(key, creation());
    const other = await fixture.makeMerchant('Other & Co');
    for (const token of [fixture.merchant.managerToken, other.token]) {
      const response = await create(key, creation(), token);
      assert.deepEqual([response.status, isReplayed(response)], [200, false]);
    }
    const { reference } = await createLink(fixture);
    const cancelled = await post('/fiat/v1/transaction/cancel', key, { transaction_id: reference });
    assert.deepEqual([cancelled.status, isReplayed(cancelled)], [200, false]);
  });

  test('replays final errors, but not retryable ones', async () => {
    const key = newKey();
    const conflict = creation();
    await create(newKey(), conflict);
    const other = { ...conflict, amount: 99 };
    const refusal = await create(key, other);
    refused(refusal, 409, 'transaction_id_conflict');
    const again = await create(key, other);
    assert.ok(isReplayed(again));
    assert.deepEqual(again.body, refusal.body);
    assert.equal(again.headers.get('content-type'), 'application/problem+json');

    // An invalid request is not stored: the same key may be used for the corrected one.
    const mended = newKey();
    refused(await create(mended, creation({ amount: -1 })), 422, 'validation_failed');
    assert.equal((await create(mended, creation())).status, 200);
  });

  test('of a page is ignored: any buyer has its token', async () => {
    const [{ clientToken, reference }, other] = [await createLink(fixture), await createLink(fixture)];
    const before = await countRows(fixture.service().database, ['idempotency_keys']);
    const key = newKey();
    const submit = async (to: string, card: string = cards.visa) =>
      await post('/fiat/v1/transaction/submit', key, submission(to, card), clientToken);
    refused(await submit(other.reference), 401, 'unauthorized');
    assert.equal((await submit(reference, cards.declined)).body.response_type, 'declined');
    assert.equal((await submit(reference)).body.response_type, 'confirmed');
    refused(await submit(reference), 409, 'already_paid');
    assert.deepEqual(await countRows(fixture.service().database, ['idempotency_keys']), before);
  });

  test('must be printable, with at most 255 characters', async () => {
    for (const key of ['x'.repeat(256), 'caf\u00e9']) refused(await create(key, creation()), 400, 'malformed_request');
    assert.equal((await create('x'.repeat(255), creation())).status, 200);
  });

  test('expires after a day', async () => {
    const key = newKey();
    const body = creation();
    await create(key, body);
    await fixture.advance(DAY - MINUTE);
    assert.ok(isReplayed(await create(key, body)));
    await fixture.advance(HOUR + 2 * MINUTE);
    const { keys } = await countKeys(fixture);
    assert.equal(keys, 0);
    const isNew = async () => {
      const response = await create(key, creation());
      assert.deepEqual([response.status, isReplayed(response)], [200, false], response.text);
    };
    await isNew();
    // An expired key can be reused before it is deleted.
    fixture.clock.advance(DAY);
    await isNew();
  });

  test('concurrent requests take effect once', async () => {
    const key = newKey();
    const body = creation();
    const responses = await Promise.all(Array.from({ length: 12 }, async () => await create(key, body)));
    const done = responses.filter(({ status }) => status === 200);
    assert.ok(done.length > 0);
    for (const response of responses) if (response.status !== 200) refused(response, 409, 'idempotency_key_in_use');
    assert.equal(done.filter((response) => !isReplayed(response)).length, 1);
    assert.equal(new Set(done.map(({ body: { value } }) => value.link)).size, 1);
  });

  describe('a card', () => {
    const year = () => String(new Date(fixture.clock.now() / 1000).getUTCFullYear() + 2);
    const submit = async (key: string, reference: string, card: string = cards.visa, fields = {}) =>
      await post(
        '/fiat/v1/transaction/submit',
        key,
        submission(reference, card, { card_expiry_year: year(), ...fields }),
      );
    const attemptsOf = async (reference: string) =>
      (await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`)).body.attempts;

    test('is charged once, and a decline is not retried', async () => {
      for (const card of [cards.visa, cards.declined]) {
        const { reference } = await createLink(fixture);
        const key = newKey();
        const first = await submit(key, reference, card);
        const again = await submit(key, reference, card);
        assert.deepEqual([again.body, isReplayed(again)], [first.body, true]);
        assert.equal((await attemptsOf(reference)).length, 1);
      }
    });

    test('is not stored', async () => {
      const { reference } = await createLink(fixture);
      const key = newKey();
      await submit(key, reference, cards.mastercard, { card_cvv: '739' });
      // The security code is not part of the compared hash.
      assert.ok(isReplayed(await submit(key, reference, cards.mastercard, { card_cvv: '740' })));
      refused(await submit(key, reference, cards.visa), 422, 'idempotency_key_reused');
      // Of the number, only the stored digits are.
      assert.ok(isReplayed(await submit(key, reference, '5555550000084444')));
      const kept = await db(fixture.service().database).selectFrom('idempotency_keys').selectAll().execute();
      assert.doesNotMatch(JSON.stringify(kept), /5555555555554444|"739"/);
    });

    test('replays a response that a former release stored, which hashed the full number', async () => {
      const { reference } = await createLink(fixture);
      const key = newKey();
      const { truncatedFields } = submitOperation;
      Object.assign(submitOperation, { truncatedFields: undefined });
      const first = await submit(key, reference);
      Object.assign(submitOperation, { truncatedFields });
      const again = await submit(key, reference);
      assert.deepEqual([again.body, isReplayed(again)], [first.body, true]);
    });

    test('is charged under the same acquirer reference after an interruption', async () => {
      for (const { reached, isClockAhead } of [
        { reached: true, isClockAhead: false },
        { reached: false, isClockAhead: false },
        { reached: true, isClockAhead: true },
      ]) {
        const { reference } = await createLink(fixture);
        const key = newKey();
        const names: string[] = [];
        let interrupt = () => {};
        let letGo = () => {};
        const interrupted = new Promise<void>((resolve) => {
          interrupt = resolve;
        });
        // The process hangs during the acquirer call.
        const restore = changeCard(fixture.service(), (card) => ({
          ...card,
          async charge(charge) {
            names.push(charge.attemptKey);
            if (reached) await card.charge(charge);
            interrupt();
            return await new Promise((resolve) => {
              letGo = () => resolve({ kind: 'unknown' });
            });
          },
        }));
        const cutOff = submit(key, reference);
        await interrupted;
        refused(await submit(key, reference), 409, 'idempotency_key_in_use');
        restore();
        const restoreAgain = changeCard(fixture.service(), (card) => ({
          ...card,
          async charge(charge) {
            names.push(charge.attemptKey);
            return await card.charge(charge);
          },
        }));
        if (isClockAhead) {
          const ahead = { held_until: fixture.clock.now() + 12 * MINUTE };
          await db(fixture.service().database)
            .updateTable('idempotency_keys')
            .set(ahead)
            .where('status', 'is', null)
            .execute();
        } else fixture.clock.advance(31 * SECOND);
        const finished = await submit(key, reference);
        assert.equal(finished.body.response_type, 'confirmed', finished.text);
        // The late response of the hung process changes nothing and is the same.
        letGo();
        assert.equal((await cutOff).body.response_type, 'confirmed');
        assert.ok(isReplayed(await submit(key, reference)));
        assert.equal(new Set(names).size, 1);
        assert.deepEqual(
          (await attemptsOf(reference)).map(({ state }: { state: string }) => state),
          ['approved'],
        );
        restoreAgain();
      }
    });
  });

  onSqlite('of an interrupted request returns its response, and nothing is sent or removed twice', async () => {
    const mail = await openMailServer();
    const emailing = await openFixture({ env: mail.env });
    const { managerToken: token } = emailing.merchant;
    const { reference } = await createLink(emailing);
    const { id: person } = await makeUser(emailing, 'viewer');
    const invited = await emailing.request('/v1/people/invite', {
      ...{ token, body: { email: 'invited@shop.example', role: 'viewer' } },
    });
    const { body: issued } = await emailing.request('/v1/tokens', {
      ...{ token, body: { name: 'Till', scopes: ['link:write'] } },
    });
    const sent = async (database: Database) =>
      (await sql`select id from mails where kind = 'payment_link'`.execute(database.query)).rows;
    const cases: [string, object, (database: Database) => Promise<boolean>][] = [
      [
        '/fiat/v1/transaction/send',
        { transaction_id: reference, email: 'ada@example.com' },
        async (database) => (await sent(database)).length > 0,
      ],
      [
        '/v1/people/uninvite',
        { id: invited.body.invitation.id },
        async (database) => {
          const open = db(database).selectFrom('invitations').select('id').where('accepted_at', 'is', null);
          return (await open.execute()).length === 0;
        },
      ],
      [
        '/v1/people/remove',
        { id: person },
        async (database) => (await db(database).selectFrom('memberships').select('id').execute()).length === 0,
      ],
      [
        '/v1/token/revoke',
        { id: issued.id },
        async (database) => {
          const revoked = db(database).selectFrom('access_tokens').select('id').where('revoked_at', 'is not', null);
          return (await revoked.execute()).length > 0;
        },
      ],
    ];
    for (const [path, body, isDone] of cases) {
      const request = async () =>
        await emailing.request(path, { token, body, headers: { 'idempotency-key': 'interrupted' } });
      const interrupted = await interruptAfter(emailing, isDone, request);
      assert.equal(interrupted.status, 500, `${path} ${interrupted.text}`);
      const repeated = await request();
      assert.deepEqual([repeated.status, isReplayed(repeated)], [200, true], `${path} ${repeated.text}`);
    }
    assert.equal((await sent(emailing.service().database)).length, 1);
    await emailing.close();
    await mail.close();
  });
});

async function countKeys(fixture: Fixture) {
  return await db(fixture.service().database)
    .selectFrom('idempotency_keys')
    .select((expression) => expression.fn.countAll<number>().as('keys'))
    .executeTakeFirstOrThrow();
}
