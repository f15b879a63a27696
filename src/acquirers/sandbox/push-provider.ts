import type { Runner } from '../../database/engine.ts';
import { db } from './schema.ts';
import { type CurrencyCode } from '../../api/currency.ts';
import { type Instant, MINUTE, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../../database/database.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import type { Job } from '../../jobs/runner.ts';
import { isRandomId, type Random, randomId } from '../../system/random.ts';
import {
  AlreadyWithdrawn,
  type ExpectedPayment,
  type IssuedInstructions,
  type PushListener,
  type PushPayment,
  type PushProvider,
} from '../push-port.ts';
import { createSandboxRefunds } from './refunds.ts';
import { choicesOf, makeInstructions } from './issue.ts';

/** How long after the end a buyer pays who pays too late. */
const LATE_BY: Instant = MINUTE;
/** How long money takes to go back by bank or chain. */
const REFUND_TAKES: Instant = 30 * SECOND;

/** What a tester can have the buyer do. Doing nothing is one more. */
export const simulatedDecisions = ['exact', 'less', 'more', 'twice', 'late', 'refuse'] as const;
export type SimulatedDecision = (typeof simulatedDecisions)[number];

/** A payment as the simulator's page shows it. */
export interface SimulatorPage {
  merchantName: string;
  method: string;
  amountMinor: bigint;
  currency: CurrencyCode;
  receivedMinor: bigint;
  returnUrl: string;
  /** The buyer's own browser was sent here, and goes back to the payment; otherwise a tester has come beside it. */
  isBuyersWay: boolean;
  state: PushPayment['state'];
  expiresAt: Instant;
}

export interface SandboxPushProvider extends PushProvider {
  findSimulatorPage(pageId: string): Promise<SimulatorPage | null>;
  /** Plays the buyer's bank. Money that is sent arrives, whatever has become of the payment. */
  simulate(pageId: string, decision: SimulatedDecision, onPayment: PushListener): Promise<void>;
  /** Sends late payments. */
  createLateJob(onPayment: PushListener): Job;
}

/** Banks and wallets, all simulated, with books of their own in the database. */
export function createSandboxPushProvider(options: {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
}): SandboxPushProvider {
  const { database, clock, random } = options;

  const find = async (reader: Runner, column: 'instructions_key' | 'simulator_page_id', value: string) =>
    await db(reader).selectFrom('sandbox_push_payments').selectAll().where(column, '=', value).executeTakeFirst();
  type Row = NonNullable<Awaited<ReturnType<typeof find>>>;

  const describe = async (reader: Runner, row: Row): Promise<PushPayment> => {
    const receipts = await db(reader)
      .selectFrom('sandbox_receipts')
      .selectAll()
      .where('sandbox_push_payment_id', '=', row.id)
      .orderBy('id')
      .execute();
    return {
      state: row.state as PushPayment['state'],
      confirmations: null,
      receipts: receipts.map((receipt) => ({
        receiptKey: receipt.receipt_key,
        amountMinor: BigInt(receipt.amount_minor),
        receivedAt: receipt.received_at,
      })),
    };
  };

  /** The row with a change to it, held while it is changed. */
  const change = async (instructionsKey: string, work: (unit: UnitOfWork, row: Row) => Promise<Row>) =>
    await database.inTransaction(async (unit) => {
      const query = db(unit)
        .selectFrom('sandbox_push_payments')
        .selectAll()
        .where('instructions_key', '=', instructionsKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      return row ? await describe(unit, await work(unit, row)) : null;
    });

  const setState = async (unit: UnitOfWork, row: Row, state: PushPayment['state']): Promise<Row> => {
    await db(unit).updateTable('sandbox_push_payments').set({ state }).where('id', '=', row.id).execute();
    return { ...row, state };
  };

  const receive = async (unit: UnitOfWork, row: Row, amounts: readonly number[]): Promise<Row> => {
    for (const amount of amounts.filter((each) => each > 0)) {
      await db(unit)
        .insertInto('sandbox_receipts')
        .values({
          sandbox_push_payment_id: row.id,
          receipt_key: randomId(random),
          amount_minor: amount,
          received_at: clock.now(),
          confirmations_missing: 0,
        })
        .execute();
    }
    return row;
  };

  const insert = async (
    payment: Pick<ExpectedPayment, 'instructionsKey'> & Partial<ExpectedPayment>,
    issued: IssuedInstructions | null,
    pageId: string,
  ) => {
    await database.inTransaction(async (unit) => {
      await db(unit)
        .insertInto('sandbox_push_payments')
        .values({
          instructions_key: payment.instructionsKey,
          simulator_page_id: pageId,
          state: issued ? 'open' : 'closed',
          method: payment.method?.code ?? '',
          choice: payment.choice ?? null,
          amount_minor: Number(payment.amountMinor ?? 0n),
          currency: payment.currency ?? '',
          merchant_name: payment.merchantName ?? '',
          return_url: payment.returnUrl ?? '',
          issued: issued && JSON.stringify(issued),
          expires_at: issued?.expiresAt ?? clock.now(),
          pays_late_at: null,
          created_at: clock.now(),
        })
        .onConflict((conflict) => conflict.column('instructions_key').doNothing())
        .execute();
    });
    const row = await find(database, 'instructions_key', payment.instructionsKey);
    if (!row) throw new Error('The sandbox lost a payment that it had just written');
    return row;
  };

  const refund = createSandboxRefunds({
    database,
    clock,
    takes: REFUND_TAKES,
    async findCharged(unit, chargeKey) {
      const query = db(unit).selectFrom('sandbox_push_payments').selectAll().where('instructions_key', '=', chargeKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      const { receipts } = row ? await describe(unit, row) : { receipts: [] };
      return receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    },
  });

  return {
    name: 'sandbox',
    carries: ({ action }) => action !== 'card' && action !== 'crypto',
    choices: ({ method, country }) => Promise.resolve({ choices: choicesOf(method, country), amountsUntil: null }),
    refund,

    async issue(payment) {
      const pageId = randomId(random);
      const simulatorUrl = `${options.publicUrl}/sandbox/simulator/${pageId}`;
      const issued = makeInstructions(payment, { random, now: clock.now(), simulatorUrl });
      const row = await insert(payment, issued, pageId);
      if (row.issued === null) throw new AlreadyWithdrawn();
      return JSON.parse(row.issued) as IssuedInstructions;
    },

    async lookUp(instructionsKey) {
      const row = await find(database, 'instructions_key', instructionsKey);
      return row ? await describe(database, row) : null;
    },

    async withdraw(instructionsKey) {
      const withdrawn = await change(instructionsKey, async (unit, row) =>
        row.state === 'open' ? await setState(unit, row, 'closed') : row,
      );
      if (withdrawn) return withdrawn;
      return await describe(database, await insert({ instructionsKey }, null, randomId(random)));
    },

    async simulatorUrl(instructionsKey) {
      const row = await find(database, 'instructions_key', instructionsKey);
      return row?.issued ? `${options.publicUrl}/sandbox/simulator/${row.simulator_page_id}` : null;
    },

    async findSimulatorPage(pageId) {
      if (!isRandomId(pageId)) return null;
      const row = await find(database, 'simulator_page_id', pageId);
      if (!row) return null;
      const { receipts, state } = await describe(database, row);
      const receivedMinor = receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      const action = row.issued === null ? null : (JSON.parse(row.issued) as IssuedInstructions).instructions.action;
      return {
        merchantName: row.merchant_name,
        method: row.method,
        amountMinor: BigInt(row.amount_minor),
        currency: row.currency as CurrencyCode,
        receivedMinor,
        returnUrl: row.return_url,
        isBuyersWay: action === 'redirect' || action === 'app_intent',
        state,
        expiresAt: row.expires_at,
      };
    },

    async simulate(pageId, decision, onPayment) {
      const found = await find(database, 'simulator_page_id', pageId);
      if (!found) return;
      const payment = await change(found.instructions_key, async (unit, row) => {
        if (decision === 'refuse') return row.state === 'open' ? await setState(unit, row, 'refused') : row;
        if (decision === 'late') {
          const paysLateAt = row.expires_at + LATE_BY;
          await db(unit)
            .updateTable('sandbox_push_payments')
            .set({ pays_late_at: paysLateAt })
            .where('id', '=', row.id)
            .execute();
          return row;
        }
        return await receive(unit, row, amountsOf(decision, row.amount_minor));
      });
      if (payment) await onPayment(found.instructions_key, payment);
    },

    createLateJob: (onPayment) => ({
      name: 'sandbox late payments',
      earliestDue: earliestDue('sandbox_push_payments', 'pays_late_at'),
      async round() {
        const due = await database.inTransaction(async (unit) => {
          const claimed = { table: 'sandbox_push_payments', column: 'pays_late_at', now: clock.now() } as const;
          const rows = await claimDue(db, unit, claimed);
          for (const row of rows) {
            await receive(unit, row, [row.amount_minor]);
            await db(unit)
              .updateTable('sandbox_push_payments')
              .set({ pays_late_at: null })
              .where('id', '=', row.id)
              .execute();
          }
          return rows;
        });
        for (const row of due) await onPayment(row.instructions_key, await describe(database, row));
        return due.length;
      },
    }),
  };
}

/** A tenth less, a tenth more, and never nothing. */
function amountsOf(decision: Exclude<SimulatedDecision, 'late' | 'refuse'>, amountMinor: number): number[] {
  const tenth = Math.max(1, Math.round(amountMinor / 10));
  switch (decision) {
    case 'exact':
      return [amountMinor];
    case 'less':
      return [amountMinor - tenth];
    case 'more':
      return [amountMinor + tenth];
    case 'twice':
      return [amountMinor, amountMinor];
  }
}
