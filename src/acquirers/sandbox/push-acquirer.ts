import type { Runner } from '../../database/engine.ts';
import { db } from './schema.ts';
import { type CurrencyCode } from '../../api/currency.ts';
import { type Instant, MINUTE, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type Database, lockRows, type UnitOfWork } from '../../database/database.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import type { Job } from '../../jobs/runner.ts';
import { isPublicId, type Random, publicId, randomId } from '../../system/random.ts';
import {
  AlreadyWithdrawn,
  type PushPaymentRequest,
  type IssuedInstructions,
  type PushPaymentKey,
  type PushPayment,
  type PushAcquirer,
} from '../push-port.ts';
import type { InProcessContext } from '../adapter.ts';
import { createSandboxRefunds } from './refunds.ts';
import { listMethodChoices, createInstructions } from './instructions.ts';

/** Delay of a simulated late payment after the expiry. */
const LATE_PAYMENT_DELAY: Instant = MINUTE;
/** Duration of a simulated refund. */
const REFUND_DELAY: Instant = 30 * SECOND;

/** Actions of the simulated buyer. */
export const simulatedActions = ['exact', 'underpay', 'overpay', 'duplicate', 'late', 'refuse'] as const;
export type SimulatedAction = (typeof simulatedActions)[number];

/** Data of the simulator's page. */
export interface SimulatorPage {
  merchantName: string;
  method: string;
  amountMinor: bigint;
  currency: CurrencyCode;
  receivedMinor: bigint;
  returnUrl: string;
  /** True if the buyer's browser was redirected here and returns to the payment; false if a tester opened the page. */
  isRedirect: boolean;
  state: PushPayment['state'];
  expiresAt: Instant;
}

export interface SandboxPushAcquirer extends PushAcquirer {
  fetchPayment(payment: Pick<PushPaymentKey, 'instructionsKey'>): Promise<PushPayment | null>;
  findSimulatorPage(pageId: string): Promise<SimulatorPage | null>;
  /** Simulates the buyer's bank. Sent funds always arrive, in any state of the payment. */
  simulate(pageId: string, decision: SimulatedAction, notify: InProcessContext['notify']): Promise<void>;
  /** Sends the late payments. */
  createLatePaymentJob(notify: InProcessContext['notify']): Job;
}

/** Simulates banks and wallets, with separate tables. */
export function createSandboxPushAcquirer(options: {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
}): SandboxPushAcquirer {
  const { database, clock, random } = options;

  const findPayment = async (reader: Runner, column: 'instructions_key' | 'simulator_page_id', value: string) =>
    await db(reader).selectFrom('sandbox_push_payments').selectAll().where(column, '=', value).executeTakeFirst();
  type Row = NonNullable<Awaited<ReturnType<typeof findPayment>>>;

  const readPayment = async (reader: Runner, row: Row): Promise<PushPayment> => {
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

  /** Locks a payment and applies `work` to it. Returns the resulting state; null for an unknown key. */
  const updatePayment = async (instructionsKey: string, work: (unit: UnitOfWork, row: Row) => Promise<Row>) =>
    await database.inTransaction(async (unit) => {
      const query = db(unit)
        .selectFrom('sandbox_push_payments')
        .selectAll()
        .where('instructions_key', '=', instructionsKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      return row ? await readPayment(unit, await work(unit, row)) : null;
    });

  const setState = async (unit: UnitOfWork, row: Row, state: PushPayment['state']): Promise<Row> => {
    await db(unit).updateTable('sandbox_push_payments').set({ state }).where('id', '=', row.id).execute();
    return { ...row, state };
  };

  const insertReceipts = async (unit: UnitOfWork, row: Row, amounts: readonly number[]): Promise<Row> => {
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

  const insertPayment = async (
    payment: Pick<PushPaymentRequest, 'instructionsKey'> & Partial<PushPaymentRequest>,
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
    const row = await findPayment(database, 'instructions_key', payment.instructionsKey);
    if (!row) throw new Error('The inserted sandbox payment was not found');
    return row;
  };

  const refund = createSandboxRefunds({
    database,
    clock,
    delay: REFUND_DELAY,
    async lockChargedAmount(unit, chargeKey) {
      const query = db(unit).selectFrom('sandbox_push_payments').selectAll().where('instructions_key', '=', chargeKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      const { receipts } = row ? await readPayment(unit, row) : { receipts: [] };
      return receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
    },
  });

  /** Reports the state of a payment. */
  const notifyPayment = async (notify: InProcessContext['notify'], instructionsKey: string, payment: PushPayment) => {
    const id = `${instructionsKey} ${payment.state} ${payment.receipts.length}`;
    await notify([{ id, kind: 'push_payment', instructionsKey, payment }]);
  };

  return {
    listChoices: ({ method, country }) =>
      Promise.resolve({ choices: listMethodChoices(method, country), quoteExpiresAt: null }),
    refund,

    async issueInstructions(payment) {
      const pageId = publicId(random);
      const simulatorUrl = `${options.publicUrl}/sandbox/simulator/${pageId}`;
      const issued = createInstructions(payment, { random, now: clock.now(), simulatorUrl });
      const row = await insertPayment(payment, issued, pageId);
      if (row.issued === null) throw new AlreadyWithdrawn();
      return JSON.parse(row.issued) as IssuedInstructions;
    },

    async fetchPayment({ instructionsKey }) {
      const row = await findPayment(database, 'instructions_key', instructionsKey);
      return row ? await readPayment(database, row) : null;
    },

    async withdraw({ instructionsKey }) {
      const withdrawn = await updatePayment(instructionsKey, async (unit, row) =>
        row.state === 'open' ? await setState(unit, row, 'closed') : row,
      );
      if (withdrawn) return withdrawn;
      return await readPayment(database, await insertPayment({ instructionsKey }, null, randomId(random)));
    },

    async simulatorUrl(instructionsKey) {
      const row = await findPayment(database, 'instructions_key', instructionsKey);
      return row?.issued ? `${options.publicUrl}/sandbox/simulator/${row.simulator_page_id}` : null;
    },

    async findSimulatorPage(pageId) {
      if (!isPublicId(pageId)) return null;
      const row = await findPayment(database, 'simulator_page_id', pageId);
      if (!row) return null;
      const { receipts, state } = await readPayment(database, row);
      const receivedMinor = receipts.reduce((sum, { amountMinor }) => sum + amountMinor, 0n);
      const action = row.issued === null ? null : (JSON.parse(row.issued) as IssuedInstructions).instructions.action;
      return {
        merchantName: row.merchant_name,
        method: row.method,
        amountMinor: BigInt(row.amount_minor),
        currency: row.currency as CurrencyCode,
        receivedMinor,
        returnUrl: row.return_url,
        isRedirect: action === 'redirect' || action === 'app_intent',
        state,
        expiresAt: row.expires_at,
      };
    },

    async simulate(pageId, action, notify) {
      const stored = await findPayment(database, 'simulator_page_id', pageId);
      if (!stored) return;
      const payment = await updatePayment(stored.instructions_key, async (unit, row) => {
        if (action === 'refuse') return row.state === 'open' ? await setState(unit, row, 'refused') : row;
        if (action === 'late') {
          const paysLateAt = row.expires_at + LATE_PAYMENT_DELAY;
          await db(unit)
            .updateTable('sandbox_push_payments')
            .set({ pays_late_at: paysLateAt })
            .where('id', '=', row.id)
            .execute();
          return row;
        }
        return await insertReceipts(unit, row, simulatedAmounts(action, row.amount_minor));
      });
      if (payment) await notifyPayment(notify, stored.instructions_key, payment);
    },

    createLatePaymentJob: (notify) => ({
      name: 'sandbox late payments',
      earliestDue: earliestDue('sandbox_push_payments', 'pays_late_at'),
      async runOnce() {
        const due = await database.inTransaction(async (unit) => {
          const claimed = { table: 'sandbox_push_payments', column: 'pays_late_at', now: clock.now() } as const;
          const rows = await claimDue(db, unit, claimed);
          for (const row of rows) {
            await insertReceipts(unit, row, [row.amount_minor]);
            await db(unit)
              .updateTable('sandbox_push_payments')
              .set({ pays_late_at: null })
              .where('id', '=', row.id)
              .execute();
          }
          return rows;
        });
        for (const row of due) await notifyPayment(notify, row.instructions_key, await readPayment(database, row));
        return due.length;
      },
    }),
  };
}

/** Amounts sent for an action: exact, 10% less, 10% more, or twice. */
function simulatedAmounts(action: Exclude<SimulatedAction, 'late' | 'refuse'>, amountMinor: number): number[] {
  const tenth = Math.max(1, Math.round(amountMinor / 10));
  switch (action) {
    case 'exact':
      return [amountMinor];
    case 'underpay':
      return [amountMinor - tenth];
    case 'overpay':
      return [amountMinor + tenth];
    case 'duplicate':
      return [amountMinor, amountMinor];
  }
}
