import { db, type AllTables } from '../support/tables.ts';
import assert from 'node:assert/strict';
import http, { type IncomingMessage } from 'node:http';
import { after, before, describe, test } from 'node:test';
import { parse } from 'csv-parse/sync';
import fc from 'fast-check';
import { type Kysely, sql } from 'kysely';
import { transactionExportColumns } from '../../src/api/fiat-transaction.ts';
import { DAY } from '../../src/shared/time.ts';
import { copyTransaction } from '../support/many-transactions.ts';
import { until } from '../support/program.ts';
import { cards, createLink, submitCard } from '../support/requests.ts';
import { openFixture, type Fixture } from '../support/fixture.ts';
import { onSqlite } from '../support/databases.ts';

const path = '/fiat/v1/transactions/export';

type Row = Record<string, string>;

/** Parses an export with an independent CSV reader. */
const parseExport = (text: string): Row[] => parse(text, { columns: true });

/** Returns a cell's original text, as documented. */
const originalText = (cell: string) =>
  cell.replaceAll(
    /^'(?='*[=+\-@\t\r\n\uFF1D\uFF0B\uFF0D\uFF20])|(?<=[;|\t\r\n])'(?='*[=+\-@\uFF1D\uFF0B\uFF0D\uFF20])/g,
    '',
  );

const exportRows = async (fixture: Fixture, query: Record<string, string> = {}, token = fixture.merchant.token) => {
  const response = await fixture.request(`${path}?${new URLSearchParams(query)}`, { token });
  assert.equal(response.status, 200, response.text);
  return parseExport(response.text);
};

describe('the export of transactions', () => {
  let fixture: Fixture;

  before(async () => {
    fixture = await openFixture();
    await createLink(fixture, {
      ...{ transaction_id: 'a', amount: 30 },
      payer: { first_name: 'Grace', last_name: 'Hopper', email: 'grace@example.com' },
    });
    await fixture.advance(DAY);
    await createLink(fixture, { transaction_id: 'b', amount: 10.05, type_of_calculation: 'forward_with_fee' });
    for (const name of ['c', 'd', 'e'])
      await createLink(fixture, { transaction_id: name, currency: 'EUR', country: 'FRA' });
    await submitCard(fixture, 'c');
    await fixture.request('/fiat/v1/transaction/refund', { body: { transaction_id: 'c', amount: 2.5 } });
    await submitCard(fixture, 'd', cards.challenge);
    await fixture.request('/fiat/v1/transaction/cancel', { body: { transaction_id: 'e' } });
  });
  after(async () => await fixture.close());

  test('is a CSV file with a header row and a dated file name', async () => {
    const { headers, text } = await fixture.request(path);
    assert.equal(headers.get('content-type'), 'text/csv; charset=utf-8; header=present');
    assert.equal(headers.get('content-disposition'), 'attachment; filename="transactions-2026-11-22.csv"');
    assert.equal(headers.get('cache-control'), 'no-store');
    assert.match(headers.get('ratelimit') ?? '', /^"token"/);
    assert.equal(text.split('\r\n')[0], transactionExportColumns.join(','));
    assert.ok(text.endsWith('\r\n'));
    const head = await fixture.request(path, { method: 'HEAD' });
    assert.deepEqual([head.status, head.text], [200, '']);
    assert.equal(head.headers.get('content-type'), headers.get('content-type'));
  });

  test('matches the list and the detail, with all decimals of amounts', async () => {
    const rows = await exportRows(fixture);
    assert.equal(rows.map(({ transaction_id }) => transaction_id).join(''), 'edcba');
    const { body } = await fixture.request('/fiat/v1/transactions');
    for (const [index, listed] of body.transactions.entries()) {
      const row = rows[index] ?? {};
      const { body: detail } = await fixture.request(`/fiat/v1/transaction?transaction_id=${listed.transaction_id}`);
      for (const [name, value] of Object.entries({ ...detail, ...listed })) {
        if (!transactionExportColumns.some((column) => column === name)) continue;
        const cell = typeof value === 'number' ? Number(row[name]) : row[name];
        assert.deepEqual(cell, value, `${name} of ${listed.transaction_id}`);
      }
      assert.equal(row['reason'], detail.reason ?? '');
    }
    const b = rows.find(({ transaction_id }) => transaction_id === 'b');
    assert.deepEqual([b?.['amount'], b?.['amount_charged'], b?.['amount_received']], ['10.05', '10.64', '0.00']);
    const c = rows.find(({ transaction_id }) => transaction_id === 'c');
    assert.deepEqual([c?.['amount_received'], c?.['amount_kept']], ['12.50', '10.00']);
  });

  test('has the payers of the list, masked without `approval:write`', async () => {
    const { body } = await fixture.request('/v1/tokens', {
      ...{ token: fixture.merchant.managerToken, body: { name: 'Reports', scopes: ['transaction:read'] } },
    });
    const ada = ['Ada Lovelace', 'ada@example.com'];
    const shown = [['Grace Hopper', 'grace@example.com'], ['', ''], ada, ada, ['', '']];
    const masked = shown.map(([name, email]) => [name?.replaceAll(/\B\w+/g, '•••'), email?.replace(/\B\w+@/, '•••@')]);
    const query = { order_direction: 'asc' };
    for (const [token, expected] of [
      [fixture.merchant.token, shown],
      [String(body.access_token), masked],
    ] as const) {
      const rows = await exportRows(fixture, query, token);
      assert.deepEqual(Object.keys(rows[0] ?? {}).slice(-4, -1), ['metadata', 'payer_name', 'payer_email']);
      assert.deepEqual(
        rows.map((row) => [row['payer_name'], row['payer_email']]),
        expected,
      );
      const list = await fixture.request('/fiat/v1/transactions?order=created_at', { token });
      const listed = list.body.transactions.map(({ payer }: any) => [payer?.name ?? '', payer?.email ?? '']);
      assert.deepEqual(listed, expected);
    }
  });

  test('has the list’s filters and both orders by creation', async () => {
    for (const query of [
      { status: 'transaction_status_pending' },
      { status: 'transaction_status_waiting' },
      { status: 'transaction_status_confirmed' },
      { status: 'transaction_status_failed', order_direction: 'asc' },
      { payment_method: 'credit_card' },
      { payment_method: 'cards', order_direction: 'asc' },
      { payment_method: 'wire' },
      { since: '2026-11-22', status: 'transaction_status_failed' },
      { till: '2026-11-21' },
      { since: '2026-11-22T00:00:00Z', order_direction: 'asc' },
    ]) {
      const { body } = await fixture.request(`/fiat/v1/transactions?${new URLSearchParams(query)}`);
      const listed = body.transactions.map(({ transaction_id }: Row) => transaction_id);
      const names = (await exportRows(fixture, query)).map(({ transaction_id }) => transaction_id);
      assert.deepEqual(names, listed, JSON.stringify(query));
    }
  });

  onSqlite('refuses unknown parameters and missing credentials', async () => {
    for (const [query, pointer] of [
      ['page=2', '?page'],
      ['order=amount', '?order'],
      ['status=paid', '?status'],
      ['since=yesterday', '?since'],
    ]) {
      const response = await fixture.request(`${path}?${query}`);
      assert.deepEqual([response.status, response.body.errors[0].pointer], [422, pointer]);
    }
    assert.equal((await fixture.request(path, { token: null })).status, 401);
  });

  test('contains only the merchant’s own transactions', async () => {
    const other = await fixture.makeMerchant('Other & Co');
    assert.deepEqual(await exportRows(fixture, {}, other.token), []);
    const ids = (await exportRows(fixture)).map(({ merchant_id }) => merchant_id);
    assert.deepEqual([...new Set(ids)], [String(fixture.merchant.id)]);
  });

  onSqlite('contains no formula, and every text can be restored', async () => {
    const { id } = (await fixture.request('/fiat/v1/transactions?per_page=1')).body.transactions[0];
    const formulas = [
      '=1+1',
      '+1+1',
      '-1+1',
      '@SUM(A1)',
      '\t=1',
      '\r=1',
      '\n=1',
      '＝1',
      "=cmd|' /C calc'!A0",
      "'=1",
      "''@x",
    ];
    const harmless = [
      '-5',
      '+358401234567',
      '-0.50',
      '1-1',
      "'tis",
      ' =1',
      '',
      ' ',
      'a,b',
      '"',
      '""',
      'a\r\nb',
      'a\nb',
      'a\rb',
    ];
    // The API refuses control characters; rows in the database may still contain them.
    const text = fc.oneof(
      fc.constantFrom(...formulas, ...harmless),
      fc.string({ unit: 'binary', maxLength: 30 }).filter((value) => value.isWellFormed() && !value.includes('\0')),
      fc
        .array(fc.constantFrom('=', '+', '-', '@', "'", '"', ',', ';', '|', '\r', '\n', '\t', '1', 'é', '💳'), {
          maxLength: 8,
        })
        .map((parts) => parts.join('')),
    );
    const store = async (description: string) =>
      await db(fixture.service().database)
        .updateTable('fiat_transactions')
        .set({ description, payer: JSON.stringify({ first_name: description, email: description }) })
        .where('id', '=', id)
        .execute();
    const check = async (description: string) => {
      await store(description);
      const row = (await exportRows(fixture)).find((row) => row['id'] === String(id));
      const cell = row?.['description'] ?? 'no row';
      assert.deepEqual([row?.['payer_name'], row?.['payer_email']], [cell, cell]);
      assert.equal(originalText(cell), description);
      if (/^[+-]?\d+(\.\d+)?$/.test(cell)) return cell;
      assert.doesNotMatch(cell, /^[=+\-@\t\r\n＝＋－＠]/);
      // Readers that split at other characters may ignore the quotes.
      for (const part of cell.split(/[;|\t\r\n]/)) assert.doesNotMatch(part, /^[=+\-@＝＋－＠]/);
      return cell;
    };
    for (const formula of formulas) assert.equal(await check(formula), `'${formula.replace(/^([\t\r\n])=/, "$1'=")}`);
    assert.equal(await check("a;=cmd|' /C calc'!A0"), "a;'=cmd|' /C calc'!A0");
    assert.equal(await check("a|@x;'-1"), "a|'@x;''-1");
    for (const plain of harmless) assert.equal(await check(plain), plain);
    await fc.assert(
      fc.asyncProperty(text, async (value) => void (await check(value))),
      { numRuns: 150 },
    );
    const { text: whole } = await fixture.request(path);
    assert.match(whole, /^\d+,\d+,"a",/m);
    const lines = whole.replaceAll(/"(?:[^"]|"")*"/g, 'quoted').split('\r\n');
    for (const line of lines.slice(0, -1)) assert.equal(line.split(',').length, transactionExportColumns.length, line);
  });
});

describe('an export of many transactions', () => {
  const COUNT = 40_000;
  let fixture: Fixture;

  before(async () => {
    fixture = await openFixture();
    await createLink(fixture, { transaction_id: 'first', description: 'x'.repeat(255) });
    const { id } = (await fixture.request('/fiat/v1/transactions')).body.transactions[0];
    await copyTransaction(fixture.service().database, id, COUNT - 1);
    fixture.clock.advance(DAY);
  });
  after(async () => await fixture.close());

  /** Starts an export without reading its body. */
  const startExport = async (query: string, headers: Record<string, string> = {}): Promise<IncomingMessage> =>
    await new Promise((resolve, reject) => {
      const options = { agent: false, headers: { authorization: `Bearer ${fixture.merchant.token}`, ...headers } };
      http.get(`${fixture.url}${path}?${query}`, options, resolve).on('error', reject);
    });
  const readRest = async (response: IncomingMessage) => {
    const pieces: Buffer[] = [];
    for await (const piece of response) pieces.push(piece as Buffer);
    return Buffer.concat(pieces).toString();
  };
  const query = (): Kysely<AllTables> => db(fixture.service().database);

  test('is read at the client’s speed, blocks nothing, and has each row once despite concurrent changes', async () => {
    const response = await startExport('order_direction=asc');
    // The system buffers a few megabytes; the rest is not generated yet.
    await createLink(fixture, { transaction_id: 'created during the export' });
    await query()
      .updateTable('fiat_transactions')
      .set({ description: 'changed' })
      .where('transaction_id', '=', `copy-${COUNT - 1}`)
      .execute();
    await query()
      .updateTable('fiat_transactions')
      .set({ updated_at: fixture.clock.now(), status: 'confirmed' })
      .where('transaction_id', '=', 'copy-5')
      .execute();
    const rows = parseExport(await readRest(response));
    assert.equal(rows.length, COUNT);
    assert.equal(new Set(rows.map(({ id }) => id)).size, COUNT);
    assert.equal(rows[0]?.['transaction_id'], 'first');
    assert.equal(rows.at(-1)?.['description'], 'changed');
    assert.equal((await exportRows(fixture, { since: '2026-11-22' })).length, 1);
  });

  test('ends when the client disconnects; a merchant has at most four at once', async () => {
    const open = await Promise.all([startExport(''), startExport(''), startExport(''), startExport('')]);
    const fifth = await fixture.request(path);
    assert.deepEqual([fifth.status, fifth.body.code, fifth.body.limit], [429, 'rate_limited', 'exports']);
    assert.match(fifth.headers.get('retry-after') ?? '', /^\d+$/);
    const other = await fixture.makeMerchant('Other & Co');
    assert.equal((await fixture.request(path, { token: other.token })).status, 200);
    open[0]?.destroy();
    await until('a slot is free again', async () => {
      const response = await startExport('till=2020-01-01');
      await readRest(response);
      return response.statusCode === 200;
    });
    for (const each of open) each.destroy();
    assert.doesNotMatch(fixture.log(), /export aborted/);
  });

  for (const [encoding, testOn] of [
    ['identity', test],
    ['gzip', onSqlite],
  ] as const) {
    testOn(`that fails midway is recognizably incomplete (${encoding})`, async () => {
      const response = await startExport('', { 'accept-encoding': encoding });
      assert.equal(response.statusCode, 200);
      // It may fail before it is read: a stream without an error listener throws.
      response.on('error', () => {});
      await sql`alter table fiat_transactions rename to elsewhere`.execute(query());
      try {
        await assert.rejects(readRest(response), /aborted|ECONNRESET/);
      } finally {
        await sql`alter table elsewhere rename to fiat_transactions`.execute(query());
      }
      assert.match(fixture.log(), /export aborted/);
    });
  }

  onSqlite('that fails before the first page returns a problem', async () => {
    await sql`alter table fiat_transactions rename to elsewhere`.execute(query());
    try {
      const response = await fixture.request(path);
      assert.deepEqual([response.status, response.body.code], [500, 'internal_error']);
    } finally {
      await sql`alter table elsewhere rename to fiat_transactions`.execute(query());
    }
  });
});
