import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSimulatedBitcoin, type SimulatedChain } from '../../src/chains/simulated/chain.ts';
import { type CryptoTransaction, cryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { systemClock } from '../../src/system/clock.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { systemRandom } from '../../src/system/random.ts';
import { moveDueTimesBack, assertDeliveryOrder } from '../support/payment-checks.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { createTestDatabase, type TestDatabase, testEngine } from '../support/databases.ts';
import { assertInvoices, type PaidFor } from '../support/invoice-checks.ts';
import { freePort } from '../support/ports.ts';
import { seededRandom } from '../../src/cli/webhook-chaos.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { countRowsForProof, killBudget } from '../support/proof.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { assertWithdrawals } from '../support/withdrawal-checks.ts';
import { external } from '../support/withdrawals.ts';

/** Number of kills of a process while it reads a chain. */
const KILLS = 3;
const AT_ONCE = 5;
/** Several processes need a shared database. */
const PROCESSES = testEngine === 'postgres' ? 2 : 1;
const AMOUNT = 150_000n;

/** The simulated chain is in the same database; this test acts as payers and miners. */
describe('processes killed while they scan and withdraw', () => {
  const { seed, countKill } = killBudget(KILLS);
  const random = seededRandom(seed);
  let store: TestDatabase;
  let observerDatabase: Database;
  let chain: SimulatedChain;
  let receiver: TestEndpoint;
  let places: { settings: Settings; program: Program }[];
  let token: string;
  let merchantId: number;
  /** Sets if the processes keep running, and if the merchant's server accepts every webhook. */
  let isQuiet = false;
  let isAbandoned = false;
  const paidFor: PaidFor = new Map();
  const invoices: CryptoTransaction[] = [];
  const webhooks: string[] = [];

  before(async () => {
    store = await createTestDatabase();
    receiver = await openEndpoint();
    receiver.respond = ({ headers }) => {
      if (!isQuiet && random() < 0.2) return 503;
      webhooks.push(headers['webhook-id'] ?? '');
      return 204;
    };
    const ports = new Set<number>();
    while (ports.size < PROCESSES) ports.add(await freePort());
    const [first] = ports;
    const all = [...ports].map((port) => ({
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${first}`,
      DATABASE_URL: store.url,
      DEMO_SHOP: 'off',
      LOG_LEVEL: 'error',
      WITHDRAWAL_DESTINATION_DELAY_HOURS: '0',
    }));
    const [settings = assert.fail()] = all;
    const merchant = await runCommandInProcess(['merchant', 'create', '--name', 'Kettle & Co'], settings);
    merchantId = Number(merchant.merchant_id);
    const scopes = 'invoice:write,preference:write,transaction:read,withdrawal:write';
    const manager = ['--merchant', String(merchantId), '--role', 'manager', '--scopes', scopes];
    token = String((await runCommandInProcess(['token', 'create', ...manager], settings)).access_token);
    observerDatabase = openDatabase(store.url, () => undefined);
    places = await Promise.all(all.map(async (each) => ({ settings: each, program: await startProgram(each) })));
    chain = createSimulatedBitcoin({
      database: observerDatabase,
      clock: systemClock(),
      random: systemRandom,
      name: 'bitcoin',
    });
    for (const [key, value] of Object.entries({
      'callback-url': receiver.url,
      'auto-withdrawal': true,
      'auto-withdrawal-destination-btc': external.bitcoin,
      'wallet-rotate-amount-btc': '1',
    })) {
      const response = await call(0, 'PATCH', '/v1/merchant/preferences', { key, value });
      assert.equal(response?.status, 200, key);
    }
    await until('the chain is scanned', async () => (await cursor()) !== undefined);
  });
  after(async () => {
    await Promise.all(places.map(async ({ program }) => await program.kill()));
    await receiver.close();
    await observerDatabase.close();
    await store.drop();
  });

  /** Null if the process died before it responded. */
  async function call(place: number, method: string, path: string, body?: object) {
    const { program } = places[place] ?? assert.fail();
    const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
    const sent = { method, headers, ...(body && { body: JSON.stringify(body) }) };
    try {
      const response = await fetch(program.origin + path, sent);
      // It may die while it sends its response.
      return { status: response.status, text: await response.text() };
    } catch {
      return null;
    }
  }

  async function cursor(): Promise<{ height: number; holder: string | null } | undefined> {
    const row = await db(observerDatabase)
      .selectFrom('chain_cursors')
      .select(['height', 'holder'])
      .where('chain', '=', 'bitcoin')
      .executeTakeFirst();
    return row?.height === undefined || row.height === null ? undefined : { ...row, height: row.height };
  }

  async function untilScanned(): Promise<void> {
    const { height } = await chain.tip();
    await until('the chain is scanned completely', async () => (await cursor())?.height === height);
  }

  /** Creates invoices with retries, and pays them. */
  async function sell(name: string, place: number): Promise<void> {
    const body = { txId: name, code: 'btc', amount: String(AMOUNT), type: 'revolver' };
    const deadline = Date.now() + 120_000;
    for (let turn = place; ; turn = (turn + 1) % PROCESSES) {
      const response = await call(turn, 'POST', '/v1/transaction/invoice', body);
      // A new process has not read the chain yet.
      if (!response || response.status === 503) {
        if (isAbandoned) throw new Error('The program is not started again');
        if (Date.now() > deadline) throw new Error(`No invoice in two minutes: ${response?.text ?? 'no response'}`);
        await pause(20);
        continue;
      }
      assert.equal(response.status, 200, response.text);
      const invoice = cryptoTransaction.parse(JSON.parse(response.text));
      invoices.push(invoice);
      const { id: invoiceId, walletAddress: address, code } = invoice;
      const { txHash } = await chain.pay({ address, code, amount: AMOUNT });
      paidFor.set(txHash, { invoiceId, address, code, amount: AMOUNT });
      return;
    }
  }

  async function killTheReader(turn: number): Promise<void> {
    const place = places[turn % PROCESSES] ?? assert.fail();
    // Of what it does at a moment, a process reports nothing: any moment of its scan or withdrawal may be hit.
    await pause(random() * 400);
    await place.program.kill();
    // A killed process does not release its lease: the other one would wait for it.
    await db(observerDatabase).updateTable('chain_cursors').set({ held_until: 0 }).execute();
    try {
      place.program = await startProgram(place.settings);
    } catch (error) {
      isAbandoned = true;
      throw error;
    }
  }

  test('lose nothing, credit and withdraw everything once, and send every webhook', async (context) => {
    context.diagnostic(`SEED=${seed} repeats these moments, nearly`);
    let turn = 0;
    for (; !isQuiet; turn += 1) {
      const selling = Promise.all(
        Array.from({ length: AT_ONCE }, async (_, index) => await sell(`sale-${turn}-${index}`, turn % PROCESSES)),
      );
      await chain.mine();
      const killing = killTheReader(turn);
      await chain.mine();
      if (turn % 2 === 1) await chain.reorg(2);
      // A process started after a failure would outlive the test.
      await Promise.allSettled([selling, killing]);
      await Promise.all([selling, killing]);
      isQuiet = !countKill();
    }
    // Orphaned deposits are in the mempool again.
    await chain.mine(3);
    await untilScanned();
    await until('all payments are complete', async () => {
      const rows = await db(observerDatabase)
        .selectFrom('crypto_transactions')
        .select('id')
        .where('status', '!=', 'complete')
        .execute();
      return rows.length === 0;
    });
    assert.equal(invoices.length, turn * AT_ONCE);
    const spent = async () => {
      const withdrawals = await db(observerDatabase).selectFrom('withdrawals').select(['status', 'spent']).execute();
      return withdrawals
        .filter(({ status }) => status === 'confirmed')
        .reduce((total, each) => total + BigInt(each.spent), 0n);
    };
    await until('all payments are withdrawn', async () => {
      await chain.mine();
      await untilScanned();
      return (await spent()) >= AMOUNT * BigInt(invoices.length);
    });
    assert.equal(await spent(), AMOUNT * BigInt(invoices.length), 'every deposit was withdrawn once');
    await untilScanned();
    await moveDueTimesBack(observerDatabase);
    await until('every webhook is delivered', async () => {
      const rows = await db(observerDatabase)
        .selectFrom('callbacks')
        .select('id')
        .where('state', '=', 'pending')
        .execute();
      return rows.length === 0;
    });
    await assertInvoices(observerDatabase, merchantId, paidFor);
    await assertWithdrawals(observerDatabase);
    await assertDeliveryOrder(observerDatabase, webhooks);
    await countRowsForProof(observerDatabase);
    context.diagnostic(`${turn} kills, ${invoices.length} invoices, ${webhooks.length} webhooks`);
  });
});
