import assert from 'node:assert/strict';
import { after, afterEach, before } from 'node:test';
import { encryptCard } from '../../../pages/checkout/store/card-encryption.ts';
import { findCapability } from '../../../src/acquirers/registry.ts';
import type { CardKey } from '../../../src/api/page-state.ts';
import { findPaymentMethod } from '../../../src/methods/catalog.ts';
import { SECOND, toMillis } from '../../../src/shared/time.ts';
import { randomId, systemRandom } from '../../../src/system/random.ts';
import { createBuyers, type Link } from '../../support/buyer.ts';
import { checkDigitOf } from '../../support/card-numbers.ts';
import { enableEveryMethod } from '../../support/every-method.ts';
import { createLink, submission } from '../../support/requests.ts';
import { db } from '../../support/tables.ts';
import type { Fixture } from '../../support/fixture.ts';
import { paidTwice, type SimulatorCharge } from '../simulators/charges.ts';
import type { Bench, Subject } from './subject.ts';

/** Start of all card numbers, of which no simulated acquirer derives an outcome: the plan of the charge selects it. */
export const CARD_PREFIX = '411111';
let cardsUsed = 0;

/** A new card number each time, because attempts per card are limited. */
export function newCard(): string {
  cardsUsed += 1;
  const digits = CARD_PREFIX + String(cardsUsed).padStart(9, '0');
  return digits + checkDigitOf(digits);
}

/** A payment under test. */
export interface Payment {
  link: Link;
}

/** Opens a bench around the tests of a `describe`, and returns the steps of which the cases consist. */
export function useBench(subject: Subject) {
  let current: Bench | null = null;
  const bench = () => current ?? assert.fail('The test bench is not open');
  before(async () => {
    current = await subject.open();
    await enableEveryMethod(bench().fixture, bench().fixture.merchant);
  });
  after(async () => {
    const charges = await bench().acquirer.charges();
    await bench().fixture.close();
    await bench().acquirer.close();
    assert.deepEqual(paidTwice(charges), []);
  });
  afterEach(() => {
    bench().acquirer.releaseResponses();
    bench().acquirer.reset();
    bench().acquirer.webhooks.drop();
  });
  const buyers = createBuyers(() => bench().fixture);

  const newPayment = async (fields: Record<string, unknown> = {}): Promise<Payment> => ({
    link: await createLink(bench().fixture, fields),
  });
  /** The acquirer's charges of a payment, of which references contain our keys. */
  const chargesOf = async ({ link }: Payment): Promise<readonly SimulatorCharge[]> => {
    const keys = await keysOf(bench().fixture, link.reference);
    return (await bench().acquirer.charges()).filter(({ reference }) => keys.some((key) => reference.includes(key)));
  };
  const lastCharge = async (payment: Payment): Promise<SimulatorCharge> =>
    (await chargesOf(payment)).at(-1) ?? assert.fail('The acquirer has no charge of this payment');

  /**
   * Submits a card: as the merchant's server, or as the page if that must encrypt it. `key` is the request's idempotency
   * key.
   */
  const submit = async ({ link }: Payment, { key, card = newCard() }: { key?: string; card?: string } = {}) => {
    const { methods } = await buyers.stateOf(link);
    const cardKey = methods.find(({ action }) => action === 'card')?.cardKey;
    return await bench().fixture.request('/fiat/v1/transaction/submit', {
      ...(cardKey
        ? { body: await encryptedSubmission(link, card, cardKey), token: link.clientToken }
        : { body: submission(link.reference, card) }),
      ...(key !== undefined && { headers: { 'idempotency-key': key } }),
    });
  };
  const encryptedSubmission = async ({ reference }: Link, number: string, cardKey: CardKey) => {
    const { card_number, card_cvv, card_expiry_month, card_expiry_year, ...payer } = submission(reference, number);
    const fields = { card_number, card_cvv, card_expiry_month, card_expiry_year };
    const nowMs = toMillis(bench().fixture.clock.now());
    return { ...payer, encrypted_card: await encryptCard(fields, cardKey, nowMs) };
  };
  const statusOf = async ({ link }: Payment) => (await buyers.detailOf(link)).status.replace('transaction_status_', '');

  return {
    bench,
    voidCall: subject.voidCall,
    ...{ newPayment, chargesOf, lastCharge, submit, statusOf },
    detailOf: async ({ link }: Payment) => await buyers.detailOf(link),
    tokenOf: async ({ link }: Payment) => (await buyers.stateOf(link)).clientToken,
    startMethod: async ({ link }: Payment, method: string) => await buyers.tryStartPayment(link, method),

    /** Creates a payment and charges a card with a planned outcome. */
    async pay(
      plan: Parameters<Bench['acquirer']['next']>[1] = { outcome: 'approved' },
      fields: Record<string, unknown> = {},
    ) {
      const payment = await newPayment(fields);
      bench().acquirer.next('charge', plan);
      const response = await submit(payment);
      return { ...payment, type: response.body.response_type as string, body: response.body };
    },

    /** The payer completes the challenge, and their browser returns to the service unless `returns` is false. */
    async completeChallenge(payment: Payment, result: 'authenticated' | 'failed', { returns = true } = {}) {
      const { reference } = await lastCharge(payment);
      const navigation = await bench().acquirer.completeChallenge(reference, result);
      assert.ok(navigation);
      if (!returns) return navigation;
      const { pathname, search } = new URL(navigation.url);
      const response = await bench().fixture.request(pathname + search, { token: null });
      assert.equal(response.status, 303, response.text);
      return navigation;
    },

    /** Delivers all webhooks, each acknowledged, and applies them. */
    async deliver() {
      for (const { status } of await bench().acquirer.webhooks.deliver()) assert.equal(status, 200);
      await bench().fixture.work();
    },

    /** Lets the service poll, and delivers the webhooks that follow. */
    async settle(duration = 6 * SECOND) {
      await bench().fixture.advance(duration);
      for (const { status } of await bench().acquirer.webhooks.deliver()) assert.equal(status, 200);
      await bench().fixture.work();
    },

    /** Asserts that the payer was charged once: one paid charge, no refund. */
    async assertChargedOnce(payment: Payment) {
      assert.equal(await statusOf(payment), 'confirmed');
      const paid = (await chargesOf(payment)).filter(({ state }) => state === 'paid');
      assert.deepEqual(
        paid.map(({ amountMinor, paidMinor, refundedMinor }) => [paidMinor, refundedMinor, amountMinor]),
        [[paid[0]?.amountMinor, 0n, paid[0]?.amountMinor]],
      );
    },

    async assertNotCharged(payment: Payment) {
      const paid = (await chargesOf(payment)).filter(({ state }) => state === 'paid');
      assert.deepEqual(paid, []);
    },
  };
}
export type BenchSteps = ReturnType<typeof useBench>;

/** Keys of a transaction's card attempts and instructions. */
async function keysOf(fixture: Fixture, transactionId: string): Promise<string[]> {
  const { id } = await db(fixture.service().database)
    .selectFrom('fiat_transactions')
    .select('id')
    .where('transaction_id', '=', transactionId)
    .executeTakeFirstOrThrow();
  const reader = db(fixture.service().database);
  const attempts = await reader
    .selectFrom('card_attempts')
    .select('attempt_key')
    .where('fiat_transaction_id', '=', id)
    .execute();
  const instructions = await reader
    .selectFrom('payment_instructions')
    .select('instructions_key')
    .where('fiat_transaction_id', '=', id)
    .execute();
  return [
    ...attempts.map(({ attempt_key }) => attempt_key),
    ...instructions.map(({ instructions_key }) => instructions_key),
  ];
}

/** The ports of the account under test. */
export function portsOf({ bench }: Pick<BenchSteps, 'bench'>) {
  const account = bench().fixture.service().payments.acquirers.find(bench().accountKey);
  const { card, push, parseWebhook } = account ?? assert.fail('The account is not connected');
  assert.ok(card && push);
  return { card, push, parseWebhook };
}

/** True if the acquirer reports, immediately or by webhook, that it never received a charge. */
export async function knowsUnreceived(steps: Pick<BenchSteps, 'bench'>): Promise<boolean> {
  const { webhooks } = steps.bench().acquirer;
  const unknown = { attemptKey: randomId(systemRandom), reference: null, amountMinor: 1250n, currency: 'USD' } as const;
  const { kind } = await portsOf(steps).card.abandon(unknown);
  return kind === 'declined' || webhooks.drop().length > 0;
}

/** The adapter's capability for cards; null if it charges none. */
export function cardCapabilityOf({ adapter }: Subject) {
  const method = findPaymentMethod('credit_card') ?? assert.fail();
  return findCapability(adapter, { method, merchantId: 1, country: 'USA', currency: 'USD' });
}

/**
 * A local method that needs neither a choice nor data of the payer, with its capability; one with refunds if there is
 * one. Null if the adapter has only cards.
 */
export function localMethodOf({ adapter }: Subject) {
  if (adapter.capabilities.every(({ method }) => findPaymentMethod(method)?.action === 'card')) return null;
  const usable = adapter.capabilities.flatMap((capability) => {
    const method = findPaymentMethod(capability.method);
    if (!method || method.action === 'card' || method.choice !== undefined || capability.payerFields.length > 0)
      return [];
    if (method.countries === 'world') return [];
    const country = capability.countries === 'all' ? method.countries[0] : capability.countries[0];
    const currency = capability.currencies === 'all' ? method.currencies[0] : capability.currencies[0];
    return [{ capability, fields: { payment_method: method.code, country, currency, amount: 500 } }];
  });
  return (
    usable.find(({ capability }) => capability.refunds !== 'none') ??
    usable[0] ??
    assert.fail('There is no such method')
  );
}
