import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after, before, describe, test } from 'node:test';
import { sql } from 'kysely';
import { Webhook } from 'standardwebhooks';
import { createMoveIndexes, dropMoveIndexes } from '../../src/cells/freeze.ts';
import { cancelMove, type CellDatabase, discardCopy, listMapEntries, moveMerchant } from '../../src/cells/move.ts';
import { tableOwners } from '../../src/cells/tables.ts';
import { resetAccount } from '../../src/auth/reset-account.ts';
import { hashSecret } from '../../src/auth/tokens.ts';
import { assignRole } from '../../src/auth/users.ts';
import { writeBackup } from '../../src/backup/backup.ts';
import type { Database } from '../../src/database/database.ts';
import { createUnsubscribeTokens } from '../../src/mail/opt-outs.ts';
import { maskSecrets } from '../../src/system/mask.ts';
import { openDatabase } from '../../src/database/open.ts';
import { restore } from '../../src/startup/restore.ts';
import { createTestDatabase } from '../support/databases.ts';
import { describeTables } from '../../src/migrations/describe-tables.ts';
import { migrationNames } from '../../src/migrations/migrate.ts';
import { optionalMailKinds } from '../../src/shared/mail-kinds.ts';
import { systemRandom } from '../../src/system/random.ts';
import { sealingKey } from '../../src/system/sealed.ts';
import { SimulatedClock } from '../support/clock.ts';
import { runCommandInProcess, runInProcess } from '../support/command-line.ts';
import { openEvents } from '../support/event-source.ts';
import { type Fixture, openFixture, type TestMerchant } from '../support/fixture.ts';
import { invoicesOf } from '../support/invoices.ts';
import { cards, creation, submission } from '../support/requests.ts';
import { db } from '../support/tables.ts';
import { makeUser, openBrowser, PASSWORD, signedIn } from '../support/users.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';

const SECRET = 'ab'.repeat(32);
const sealing = { aa: '11'.repeat(32), ab: '22'.repeat(32) };

describe('two cells', () => {
  const clock = new SimulatedClock();
  let source: Fixture;
  let target: Fixture;
  let endpoint: TestEndpoint;
  const folder = mkdtempSync(join(tmpdir(), 'paylatch-cells-'));
  let backups = 0;

  before(async () => {
    const open = async (cell: 'aa' | 'ab') =>
      await openFixture({ clock, env: { CELL: cell, PAYLATCH_SECRET_KEY: SECRET, SEALING_KEY: sealing[cell] } });
    source = await open('aa');
    target = await open('ab');
    endpoint = await openEndpoint();
  });
  after(async () => {
    await source.close();
    await target.close();
    await endpoint.close();
    rmSync(folder, { recursive: true });
  });

  const endOf = (fixture: Fixture, cell: 'aa' | 'ab'): CellDatabase => ({
    ...{ cell, environment: 'sandbox', database: fixture.service().database },
    serviceKey: Buffer.from(SECRET, 'hex'),
    sealingKeys: [sealingKey(Buffer.from(sealing[cell], 'hex'))],
  });
  const options = (merchant: TestMerchant) => ({
    ...{
      source: endOf(source, 'aa'),
      target: endOf(target, 'ab'),
      merchantId: merchant.id,
      clock,
      random: systemRandom,
    },
  });

  /** A merchant with a paid and an open link, and a webhook that was not delivered yet. */
  async function trade(name: string) {
    const merchant = await source.makeMerchant(name);
    const { token } = merchant;
    const set = { key: 'callback-url', value: endpoint.url };
    assert.equal((await source.request('/v1/merchant/preferences', { method: 'PATCH', body: set, token })).status, 200);
    const created = [];
    for (const key of ['paid', 'open']) {
      const body = creation({ metadata: { order: key } });
      const headers = { 'idempotency-key': `create-${key}` };
      const response = await source.request('/fiat/v1/transaction', { body, token, headers });
      assert.equal(response.status, 200, response.text);
      created.push({ body, response: response.body, path: new URL(response.body.value.link).pathname, headers });
    }
    const [paid, open] = created;
    assert.ok(paid && open);
    const submitted = await source.request('/fiat/v1/transaction/submit', {
      body: submission(paid.body.transaction_id, cards.visa),
      token,
    });
    assert.equal(submitted.status, 200, submitted.text);
    return { merchant, token, paid, open };
  }

  const detail = async (fixture: Fixture, token: string, reference: string) => {
    const { status, body } = await fixture.request(`/fiat/v1/transaction?transaction_id=${reference}`, { token });
    return { status, body: { ...body, link: undefined } };
  };

  const requestToken = async (fixture: Fixture, form: Record<string, string>, basic?: string) =>
    await fixture.request('/oauth/token', {
      token: null,
      body: new URLSearchParams({ grant_type: 'client_credentials', ...form }).toString(),
      headers: {
        'content-type': 'application/x-www-form-urlencoded',
        ...(basic !== undefined && { authorization: `Basic ${basic}` }),
      },
    });

  test('IDs and tokens have the prefix and the number of the cell', async () => {
    const { merchant, paid } = await trade('Prefix');
    assert.match(paid.path, /^\/p\/aa-[\w-]{27}$/);
    assert.equal(Math.floor(merchant.id / 10 ** 12), 1);
    const made = await source.request('/v1/access-tokens', {
      body: { name: 'Till', scopes: ['transaction:read'] },
      token: merchant.managerToken,
    });
    const keys = await source.request('/v1/callback/keys', { token: merchant.token });
    const path = new URL(keys.body.url).pathname;
    assert.equal(path, `/.well-known/webhook-keys/aa-${merchant.id}`);
    // The former URL, without a prefix, stays valid; every cell returns the same keys.
    for (const [cell, url] of [
      [source, path],
      [source, path.replace('aa-', '')],
      [target, path],
    ] as const)
      assert.deepEqual((await cell.request(url, { token: null })).body, { keys: keys.body.keys });
    if (made.status === 200 || made.status === 201) assert.match(made.text, /pl_test_aa-[\w-]{43}_[0-9a-f]{8}/);
  });

  test('a moved merchant has everything in the other cell', async () => {
    const { merchant, token, paid, open } = await trade('Moved');
    const member = await makeUser(source, 'owner', { merchant: merchant.id });
    const before = await detail(source, token, paid.body.transaction_id);
    const firstPull = await source.request('/v1/events?limit=1', { token });
    assert.equal(firstPull.status, 200, firstPull.text);
    const oauth = await runCommandInProcess<{ client_id: string; client_secret: string }>(
      ['client', 'create', '--merchant', String(merchant.id)],
      { DATABASE_URL: source.databaseUrl, CELL: 'aa', LOG_LEVEL: 'silent' },
    );

    const move = await moveMerchant(options(merchant));
    assert.equal(move.state, 'moved');

    // The former cell refuses, and changes nothing.
    const refusals = [
      await source.request(open.path, { token: null }),
      await source.request(`/fiat/v1/transaction?transaction_id=${open.body.transaction_id}`, { token }),
      await source.request('/fiat/v1/transaction', { body: creation(), token }),
      await requestToken(source, oauth),
      await requestToken(source, {}, Buffer.from(`${oauth.client_id}:${oauth.client_secret}`).toString('base64')),
    ];
    for (const { status, headers, text } of refusals) {
      assert.equal(status, 503, text);
      assert.equal(headers.get('retry-after'), '2');
    }
    assert.equal(refusals[1]?.body.code, 'merchant_moving');
    await source.work();

    // The new cell continues.
    assert.equal((await requestToken(target, oauth)).status, 200);
    assert.deepEqual(await detail(target, token, paid.body.transaction_id), before);
    const page = await target.request(`${open.path}/state`, { token: null });
    assert.equal(page.status, 200, page.text);
    const repeated = await target.request('/fiat/v1/transaction', { body: open.body, token, headers: open.headers });
    assert.deepEqual([repeated.status, repeated.body], [200, open.response]);
    const submitted = await target.request('/fiat/v1/transaction/submit', {
      body: submission(open.body.transaction_id, cards.visa),
      token,
    });
    assert.equal(submitted.status, 200, submitted.text);
    const refund = await target.request('/fiat/v1/transaction/refund', {
      body: { transaction_id: paid.body.transaction_id, amount: 1 },
      token,
    });
    assert.equal(refund.status, 200, refund.text);
    await target.work();

    // Each event arrives once, with the previous secret.
    const received = endpoint.received.filter(({ body }) => body.includes(`${merchant.id}`));
    assert.ok(received.length > 0);
    for (const { headers, body } of received) {
      const { 'webhook-id': id = '', 'webhook-timestamp': at, 'webhook-signature': signatures } = headers;
      const expected = new Webhook(merchant.callbackSecret).sign(id, new Date(Number(at) * 1000), body);
      assert.ok(signatures?.split(' ').includes(expected));
    }
    const ids = received.map(({ headers }) => headers['webhook-id']);
    assert.equal(new Set(ids).size, ids.length);
    const paidReferences = received
      .map(({ body }) => JSON.parse(body))
      .filter(({ data }) => data.status === 'transaction_status_confirmed')
      .map(({ data }) => data.transaction_id);
    for (const { body } of [paid, open]) assert.ok(paidReferences.includes(body.transaction_id));

    // The event log continues after the cursor, in order.
    const { next } = firstPull.body;
    const rest = await target.request(`/v1/events?after=${next}`, { token });
    assert.equal(rest.status, 200, rest.text);
    const logged = [...firstPull.body.events, ...rest.body.events].map(({ id }: { id: string }) => id);
    assert.equal(new Set(logged).size, logged.length);

    const browser = openBrowser(target);
    const signIn = await browser.request('/account/sign-in/password', {
      body: { email: member.email, password: PASSWORD },
    });
    assert.deepEqual([signIn.status, signIn.body], [200, { next: 'done' }]);

    // New records have higher IDs than former ones, so lists stay in order.
    const list = await target.request('/fiat/v1/transactions?status=transaction_status_confirmed', { token });
    assert.equal(list.body.transactions.length, 2);

    const entries = await listMapEntries(source.service().database);
    for (const id of [hashSecret(token), paid.path.slice(3), open.path.slice(3), `aa-${merchant.id}`])
      assert.ok(entries.includes(`${id} ab`));

    // Repeating it changes nothing.
    assert.deepEqual(await moveMerchant(options(merchant)), move);
    assert.ok((await discardCopy(options(merchant))) > 0);
    assert.equal((await source.request(open.path, { token: null })).status, 503);
  });

  for (const step of ['frozen', 'copied'] as const)
    test(`a move that stops when it is ${step} continues`, async () => {
      const { merchant, token, paid, open } = await trade(`Stops ${step}`);
      const before = await detail(source, token, paid.body.transaction_id);
      const stop = (reached: string) => {
        if (reached === step) throw new Error('stopped');
      };
      await assert.rejects(moveMerchant({ ...options(merchant), onStep: stop }), /stopped/);
      assert.equal((await source.request(open.path, { token: null })).status, 503);
      if (step === 'copied') await assert.rejects(cancelMove(options(merchant)), /already/);
      await moveMerchant(options(merchant));
      assert.deepEqual(await detail(target, token, paid.body.transaction_id), before);
    });

  test('an unfinished move can end after the other cell was upgraded; no other starts', async () => {
    const [frozen, copied, other] = [await trade('Frozen'), await trade('Copied'), await trade('Not moved')];
    const stopAt = (step: string) => (reached: string) => {
      if (reached === step) throw new Error('stopped');
    };
    for (const [{ merchant }, step] of [
      [frozen, 'frozen'],
      [copied, 'copied'],
    ] as const)
      await assert.rejects(moveMerchant({ ...options(merchant), onStep: stopAt(step) }), /stopped/);
    const { query } = target.service().database;
    await sql`insert into kysely_migration (name, timestamp) values ('9999-later', '')`.execute(query);
    try {
      await assert.rejects(moveMerchant(options(other.merchant)), /The cell ab has a later release/);
      await assert.rejects(moveMerchant(options(frozen.merchant)), /The cell ab has a later release/);
      await cancelMove(options(frozen.merchant));
      assert.equal((await moveMerchant(options(copied.merchant))).state, 'moved');
    } finally {
      await sql`delete from kysely_migration where name = '9999-later'`.execute(query);
    }
    for (const { open } of [frozen, other])
      assert.equal((await source.request(open.path, { token: null })).status, 200);
    assert.equal((await target.request(copied.open.path, { token: null })).status, 200);
  });

  /** Runs with a database that is restored from a backup of now, at a later time. */
  async function backUp(fixture: Fixture) {
    const path = join(folder, String((backups += 1)));
    await writeBackup({ database: fixture.service().database, path, now: clock.now() });
    return async (run: (database: Database) => Promise<void>) => {
      const store = await createTestDatabase();
      const database = openDatabase(store.url, () => undefined);
      try {
        await restore({ database, path });
        await run(database);
      } finally {
        await database.close();
        await store.drop();
      }
    };
  }
  const auditEntry = (merchantId: number, userId: number | null, subject: string) => ({
    ...{ merchant_id: merchantId, person_id: userId, actor: null, action: 'createAccessToken', subject },
    ...{ before: null, after: null, outcome: 'done', address: '', user_agent: '', request_id: '', at: clock.now() },
  });
  const linksOf = async (database: Database, merchant: TestMerchant) =>
    (
      await db(database)
        .selectFrom('fiat_transactions')
        .select('link_id')
        .where('merchant_id', '=', merchant.id)
        .execute()
    ).map((row) => `/p/${row.link_id}`);

  test('a cell that was restored from a backup before the move gets the merchant again', async () => {
    const { merchant, paid, open } = await trade('Lost');
    const withRestored = await backUp(target);
    await moveMerchant(options(merchant));
    const to = (database: Database) => ({ ...options(merchant), target: { ...endOf(target, 'ab'), database } });
    await withRestored(async (database) => {
      await assert.rejects(discardCopy(to(database)), /is not in the cell ab/);
      assert.equal((await moveMerchant(to(database))).state, 'moved');
      assert.deepEqual((await linksOf(database, merchant)).sort(), [paid.path, open.path].sort());
      // Repeating it changes nothing.
      await moveMerchant(to(database));
      assert.ok((await discardCopy(to(database))) > 0);
    });
    await withRestored(async (database) => {
      await assert.rejects(moveMerchant(to(database)), /its copy here was discarded/);
      assert.deepEqual(await linksOf(database, merchant), []);
    });
  });

  test('a cell that was restored from a backup before the move does not serve the merchant, and keeps its map', async () => {
    const { merchant, paid, open } = await trade('Restored');
    const withRestored = await backUp(source);
    await moveMerchant(options(merchant));
    await withRestored(async (database) => {
      const again = { ...options(merchant), source: { ...endOf(source, 'aa'), database } };
      await assert.rejects(moveMerchant(again), /already in the cell ab, after an earlier move/);
      assert.deepEqual(await linksOf(database, merchant), []);
      const entries = await listMapEntries(database);
      for (const { path } of [paid, open]) assert.ok(entries.includes(`${path.slice(3)} ab`));
      assert.equal((await moveMerchant(again)).state, 'moved');
    });
  });

  test('a member whom an earlier move copied as a name keeps the password', async () => {
    const former = await trade('Former');
    const { merchant } = await trade('Current');
    const { id, email } = await makeUser(source, 'owner', { merchant: merchant.id });
    await db(source.service().database)
      .insertInto('audit_entries')
      .values(auditEntry(former.merchant.id, id, 'Till'))
      .execute();
    const signIn = async () =>
      (await openBrowser(target).request('/account/sign-in/password', { body: { email, password: PASSWORD } })).status;
    await moveMerchant(options(former.merchant));
    assert.equal(await signIn(), 401);
    await moveMerchant(options(merchant));
    assert.equal(await signIn(), 200);
  });

  test('a member whose account was reset after a move does not get the former credentials from the next', async () => {
    const first = await trade('First of two');
    const second = await trade('Second of two');
    const { id, email } = await makeUser(source, 'owner', { merchant: first.merchant.id });
    const role = { merchantId: second.merchant.id, role: 'owner' } as const;
    const { database } = source.service();
    await database.inTransaction(async (unit) => await assignRole(unit, id, role, source.clock.now()));
    const signIn = async () =>
      (await openBrowser(target).request('/account/sign-in/password', { body: { email, password: PASSWORD } })).status;
    await moveMerchant(options(first.merchant));
    assert.equal(await signIn(), 200);
    await target
      .service()
      .database.inTransaction(
        async (unit) => await resetAccount(unit, { email, clock: target.clock, random: systemRandom }),
      );
    await moveMerchant(options(second.merchant));
    assert.equal(await signIn(), 401);
  });

  test('a cell with large stored rows can be backed up', async () => {
    const { merchant, token, paid } = await trade('Large');
    const before = await detail(source, token, paid.body.transaction_id);
    const subject = 'x'.repeat(100_000);
    for (let count = 0; count < 200; count += 1)
      await db(source.service().database)
        .insertInto('audit_entries')
        .values(auditEntry(merchant.id, null, subject))
        .execute();
    await moveMerchant(options(merchant));
    await backUp(source);
    assert.deepEqual(await detail(target, token, paid.body.transaction_id), before);
  });

  test('open pages of a moved merchant reconnect', async () => {
    const { merchant, open } = await trade('Watched');
    const page = await openEvents(`${source.url}${open.path}/events`);
    await page.next('state');
    await moveMerchant(options(merchant));
    await page.ended();
    assert.equal((await openEvents(`${source.url}${open.path}/events`)).status, 503);
  });

  test('a frozen merchant can return', async () => {
    const { merchant, token, paid, open } = await trade('Returns');
    const before = await detail(source, token, paid.body.transaction_id);
    const stop = () => {
      throw new Error('stopped');
    };
    await assert.rejects(moveMerchant({ ...options(merchant), onStep: stop }), /stopped/);
    await cancelMove(options(merchant));
    assert.deepEqual(await detail(source, token, paid.body.transaction_id), before);
    assert.equal((await source.request(open.path, { token: null })).status, 200);
    assert.equal((await target.request('/fiat/v1/transactions', { token })).status, 401);
    await source.work();
    // A later move is another one.
    assert.equal((await moveMerchant(options(merchant))).state, 'moved');
  });

  test('an account with the email address of a member gets no access to the merchant unless it is theirs', async () => {
    const other = await target.makeMerchant('Other & Co');
    const membersOf = async (merchant: TestMerchant) =>
      await db(target.service().database)
        .selectFrom('memberships')
        .select('person_id as id')
        .where('merchant_id', '=', merchant.id)
        .execute();

    const { merchant, open } = await trade('Members');
    const { email } = await makeUser(source, 'owner', { merchant: merchant.id });
    const stop = () => {
      throw new Error('stopped');
    };
    await assert.rejects(moveMerchant({ ...options(merchant), onStep: stop }), /stopped/);
    // Created after the merchant was frozen.
    const { id } = await makeUser(target, 'owner', { merchant: other.id, email });
    await assert.rejects(moveMerchant(options(merchant)), /another account with the email address/);
    assert.deepEqual(await membersOf(merchant), []);
    await cancelMove(options(merchant));
    await assert.rejects(moveMerchant(options(merchant)), /another account with the email address/);
    assert.equal((await source.request(open.path, { token: null })).status, 200);
    await moveMerchant({ ...options(merchant), sameUsers: new Set([email]) });
    assert.deepEqual(await membersOf(merchant), [{ id }]);
  });

  test('concurrent commands create and drop the same indexes without a failure', async () => {
    const { database } = source.service();
    const tables = await describeTables(migrationNames.at(-1) ?? '');
    const commands = Array.from({ length: 4 }, async () => {
      for (let run = 0; run < 4; run++) {
        await createMoveIndexes(database, tables);
        await dropMoveIndexes(database, tables);
      }
    });
    await Promise.all(commands);
    await dropMoveIndexes(database, tables);
  });

  test('concurrent moves of one merchant write it once', async () => {
    const { merchant, token, paid } = await trade('Twice');
    const before = await detail(source, token, paid.body.transaction_id);
    const results = await Promise.allSettled([moveMerchant(options(merchant)), moveMerchant(options(merchant))]);
    assert.ok(results.some(({ status }) => status === 'fulfilled'));
    await moveMerchant(options(merchant));
    assert.deepEqual(await detail(target, token, paid.body.transaction_id), before);
  });

  test('a merchant with crypto payments, or a move to a cell with a lower number, is refused and unchanged', async () => {
    const { merchant, token, open } = await trade('Coins');
    const reversed = { ...options(merchant), source: endOf(target, 'ab'), target: endOf(source, 'aa') };
    await assert.rejects(moveMerchant(reversed), /later in the alphabet/);
    const otherKey = { ...endOf(target, 'ab'), serviceKey: Buffer.alloc(32) };
    await assert.rejects(moveMerchant({ ...options(merchant), target: otherKey }), /PAYLATCH_SECRET_KEY/);
    await invoicesOf(() => source).create({}, merchant);
    await assert.rejects(
      moveMerchant(options(merchant)),
      /crypto payments .*wallets: 1.*create a new merchant in the other cell/,
    );
    assert.equal((await source.request(open.path, { token: null })).status, 200);
    assert.equal((await source.request('/fiat/v1/transactions', { token })).status, 200);
  });
});

test('IDs of the last cell are accepted everywhere, and shown in the log and in messages of commands', async (context) => {
  const fixture = await openFixture({ env: { CELL: '77', PAYLATCH_SECRET_KEY: SECRET } });
  context.after(async () => await fixture.close());
  const { merchant } = fixture;
  assert.equal(String(merchant.id).length, 16);
  const settings = { DATABASE_URL: fixture.databaseUrl, CELL: '77', LOG_LEVEL: 'silent' };
  const listTokens = async (id: string | number) =>
    await runInProcess(['token', 'list', '--merchant', String(id), '--output', 'json'], settings);
  const { code, stdout, stderr } = await listTokens(merchant.id);
  assert.equal(code, 0, stderr);
  const shown = `77-${merchant.id % 10 ** 12}`;
  assert.equal((await listTokens(shown)).stdout, stdout);
  assert.match(maskSecrets((await listTokens('77-999')).stderr), /No merchant has the ID 77-999\./);

  const member = await signedIn(fixture, 'owner');
  for (const path of ['/v1/people', `/v1/audit-log?person=${member.id}`]) {
    const { status, text } = await member.request(path, { merchant: merchant.id });
    assert.equal(status, 200, text);
  }
  const tokens = createUnsubscribeTokens(Buffer.from(SECRET, 'hex'));
  const kind = optionalMailKinds[0];
  assert.deepEqual(tokens.verify(tokens.create(member.id, kind)), { userId: member.id, kind });

  assert.equal((await fixture.request('/fiat/v1/transactions')).status, 200);
  const line = JSON.parse(
    fixture
      .log()
      .split('\n')
      .findLast((each) => each.includes('"msg":"request"')) ?? '',
  );
  assert.equal(line.merchant, shown);
  assert.match(line.caller, /^token 77-\d+$/);
});

test('a command does not assign a database with merchants to a cell', async (context) => {
  const fixture = await openFixture();
  context.after(async () => await fixture.close());
  const { databaseUrl: DATABASE_URL } = fixture;
  const { code, stderr } = await runInProcess(['user', 'list'], { DATABASE_URL, CELL: 'ab' });
  assert.equal(code, 1);
  assert.match(stderr, /belongs to no cell/);
  assert.equal((await runInProcess(['user', 'list'], { DATABASE_URL })).code, 0);
  assert.ok((await fixture.makeMerchant('Next & Co')).id < 10 ** 12);
});

test('every table has an owner, and merchants own rows by merchant_id', async () => {
  const tables = await describeTables(migrationNames.at(-1) ?? '');
  assert.deepEqual(Object.keys(tableOwners).sort(), tables.map(({ name }) => name).sort());
  for (const { name, columns, references } of tables) {
    const owner = tableOwners[name];
    const hasMerchant = columns.some((column) => column.name === 'merchant_id');
    if (owner?.owner === 'merchant') assert.ok(hasMerchant || name === 'merchants', name);
    if (owner?.owner === 'user' || owner?.owner === 'part') assert.ok(!hasMerchant, name);
    if (owner?.owner === 'part') {
      const parent = tables.find((each) => each.name === owner.table);
      assert.ok(
        columns.some((column) => column.name === owner.column) &&
          parent?.columns.some((column) => column.name === owner.key),
        name,
      );
    }
    // Rows of the installation refer to no merchant, or a move would break them.
    if (owner?.owner === 'cell')
      for (const { table } of references) assert.equal(tableOwners[table]?.owner, 'cell', `${name} refers to ${table}`);
    // Without this reference, a request in progress could add rows to a merchant that has left.
    if (owner?.owner === 'merchant' && !['merchants', 'rate_locks'].includes(name))
      assert.ok(
        references.some((each) => each.column === 'merchant_id' && each.table === 'merchants'),
        name,
      );
  }
});
