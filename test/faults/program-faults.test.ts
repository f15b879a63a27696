import assert from 'node:assert/strict';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { after, before, describe, test } from 'node:test';
import { setTimeout as pause } from 'node:timers/promises';
import { createSimulatedBitcoin, type SimulatedChain } from '../../src/chains/simulated/chain.ts';
import { seededRandom } from '../../src/cli/webhook-chaos.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { systemClock } from '../../src/system/clock.ts';
import { systemRandom } from '../../src/system/random.ts';
import { packageRoot } from '../../src/system/root.ts';
import { runCommandInProcess } from '../support/command-line.ts';
import { testEngine } from '../support/databases.ts';
import { type PaidFor, assertInvoices } from '../support/invoice-checks.ts';
import { assertLedger } from '../support/ledger-checks.ts';
import { moveDueTimesBack } from '../support/payment-checks.ts';
import { type Load, startLoad } from '../support/payment-load.ts';
import { findLoadViolations, isIdle } from '../support/payment-load-checks.ts';
import { freePort } from '../support/ports.ts';
import { type Program, type Settings, startProgram, until } from '../support/program.ts';
import { countFault, countRowsForProof, faultBudget } from '../support/proof.ts';
import { db } from '../support/tables.ts';
import { openEndpoint, type TestEndpoint } from '../support/webhook-endpoint.ts';
import { type FaultyDatabase, openFaultyDatabase } from './faulty-database.ts';

/** `npm run prove` injects many more. */
const FAULTS = 4;
const WORKERS = 3;
const AMOUNT = 150_000n;
/** Limits of a fault's duration; it begins at a random moment of the load. */
const [MIN_FAULT_MS, MAX_FAULT_MS] = [1500, 5000];
const MAX_WAIT_MS = 1500;
/** A service that does not report its readiness within this time is not ready. */
const PROBE_MS = 4000;
const MINUTE_MS = 60_000;
const HEAP_MB = 256;

/** Limits the run to one kind of fault. */
const { FAULT } = process.env;

/** A fault. `cause` returns the function that removes it. */
interface Fault {
  kind: string;
  cause(): Promise<() => Promise<void>>;
  /** The service must report that it is not ready. */
  isUnready?: boolean;
  /** Retries after the fault happen in real time: their due times are not moved. */
  isTimed?: boolean;
}

/** Payments, deposits and webhooks continue during the faults; requests are retried until they succeed. */
describe('the program under faults', () => {
  const { seed, hasNext } = faultBudget(FAULTS);
  const random = seededRandom(seed);
  const between = (min: number, max: number) => min + random() * (max - min);
  let store: FaultyDatabase;
  let observer: Database;
  let chain: SimulatedChain;
  let endpoint: TestEndpoint;
  let settings: Settings;
  let token: string;
  let merchantId: number;
  let program: Program;
  let load: Load;
  /** Exits of the program that no fault explains. */
  const crashes: string[] = [];
  let mayEnd = false;
  let isEndpointDown = false;
  const webhooks: string[] = [];
  const paidFor: PaidFor = new Map();

  const start = async () => {
    const preload = pathToFileURL(join(packageRoot(), 'test', 'faults', 'preload.mjs')).href;
    const started = await startProgram(settings, undefined, [`--max-old-space-size=${HEAP_MB}`, '--import', preload]);
    void recordCrash(started);
    return started;
  };
  const recordCrash = async ({ ended }: Program) => {
    const code = await ended;
    if (!mayEnd) crashes.push(`the program ended with ${code}`);
  };

  before(async () => {
    store = await openFaultyDatabase();
    endpoint = await openEndpoint();
    endpoint.respond = ({ headers }) => {
      if (isEndpointDown) return 503;
      webhooks.push(headers['webhook-id'] ?? '');
      return 204;
    };
    const port = await freePort();
    settings = {
      PORT: String(port),
      HOST: '127.0.0.1',
      PUBLIC_URL: `http://127.0.0.1:${port}`,
      DATABASE_URL: store.url,
      DEMO_SHOP: 'off',
      LOG_LEVEL: 'error',
    };
    const merchant = await runCommandInProcess(['merchant', 'create', '--name', 'Kettle & Co'], settings);
    merchantId = Number(merchant.merchant_id);
    const method = ['--method', 'credit_card', '--currency', 'USD', '--fee-percent', '2.9', '--fee-fix', '0.30'];
    await runCommandInProcess(['merchant', 'method', '--merchant', String(merchantId), ...method], settings);
    token = String(
      (await runCommandInProcess(['token', 'create', '--merchant', String(merchantId)], settings)).access_token,
    );
    observer = openDatabase(store.directUrl, () => undefined);
    program = await start();
    chain = createSimulatedBitcoin({ database: observer, clock: systemClock(), random: systemRandom, name: 'bitcoin' });
    load = startLoad({ baseUrl: settings.PUBLIC_URL ?? '', token, workers: WORKERS, run: 'fault' });
    // A host name, so that it must be resolved.
    const url = new URL(endpoint.url);
    url.hostname = 'localhost';
    await load.client.setPreference({ key: 'callback-url', value: url.href }, { timeoutMs: MINUTE_MS });
    await until('payments succeed', () => Promise.resolve(load.writes.length > 5));
  });
  after(async () => {
    mayEnd = true;
    await load?.abandon();
    await program?.kill();
    await endpoint.close();
    await observer?.close();
    await store.drop();
  });

  const whileSent = (message: object, repair: object) => async () => {
    await program.send(message);
    return async () => await program.send(repair);
  };
  const clockFault = (kind: string, sign: 1 | -1): Fault => ({
    kind,
    isTimed: true,
    cause: () => whileSent({ clockOffsetMs: Math.round(sign * between(1, 20) * MINUTE_MS) }, { clockOffsetMs: 0 })(),
  });
  const faultsOf = (): Fault[] => [
    ...store.faults.map((fault): Fault => ({ ...fault, kind: `database ${fault.kind}` })),
    ...(testEngine === 'sqlite'
      ? [{ kind: 'database read-only', isUnready: true, cause: whileSent({ isReadOnly: true }, { isReadOnly: false }) }]
      : []),
    clockFault('clock forward', 1),
    clockFault('clock back', -1),
    ...(['fails', 'hangs'] as const).map((dns) => ({
      kind: `DNS ${dns}`,
      isUnready: testEngine === 'postgres',
      async cause() {
        const repair = await whileSent({ dns }, { dns: null })();
        // Existing connections resolve no names.
        store.disconnect();
        return repair;
      },
    })),
    {
      kind: 'webhook endpoint fails',
      cause() {
        isEndpointDown = true;
        return Promise.resolve(() => Promise.resolve(void (isEndpointDown = false)));
      },
    },
    {
      kind: 'memory limit reached',
      isUnready: true,
      async cause() {
        mayEnd = true;
        await program.send({ fillsMemory: true });
        await program.ended;
        return async () => {
          // Restarts the program, like a supervisor.
          program = await start();
          mayEnd = false;
        };
      },
    },
  ];

  const isReady = async (): Promise<boolean> => {
    try {
      const response = await fetch(`${program.origin}/readyz`, { signal: AbortSignal.timeout(PROBE_MS) });
      await response.body?.cancel();
      return response.status === 200;
    } catch {
      return false;
    }
  };

  /** Pays the invoices that are not paid yet. */
  async function payInvoices(): Promise<void> {
    const rows = await db(observer)
      .selectFrom('crypto_transactions as transaction')
      .innerJoin('wallets as wallet', 'wallet.id', 'transaction.wallet_id')
      .select(['transaction.public_id', 'wallet.address'])
      .where('transaction.status', '=', 'pending')
      .execute();
    const paid = new Set([...paidFor.values()].map(({ invoiceId }) => invoiceId));
    for (const { public_id: invoiceId, address } of rows) {
      if (paid.has(invoiceId)) continue;
      const { txHash } = await chain.pay({ address, code: 'btc', amount: AMOUNT });
      paidFor.set(txHash, { invoiceId, address, code: 'btc', amount: AMOUNT });
    }
    await chain.mine(3);
  }

  async function areDepositsCredited(): Promise<boolean> {
    const rows = await db(observer).selectFrom('crypto_transactions').select(['public_id', 'status']).execute();
    const paid = new Set([...paidFor.values()].map(({ invoiceId }) => invoiceId));
    return rows.every(({ public_id: id, status }) => !paid.has(id) || status === 'complete');
  }

  /** Injects a fault under load, removes it, and waits until requests succeed without a restart. */
  async function injectFault({ kind, cause, isUnready = false, isTimed = false }: Fault): Promise<void> {
    await pause(between(0, MAX_WAIT_MS));
    const durationMs = between(MIN_FAULT_MS, MAX_FAULT_MS);
    const repair = await cause();
    countFault(kind);
    try {
      if (isUnready) await until(`the service reports that it is not ready: ${kind}`, async () => !(await isReady()));
      await pause(durationMs);
    } finally {
      await repair();
    }
    const repairedMs = performance.now();
    await until(`the service is ready again: ${kind}`, isReady);
    await until(`requests succeed again: ${kind}`, () => Promise.resolve((load.writes.at(-1) ?? 0) > repairedMs));
    await payInvoices();
    if (!isTimed) await moveDueTimesBack(observer);
    await until(`deposits are credited: ${kind}`, areDepositsCredited);
  }

  /** Stops the load, and checks all acknowledged requests. */
  async function check(): Promise<void> {
    await load.stop();
    await payInvoices();
    await until('deposits are credited', areDepositsCredited);
    await until('all payments and webhooks are finished', () => isIdle(observer));
    const violations = [
      ...crashes,
      ...load.violations,
      ...(await findLoadViolations({ database: observer, load, receivedIds: webhooks })),
    ];
    assert.deepEqual(violations, []);
    await assertInvoices(observer, merchantId, paidFor);
    await assertLedger(observer);
    await countRowsForProof(observer);
  }

  test('loses nothing, charges nothing twice, sends every webhook, and recovers', async (context) => {
    context.diagnostic(`SEED=${seed} repeats these faults with similar timing`);
    for (const kind of store.skipped) context.diagnostic(`skipped, not counted: ${kind}`);
    const injected: string[] = [];
    try {
      let remaining: Fault[] = [];
      while (hasNext()) {
        if (remaining.length === 0)
          remaining = shuffle(faultsOf(), random).filter(({ kind }) => !FAULT || kind === FAULT);
        const fault = remaining.pop() ?? assert.fail();
        injected.push(fault.kind);
        const startedMs = performance.now();
        await injectFault(fault);
        context.diagnostic(`${fault.kind}: ${Math.round(performance.now() - startedMs)} ms`);
      }
      await check();
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error);
      throw new Error(`With SEED=${seed}, after ${injected.join(', ')}: ${message}`, { cause: error });
    }
    const errors = [...load.figures.errors].map(([name, count]) => `${count} × ${name}`).join(', ');
    context.diagnostic(
      `${injected.length} faults, ${load.facts.confirmed.size} payments, ${paidFor.size} deposits, ${webhooks.length} webhooks; repeated requests: ${errors}`,
    );
  });
});

function shuffle<Item>(items: readonly Item[], random: () => number): Item[] {
  return items
    .map((item) => ({ item, at: random() }))
    .toSorted((one, other) => one.at - other.at)
    .map(({ item }) => item);
}
