import assert from 'node:assert/strict';
import type { Database } from '../../src/database/database.ts';
import type { SimulatorCharge } from '../acquirers/simulators/charges.ts';
import { assertDeliveryOrder, assertPayments } from './payment-checks.ts';
import type { Load } from './payment-load.ts';
import { db } from './tables.ts';

const REFUNDED_MINOR = 100;

/** A charge in the record of an acquirer that runs outside the service. */
export interface AcquirerCharge extends SimulatorCharge {
  attemptKey: string;
  /** The merchant's reference, as sent with the charge. */
  transactionId: string | null;
}

/** Checks all invariants once nothing is in progress; returns the violations. */
export async function findLoadViolations({
  database,
  load,
  receivedIds,
  charges,
}: {
  database: Database;
  load: Load;
  /** The `webhook-id`s that the endpoint accepted, in order. */
  receivedIds: readonly string[];
  /** The acquirer's record; without it, the charges are those of the sandbox. */
  charges?: readonly AcquirerCharge[];
}): Promise<string[]> {
  const violations: string[] = [];
  const check = async (run: () => Promise<void>) => {
    try {
      await run();
    } catch (error) {
      violations.push(error instanceof Error ? error.message : String(error));
    }
  };
  await load.finishPulling();
  const { facts } = load;
  // Nothing acknowledged is lost, and nothing is charged twice: the service's records and those of the acquirer.
  await check(
    async () =>
      await assertPayments(
        database,
        { created: facts.created, confirmed: facts.confirmed, approvedAtIssuer: new Set() },
        charges?.map((charge) => ({
          attempt_key: charge.attemptKey,
          amount_minor: Number(charge.amountMinor),
          state: isKept(charge) ? 'approved' : charge.state,
        })),
      ),
  );
  await check(async () => {
    if (charges) await checkCharges(database, charges, facts);
    else await checkRefunds(database, facts.refunded);
  });
  await check(async () => await checkStatuses(load));
  await check(async () => await checkInvoices(load));
  await check(async () => await assertDeliveryOrder(database, receivedIds));
  await check(async () => await checkEvents(database, load.pulled, receivedIds));
  return violations;
}

/** True if no charge, refund or webhook is in progress. */
export async function isIdle(database: Database): Promise<boolean> {
  const attempts = await db(database)
    .selectFrom('card_attempts')
    .select('id')
    .where('state', 'in', ['submitting', 'unknown', 'duplicate'])
    .execute();
  const callbacks = await db(database).selectFrom('callbacks').select('id').where('state', '=', 'pending').execute();
  const refunds = await db(database).selectFrom('refunds').select('id').where('state', '=', 'pending').execute();
  return attempts.length + callbacks.length + refunds.length === 0;
}

/**
 * The acquirer has exactly one charge of each confirmed payment and of no other, with the refunds of the service.
 * Acknowledged payments and refunds are among them.
 */
async function checkCharges(
  database: Database,
  charges: readonly AcquirerCharge[],
  { confirmed, refunded }: Load['facts'],
): Promise<void> {
  const charged = Map.groupBy(charges.filter(isKept), ({ transactionId }) => transactionId ?? 'unknown');
  const rows = await db(database)
    .selectFrom('fiat_transactions')
    .select(['transaction_id', 'amount_received_minor', 'amount_refunded_minor'])
    .where('status', '=', 'confirmed')
    .execute();
  const stored = new Map(
    rows.map((row) => [row.transaction_id, `${row.amount_received_minor} - ${row.amount_refunded_minor}`]),
  );
  const violations: string[] = [];
  for (const reference of new Set([...charged.keys(), ...stored.keys(), ...confirmed])) {
    const own = charged.get(reference) ?? [];
    const atAcquirer = own.map(({ paidMinor, refundedMinor }) => `${paidMinor} - ${refundedMinor}`).join(' and ');
    const inService = stored.get(reference);
    if (atAcquirer !== inService)
      violations.push(`${reference}: charged ${atAcquirer || 'nothing'} at the acquirer, ${inService} in the service`);
    if (refunded.has(reference) && own[0]?.refundedMinor !== BigInt(REFUNDED_MINOR))
      violations.push(`the acquirer refunded ${own[0]?.refundedMinor} of ${reference}`);
  }
  assert.ok(violations.length === 0, violations.join('; '));
}

/** True if the payer was charged, and not refunded in full. */
function isKept({ state, paidMinor, refundedMinor }: AcquirerCharge): boolean {
  return state === 'paid' && refundedMinor < paidMinor;
}

/** The acquirer refunded each acknowledged refund once. */
async function checkRefunds(database: Database, refunded: ReadonlySet<string>): Promise<void> {
  const refunds = await db(database)
    .selectFrom('sandbox_refunds as refund')
    .innerJoin('card_attempts as attempt', 'attempt.attempt_key', 'refund.charge_key')
    .innerJoin('fiat_transactions as transaction', 'transaction.id', 'attempt.fiat_transaction_id')
    .select(['transaction.transaction_id', 'refund.amount_minor', 'refund.state'])
    .execute();
  for (const reference of refunded) {
    const own = refunds.filter((refund) => refund.transaction_id === reference);
    assert.deepEqual(
      own.map(({ amount_minor: amount, state }) => ({ amount, state })),
      [{ amount: REFUNDED_MINOR, state: 'given' }],
      `refunds of ${reference}`,
    );
  }
  const references = refunds.map((refund) => refund.transaction_id);
  assert.equal(new Set(references).size, references.length, 'a payment was refunded twice');
}

/** The API reports the acknowledged statuses. */
async function checkStatuses({ client, facts }: Load): Promise<void> {
  const statuses = new Map<string, string>();
  for await (const { transaction_id: reference, status } of client.eachTransaction()) statuses.set(reference, status);
  const expected = (reference: string) => {
    if (facts.confirmed.has(reference)) return 'transaction_status_confirmed';
    return facts.declined.has(reference) ? /pending|failed/ : /./;
  };
  for (const reference of facts.created.keys()) {
    const status = statuses.get(reference) ?? 'missing';
    const expectation = expected(reference);
    const agrees = typeof expectation === 'string' ? status === expectation : expectation.test(status);
    assert.ok(agrees && status !== 'missing', `${reference} is ${status}, not ${expectation}`);
  }
}

/** Each acknowledged invoice has its own address. */
async function checkInvoices({ client, facts }: Load): Promise<void> {
  const addresses = new Map<string, string>();
  let cursor: string | null = null;
  do {
    const page = await client.listCryptoTransactions({ per_page: 100, ...(cursor !== null && { cursor }) });
    for (const { txId, walletAddress } of page.transactions) addresses.set(String(txId), walletAddress);
    cursor = page.next_cursor;
  } while (cursor !== null);
  for (const [txId, address] of facts.invoices) assert.equal(addresses.get(txId), address, `address of ${txId}`);
  assert.equal(new Set(addresses.values()).size, addresses.size, 'two invoices have the same address');
}

/** The event log has each event once, and each webhook reports an existing event. */
async function checkEvents(database: Database, pulled: readonly string[], received: readonly string[]): Promise<void> {
  const events = await db(database)
    .selectFrom('events')
    .select('webhook_id')
    .where('webhook_id', 'is not', null)
    .execute();
  assert.equal(new Set(pulled).size, pulled.length, 'the event log returned an event twice');
  assert.equal(pulled.length, events.length, 'the event log is incomplete');
  const stored = new Set(events.map((event) => event.webhook_id));
  const unknown = received.filter((id) => !stored.has(id));
  assert.deepEqual(unknown, [], 'webhooks were received whose events were lost');
}
