import { db } from '../support/tables.ts';
import assert from 'node:assert/strict';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, test } from 'node:test';
import fc from 'fast-check';
import { sql } from 'kysely';
import { type ChainName, chainNames, cryptoCurrencies } from '../../src/shared/crypto-currency.ts';
import type { CryptoTransaction } from '../../src/api/crypto-transaction.ts';
import { HOUR, MINUTE } from '../../src/shared/time.ts';
import { createInvoice } from '../../src/invoices/create.ts';
import { approveTransaction, rejectTransaction } from '../../src/invoices/review.ts';
import { resumeIssuing } from '../../src/wallets/accounts.ts';
import { writeBackup } from '../../src/backup/backup.ts';
import { restore as restoreBackup } from '../../src/startup/restore.ts';
import type { Database } from '../../src/database/database.ts';
import { openDatabase } from '../../src/database/open.ts';
import { Problem } from '../../src/api/problem-error.ts';
import { createTestDatabase, testEngine } from '../support/databases.ts';
import { payerErrors } from '../support/invoice-checks.ts';
import { runSequences, type StepCounts } from '../support/models.ts';
import { addressOn } from '../support/simulated-chains.ts';
import { withdrawalsOf } from '../support/withdrawals.ts';
import { openFixture, type TestMerchant, type Fixture } from '../support/fixture.ts';

const STEPS = { minLength: 20, maxLength: 50 };
/** More addresses than a sequence issues between backup and restore. */
const BEYOND = 60;

type Step =
  | { do: 'invoice'; merchant: number; type: 'static' | 'revolver' | 'user'; code: 'btc' | 'usdt' | 'ltc' }
  | { do: 'pay'; which: number; how: keyof typeof payerErrors }
  | { do: 'mine'; chain: ChainName; blocks: number }
  | { do: 'approve' | 'reject'; which: number }
  | { do: 'merchant' | 'look' | 'backup' | 'restore' };

const which = fc.nat(9);
const step: fc.Arbitrary<Step> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      do: fc.constant('invoice' as const),
      merchant: fc.nat(3),
      type: fc.constantFrom('static' as const, 'revolver' as const, 'user' as const),
      code: fc.constantFrom('btc' as const, 'usdt' as const, 'usdt' as const, 'ltc' as const),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('pay' as const),
      which,
      how: fc.constantFrom('exact', 'exact', 'less', 'more'),
    }),
  },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constant('mine' as const),
      chain: fc.constantFrom<ChainName>('bitcoin', 'ethereum', 'ethereum', 'litecoin'),
      blocks: fc.constantFrom(1, 2, 13),
    }),
  },
  { weight: 3, arbitrary: fc.record({ do: fc.constantFrom('approve' as const, 'reject' as const), which }) },
  {
    weight: 6,
    arbitrary: fc.record({
      do: fc.constantFrom<'merchant' | 'look' | 'backup' | 'restore'>('merchant', 'look', 'look', 'backup', 'restore'),
    }),
  },
);

const paid = (code: 'btc' | 'usdt', how: keyof typeof payerErrors): Step[] => [
  { do: 'invoice', merchant: 0, type: 'revolver', code },
  { do: 'pay', which: 0, how },
  { do: 'mine', chain: cryptoCurrencies[code].chain, blocks: 13 },
  { do: 'look' },
];
const examples: { hasMarks: boolean; steps: Step[] }[] = [
  {
    hasMarks: true,
    steps: [
      ...paid('btc', 'less'),
      { do: 'backup' },
      { do: 'approve', which: 0 },
      ...paid('usdt', 'less'),
      { do: 'reject', which: 0 },
      { do: 'look' },
      { do: 'restore' },
    ],
  },
];
/** Number of fixed sequences; fewer on PostgreSQL, where only locking differs. */
const FIXED = { seed: 1, runs: testEngine === 'sqlite' ? 2 : 1, examples };

/** Merchants and payers of a service whose database is restored from a backup while the chains continue. */
class RestoreScenario {
  #fixture: Fixture;
  readonly #folder: string;
  readonly #env: Record<string, string>;
  #merchants: TestMerchant[] = [];
  #backup: { path: string; merchants: TestMerchant[] } | null = null;
  #made = 0;
  restored = 0;
  /** Every address ever issued, including those lost by the database, with its merchant and invoices. */
  readonly #issued = new Map<string, { merchant: TestMerchant; invoice: CryptoTransaction; place: number }>();
  readonly #paid = new Map<string, bigint>();
  /** Rejected deposits, by refund address. */
  readonly #rejected = new Map<string, Map<string, bigint>>();
  readonly #destinations = new Map<TestMerchant, number>();

  private constructor(fixture: Fixture, folder: string, env: Record<string, string>) {
    this.#fixture = fixture;
    this.#folder = folder;
    this.#env = env;
  }

  static async begin(hasMarks: boolean): Promise<RestoreScenario> {
    const folder = mkdtempSync(join(tmpdir(), 'paylatch-restored-model-'));
    const env = {
      PAYLATCH_SECRET_KEY: 'ab'.repeat(32),
      WITHDRAWAL_DESTINATION_DELAY_HOURS: '0',
      ...(hasMarks && { ADDRESS_MARKS: join(folder, 'marks') }),
    };
    const runSequence = new RestoreScenario(await openFixture({ env, reconciles: false }), folder, env);
    await runSequence.#fixture.work();
    await withdrawalsOf(() => runSequence.#fixture).fillGasWallet(10n ** 18n);
    for (let count = 0; count < 2; count += 1) await runSequence.take({ do: 'merchant' });
    return runSequence;
  }

  async end(): Promise<void> {
    await this.#fixture.close();
    rmSync(this.#folder, { recursive: true });
  }

  get #context() {
    return this.#fixture.service().invoices.context;
  }

  /** Returns false if the step was not applicable. */
  async take(step: Step): Promise<boolean> {
    const merchantApi = withdrawalsOf(() => this.#fixture);
    switch (step.do) {
      case 'merchant': {
        const merchant = await this.#fixture.makeMerchant('Kettle & Co');
        const place = 3000 + this.#destinations.size;
        this.#destinations.set(merchant, place);
        await merchantApi.prefer(
          {
            'auto-withdrawal': true,
            'auto-withdrawal-destination-btc': addressOn.bitcoin(place),
            'auto-withdrawal-destination-ltc': addressOn.litecoin(place),
            'auto-withdrawal-destination-usdt': addressOn.ethereum(place),
            'wallet-rotate-amount-btc': '1',
            'wallet-rotate-amount-ltc': '1',
            'wallet-rotate-amount-usdt': '1',
          },
          merchant,
        );
        this.#merchants.push(merchant);
        return true;
      }
      case 'invoice':
        await this.#invoice(step);
        return true;
      case 'pay': {
        const all = [...this.#issued.values()].reverse();
        const { invoice } = all[step.which % Math.max(1, all.length)] ?? {};
        if (!invoice) return false;
        const amount = payerErrors[step.how](BigInt(invoice.amountRequired ?? 0));
        await merchantApi.pay(invoice, amount);
        this.#paid.set(invoice.walletAddress, (this.#paid.get(invoice.walletAddress) ?? 0n) + amount);
        return true;
      }
      case 'mine':
        await merchantApi.chain(step.chain).mine(step.blocks);
        return true;
      case 'approve':
      case 'reject':
        return await this.#decide(step.do, step.which);
      case 'look':
        await this.runAndCheck();
        return true;
      case 'backup': {
        this.#made += 1;
        const path = join(this.#folder, `${this.#made}.backup`);
        await writeBackup({ database: this.#fixture.service().database, path, now: this.#fixture.clock.now() });
        this.#backup = { path, merchants: [...this.#merchants] };
        return true;
      }
      case 'restore':
        return await this.#restore();
    }
  }

  async runAndCheck(): Promise<void> {
    const { jobs } = this.#fixture.service().invoices;
    for (let found = 1; found > 0; ) {
      found = 0;
      for (const job of jobs) found += await job.runOnce();
    }
    await this.#assertSentOnce();
  }

  async #invoice({ merchant: which, type, code }: Extract<Step, { do: 'invoice' }>): Promise<void> {
    const merchant = this.#merchants[which % Math.max(1, this.#merchants.length)];
    if (!merchant) return;
    this.#made += 1;
    const request = { txId: `invoice-${this.#made}`, code, amount: '40000000', type };
    let invoice: CryptoTransaction;
    try {
      invoice = await createInvoice(this.#context, merchant.id, request);
    } catch (error) {
      assert.ok(error instanceof Problem && error.errors.length === 0, String(error));
      assert.match(error.message + JSON.stringify(error), /addresses resume|chain_unavailable/);
      await this.#settle();
      invoice = await createInvoice(this.#context, merchant.id, request);
    }
    const { walletAddress } = invoice;
    const owner = this.#issued.get(walletAddress);
    assert.ok(!owner || owner.merchant === merchant, `${walletAddress} belongs to two merchants`);
    assert.ok(!owner || type !== 'user' || owner.invoice.id === invoice.id, `${walletAddress} belongs to two users`);
    this.#issued.set(walletAddress, { merchant, invoice, place: owner?.place ?? this.#issued.size });
  }

  /** Settles addresses as an operator without marks. A backup may be older than the last one, so each skips further. */
  async #settle(): Promise<void> {
    const { database, addresses } = this.#context;
    const accounts = await db(database).selectFrom('wallet_accounts').select(['id', 'next_index']).execute();
    for (const { id, next_index: next } of accounts)
      await resumeIssuing({ database, clock: this.#fixture.clock, addresses }, id, next + BEYOND * (1 + this.restored));
  }

  async #decide(verdict: 'approve' | 'reject', which: number): Promise<boolean> {
    const query = db(this.#context.database);
    const waiting = await query
      .selectFrom('crypto_transactions as transaction')
      .innerJoin('wallets', 'wallets.id', 'transaction.wallet_id')
      .select(['transaction.id', 'transaction.public_id', 'transaction.merchant_id', 'transaction.type'])
      .select(['transaction.chain', 'wallets.address'])
      .where('transaction.status', '=', 'approved_required')
      .where('transaction.kind', '<>', 'stray')
      .orderBy('transaction.id')
      .execute();
    const one = waiting[which % Math.max(1, waiting.length)];
    if (!one) return false;
    const decision = { id: one.public_id, reviewer: 'a person', reason: null };
    if (verdict === 'approve') {
      await approveTransaction(this.#context, one.merchant_id, decision);
      return true;
    }
    const place = this.#issued.get(one.address)?.place;
    const refundAddress =
      one.type === 'user' || place === undefined ? null : addressOn[one.chain as ChainName](2000 + place);
    if (refundAddress !== null) {
      const deposits = await query
        .selectFrom('deposits')
        .select(['payment_key', 'amount'])
        .where('crypto_transaction_id', '=', one.id)
        .execute();
      const rejected = this.#rejected.get(refundAddress) ?? new Map<string, bigint>();
      for (const { payment_key: key, amount } of deposits) rejected.set(key, BigInt(amount));
      this.#rejected.set(refundAddress, rejected);
    }
    await rejectTransaction(this.#context, one.merchant_id, { ...decision, refundAddress });
    return true;
  }

  /** Restores the database of the backup, with the current chains. */
  async #restore(): Promise<boolean> {
    if (!this.#backup) return false;
    const { path, merchants } = this.#backup;
    const store = await createTestDatabase();
    const target = openDatabase(store.url, (error) => console.error(error));
    await restoreBackup({ database: target, path });
    await copyChains(this.#fixture.service().database, target);
    await target.close();
    const { clock } = this.#fixture;
    await this.#fixture.close({ isCounted: false });
    this.#fixture = await openFixture({ env: this.#env, database: store, clock, reconciles: false });
    this.#merchants = [...merchants];
    this.restored += 1;
    clock.advance(MINUTE);
    return true;
  }

  /** No deposit is refunded twice, and no merchant receives more than was paid to its wallets. */
  async #assertSentOnce(): Promise<void> {
    const { received } = withdrawalsOf(() => this.#fixture);
    for (const [address, deposits] of this.#rejected) {
      const most = [...deposits.values()].reduce((sum, amount) => sum + amount, 0n);
      for (const code of ['btc', 'ltc', 'usdt'] as const) {
        const sent = await received(cryptoCurrencies[code].chain, address, code);
        assert.ok(sent <= most, `${sent} ${code} refunded to ${address}, of ${most}`);
      }
    }
    for (const [merchant, place] of this.#destinations)
      for (const code of ['btc', 'ltc', 'usdt'] as const) {
        const { chain } = cryptoCurrencies[code];
        const issued = [...this.#issued].filter(([, each]) => each.merchant === merchant && each.invoice.code === code);
        const paid = issued.reduce((sum, [address]) => sum + (this.#paid.get(address) ?? 0n), 0n);
        let sent = await received(chain, addressOn[chain](place), code);
        for (const [, each] of issued) sent += await received(chain, addressOn[chain](2000 + each.place), code);
        assert.ok(sent <= paid, `${sent} ${code} sent of ${paid} that were paid`);
      }
  }

  /** Issues new addresses to each merchant, and runs all due work. */
  async finish(): Promise<void> {
    for (const merchant of this.#merchants.keys())
      for (const code of ['btc', 'ltc', 'usdt', 'usdt'] as const)
        await this.#invoice({ do: 'invoice', merchant, type: 'user', code });
    for (let round = 0; round < 3; round += 1) {
      for (const chain of chainNames)
        await withdrawalsOf(() => this.#fixture)
          .chain(chain)
          .mine(13);
      this.#fixture.clock.advance(HOUR);
      await this.runAndCheck();
    }
  }
}

async function copyChains(from: Database, to: Database): Promise<void> {
  const tables = ['simulated_chains', 'simulated_blocks', 'simulated_transactions', 'simulated_outputs'] as const;
  await to.inTransaction(async (unit) => {
    for (const table of tables.toReversed()) await db(unit).deleteFrom(table).execute();
    for (const table of tables) {
      const rows = await db(from).selectFrom(table).selectAll().execute();
      for (let first = 0; first < rows.length; first += 100)
        await db(unit)
          .insertInto(table)
          .values(rows.slice(first, first + 100))
          .execute();
    }
    // Inserting rows with IDs does not advance the sequence.
    if (to.engine === 'postgres')
      await sql`select setval(pg_get_serial_sequence('simulated_transactions', 'id'), max(id)) from simulated_transactions`.execute(
        db(unit),
      );
  });
}

describe('random sequences between a backup and its restore', () => {
  test('no address belongs to two merchants, and no withdrawal is sent twice', async (context) => {
    const sequences = fc.record({ hasMarks: fc.boolean(), steps: fc.array(step, STEPS) });
    const runSequence = async ({ hasMarks, steps }: { hasMarks: boolean; steps: Step[] }, tally: StepCounts) => {
      const service = await RestoreScenario.begin(hasMarks);
      try {
        for (const each of steps) tally.count(each.do, await service.take(each));
        await service.finish();
      } finally {
        await service.end();
      }
    };
    await runSequences(context, {
      sequences,
      fixed: FIXED,
      steps: step,
      kindOf: (each) => each.do,
      play: runSequence,
    });
  });
});
