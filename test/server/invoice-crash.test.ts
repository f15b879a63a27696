// Databases: postgres
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { createSimulatedChain, type SimulatedChain } from '../../src/chains/simulated/chain.ts';
import { type CryptoTransaction, cryptoTransaction } from '../../src/contract/crypto-transaction.ts';
import { systemClock } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database/database.ts';
import { openDatabase } from '../../src/platform/database/open.ts';
import { systemRandom } from '../../src/platform/random.ts';
import { createTestDatabase, type TestDatabase, testEngine } from '../support/databases.ts';
import { assertInvoiceBooks, type PaidFor } from '../support/invoice-books.ts';
import { freePort } from '../support/ports.ts';
import { runCommandHere } from '../support/command-line.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';

/** Kills of a process while it reads a chain, by turns. */
const KILLS = Number(process.env['INVOICE_KILLS'] ?? 6);
const AT_ONCE = 5;

/** Several processes need a database that they can share; the chain is in it too, and this test plays the world. */
if (testEngine === 'postgres') {
  describe('two processes that are killed while they read a chain', () => {
    let store: TestDatabase;
    let books: Database;
    let chain: SimulatedChain;
    let places: { settings: Settings; program: Program }[];
    let token: string;
    let merchantId: number;
    const paidFor: PaidFor = new Map();
    const invoices: CryptoTransaction[] = [];

    before(async () => {
      store = await createTestDatabase();
      const ports = new Set<number>();
      while (ports.size < 2) ports.add(await freePort());
      const [first] = ports;
      const all = [...ports].map((port) => ({
        PORT: String(port),
        HOST: '127.0.0.1',
        PUBLIC_URL: `http://127.0.0.1:${first}`,
        DATABASE_URL: store.url,
        DEMO_SHOP: 'off',
        LOG_LEVEL: 'error',
      }));
      const [settings = assert.fail()] = all;
      const merchant = await runCommandHere(['merchant', 'create', '--name', 'Kettle & Co'], settings);
      merchantId = Number(merchant.merchant_id);
      token = String((await runCommandHere(['token', 'create', '--merchant', String(merchantId)], settings)).access_token);
      books = openDatabase(store.url, () => undefined);
      places = await Promise.all(all.map(async (each) => ({ settings: each, program: await startProgram(each) })));
      chain = createSimulatedChain({ database: books, clock: systemClock(), random: systemRandom, name: 'bitcoin' });
      const prefer = { key: 'callback-url', value: 'http://127.0.0.1:1/callbacks' };
      assert.equal((await call(0, 'PATCH', '/v1/merchant/preferences', prefer))?.status, 200);
      await until('the chain is read', async () => (await cursor()) !== undefined);
    });
    after(async () => {
      await Promise.all(places.map(async ({ program }) => await program.kill()));
      await books.close();
      await store.drop();
    });

    /** Null when the process has died before it gave an answer. */
    async function call(place: number, method: string, path: string, body?: object) {
      const { program } = places[place] ?? assert.fail();
      const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
      const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
      return await fetch(program.origin + path, sent).catch(() => null);
    }

    async function cursor(): Promise<{ height: number; holder: string | null } | undefined> {
      const row = await books.query
        .selectFrom('chain_cursors')
        .select(['height', 'holder'])
        .where('chain', '=', 'bitcoin')
        .executeTakeFirst();
      return row?.height === undefined || row.height === null ? undefined : { ...row, height: row.height };
    }

    /** Invoices that are asked for until they are answered, and paid. */
    async function sell(name: string, place: number): Promise<void> {
      const body = { txId: name, code: 'btc', amount: '150000', type: 'revolver' };
      for (let turn = place; ; turn = 1 - turn) {
        const answer = await call(turn, 'POST', '/v1/transaction/invoice', body);
        if (!answer) continue;
        assert.equal(answer.status, 200, `${answer.status}`);
        const invoice = cryptoTransaction.parse(await answer.json());
        invoices.push(invoice);
        const { id: invoiceId, walletAddress: address, code } = invoice;
        const { txHash } = await chain.pay({ address, code, amount: 150_000n });
        paidFor.set(txHash, { invoiceId, address, code, amount: 150_000n });
        return;
      }
    }

    async function killTheReader(turn: number): Promise<void> {
      const place = places[turn % 2] ?? assert.fail();
      await place.program.kill();
      // Whoever is dead does not say so: the other one would wait for it.
      await books.query.updateTable('chain_cursors').set({ held_until: 0 }).execute();
      place.program = await startProgram(place.settings);
    }

    test('lose nothing, count nothing twice, and tell everything', async (context) => {
      for (let turn = 0; turn < KILLS; turn += 1) {
        const selling = Promise.all(
          Array.from({ length: AT_ONCE }, async (_, index) => await sell(`sale-${turn}-${index}`, turn % 2)),
        );
        await chain.mine();
        const killing = killTheReader(turn);
        await chain.mine();
        if (turn % 2 === 1) await chain.reorganise(2);
        await Promise.all([selling, killing]);
      }
      // What was taken back waits again.
      await chain.mine(3);
      const { height } = await chain.tip();
      await until('the chain is read to its end', async () => (await cursor())?.height === height);
      await until('all that was paid is complete', async () => {
        const rows = await books.query
          .selectFrom('crypto_transactions')
          .select('id')
          .where('status', '!=', 'complete')
          .execute();
        return rows.length === 0;
      });
      assert.equal(invoices.length, KILLS * AT_ONCE);
      await assertInvoiceBooks(books, merchantId, paidFor);
      context.diagnostic(`${KILLS} kills, ${invoices.length} invoices, ${paidFor.size} payments`);
    });
  });
}
