import { createSandboxCardAcquirer } from '../../../src/acquirers/sandbox/card-acquirer.ts';
import type { Notification } from '../../../src/acquirers/adapter.ts';
import type { ManualCapture } from '../../../src/acquirers/capture.ts';
import type { CardAcquirer } from '../../../src/acquirers/port.ts';
import type { PushAcquirer } from '../../../src/acquirers/push-port.ts';
import { sandbox } from '../../../src/acquirers/sandbox/index.ts';
import { createSandboxPushAcquirer, type SimulatedAction } from '../../../src/acquirers/sandbox/push-acquirer.ts';
import { applyNotification } from '../../../src/payments/notifications.ts';
import { systemRandom } from '../../../src/system/random.ts';
import { cards } from '../../support/requests.ts';
import { db } from '../../support/tables.ts';
import { openFixture, type Fixture } from '../../support/fixture.ts';
import type { SimulatorCharge } from '../simulators/charges.ts';
import { faults, Script } from '../simulators/faults.ts';
import { WebhookQueue } from '../simulators/webhooks.ts';
import type { Bench, Outcome, SimulatedAcquirer, Subject } from './subject.ts';

/** Test cards by outcome. */
const cardOf: Partial<Record<Outcome, string>> = {
  approved: cards.visa,
  frictionless: cards.frictionless,
  challenge: cards.challenge,
  declined: cards.declined,
};

/** The sandbox's charges, payments and refunds, as the simulators report theirs. */
async function listCharges(fixture: Fixture): Promise<SimulatorCharge[]> {
  const reader = db(fixture.service().database);
  const charged = await reader.selectFrom('sandbox_charges').selectAll().execute();
  const payments = await reader.selectFrom('sandbox_push_payments').selectAll().execute();
  const receipts = await reader.selectFrom('sandbox_receipts').selectAll().execute();
  const refunds = await reader.selectFrom('sandbox_refunds').selectAll().where('state', '=', 'given').execute();
  const sum = (rows: readonly { amount_minor: number }[]) =>
    BigInt(rows.reduce((total, { amount_minor }) => total + amount_minor, 0));
  const refundedOf = (key: string) => sum(refunds.filter(({ charge_key }) => charge_key === key));
  const cardStates = { open: 'open', silent: 'open', approved: 'paid', reversed: 'paid' } as const;
  const captureStates: Record<string, SimulatorCharge['state']> = {
    ...{ open: 'authorized', captured: 'paid', refused: 'authorized', voided: 'cancelled' },
  };
  const pushStates = { open: 'open', closed: 'cancelled', refused: 'declined' } as const;
  const all = [
    ...charged.map((row) => {
      const cardState = cardStates[row.state as keyof typeof cardStates] ?? 'declined';
      const state = cardState === 'paid' ? (captureStates[row.capture ?? ''] ?? cardState) : cardState;
      const paidMinor = state === 'paid' ? BigInt(row.captured_minor ?? row.amount_minor) : 0n;
      const refundedMinor = row.state === 'reversed' ? paidMinor : refundedOf(row.attempt_key);
      return { row, reference: row.attempt_key, state, paidMinor, refundedMinor };
    }),
    ...payments.map((row) => {
      const paidMinor = sum(receipts.filter((each) => each.sandbox_push_payment_id === row.id));
      const state = paidMinor > 0n ? ('paid' as const) : pushStates[row.state as keyof typeof pushStates];
      return {
        row,
        reference: row.instructions_key,
        state,
        paidMinor,
        refundedMinor: refundedOf(row.instructions_key),
      };
    }),
  ];
  return all
    .toSorted((one, other) => one.row.created_at - other.row.created_at)
    .map(({ row: { id, currency, amount_minor }, ...rest }) => {
      return { ...rest, id: String(id), currency, amountMinor: BigInt(amount_minor) };
    });
}

/** Faults between the service and the sandbox's card acquirer, planned like those of the simulators. */
export class SandboxFaults {
  readonly script = new Script<Outcome>();
  readonly arrivals: { operation: string; arrived: () => void }[] = [];
  readonly held: (() => void)[] = [];
  /** Called after a charge, before its response. */
  onCharge: (attemptKey: string, card: CardAcquirer) => Promise<void> = () => Promise.resolve();

  wrap(card: CardAcquirer): CardAcquirer {
    return {
      ...card,
      charge: async (charge) =>
        await this.#call('charge', async (outcome) => {
          const number = cardOf[outcome ?? 'approved'] ?? charge.card.number;
          const charged = await card.charge({ ...charge, card: { ...charge.card, number } });
          await this.onCharge(charge.attemptKey, card);
          return charged;
        }),
      fetchOutcome: async (charge) =>
        await this.#call('fetch', async () => (await card.fetchOutcome?.(charge)) ?? null),
      refund: async (request) => await this.#call('refund', async () => await card.refund(request)),
      ...(card.manualCapture && { manualCapture: this.#wrapCapture(card.manualCapture) }),
    };
  }

  #wrapCapture(manualCapture: ManualCapture): ManualCapture {
    const refused = { kind: 'refused', code: 'refused', detail: 'Planned by the test.' } as const;
    return {
      capture: async (request) =>
        await this.#call('capture', async (outcome) =>
          outcome === 'failed' ? refused : await manualCapture.capture(request),
        ),
      void: async (request) =>
        await this.#call('void', async (outcome) =>
          outcome === 'failed' ? refused : await manualCapture.void(request),
        ),
    };
  }

  wrapPush(push: PushAcquirer): PushAcquirer {
    const issueInstructions: PushAcquirer['issueInstructions'] = async (payment) =>
      await this.#call('charge', async () => await push.issueInstructions(payment));
    return { ...push, issueInstructions };
  }

  async #call<Result>(operation: string, carryOut: (outcome?: Outcome) => Promise<Result>): Promise<Result> {
    const { outcome, fault = 'none' } = this.script.take(operation);
    const { isCarriedOut, delivery, ...failure } = faults[fault];
    const result = isCarriedOut ? { value: await carryOut(outcome) } : null;
    for (const { arrived } of this.arrivals.filter((each) => each.operation === operation)) arrived();
    if (delivery === 'nothing') return await new Promise<never>(() => {});
    if (delivery === 'hold') await new Promise<void>((release) => this.held.push(release));
    if (result === null || 'error' in failure || ['cut', 'half', 'malformed'].includes(delivery))
      throw new Error(`connection lost: ${fault}`);
    return result.value;
  }
}

/** The service in its sandbox: the simulated issuer and bank are the other side. */
async function open(): Promise<Bench> {
  const network = new SandboxFaults();
  const fixture = await openFixture({ wrapCardAcquirer: (card) => network.wrap(card) });
  // Of the current process: a test can restart it.
  const parts = () => {
    const { database } = fixture.service();
    return { database, clock: fixture.clock, random: systemRandom, publicUrl: fixture.url };
  };
  const card = () => createSandboxCardAcquirer(parts());
  const notifications = new Map<string, Notification>();
  const webhooks = new WebhookQueue<{ id: string }>({
    sign: (payload) => ({ headers: {}, payload }),
    tamper: (signed) => signed,
  });
  /** Notifications reach the entry point of payments, without the inbox that drops duplicates. */
  webhooks.send = async ({ reference }) => {
    const notification = notifications.get(reference);
    if (!notification) return 404;
    await applyNotification(fixture.service().payments, sandbox.name, notification);
    return 200;
  };
  const notify = (reported: readonly Notification[]) => {
    for (const notification of reported) {
      notifications.set(notification.id, notification);
      webhooks.add({ event: notification.kind, reference: notification.id, payload: { id: notification.id } });
    }
    return Promise.resolve();
  };
  network.onCharge = async (attemptKey, { fetchOutcome }) => {
    const outcome = await fetchOutcome?.({ attemptKey, reference: null, amountMinor: 0n, currency: 'USD' });
    const isOver = outcome?.kind === 'approved' || outcome?.kind === 'declined';
    if (isOver) await notify([{ id: `${attemptKey} ${outcome.kind}`, kind: 'charge', attemptKey, outcome }]);
  };
  const pageOf = (url: string) => new URL(url).pathname.split('/').at(-1) ?? '';
  const simulate = async (instructionsKey: string, action: SimulatedAction) => {
    const push = createSandboxPushAcquirer(parts());
    await push.simulate(pageOf((await push.simulatorUrl?.(instructionsKey)) ?? ''), action, notify);
  };
  const acquirer: SimulatedAcquirer = {
    next: (operation, plan) => network.script.next(operation, plan, 1),
    reset: () => network.script.reset(),
    waitForRequest: async (operation) =>
      await new Promise<void>((arrived) => network.arrivals.push({ operation, arrived })),
    releaseResponses() {
      const waiting = network.held.splice(0);
      for (const respond of waiting) respond();
      return waiting.length;
    },
    charges: async () => await listCharges(fixture),
    async refunds() {
      const rows = await db(parts().database)
        .selectFrom('sandbox_refunds')
        .select('refund_key')
        .orderBy('id')
        .execute();
      return rows.map(({ refund_key }) => refund_key);
    },
    async completeChallenge(attemptKey, result) {
      const outcome = await card().fetchOutcome({ attemptKey });
      if (outcome?.kind !== 'challenge') return null;
      const pageId = pageOf(outcome.challenge.url);
      await card().completeChallenge(pageId, result === 'authenticated' ? 'approve' : 'refuse', notify);
      const page = await card().findIssuerPage(pageId);
      return { method: 'GET', url: page?.returnUrl ?? '', fields: {} };
    },
    receiveFunds: async (instructionsKey) => await simulate(instructionsKey, 'exact'),
    declinePayment: async (instructionsKey) => await simulate(instructionsKey, 'refuse'),
    async settleRefund(refundKey, outcome) {
      if (outcome === 'succeeded') return;
      const { charge_key } = await db(parts().database)
        .selectFrom('sandbox_refunds')
        .select('charge_key')
        .where('refund_key', '=', refundKey)
        .executeTakeFirstOrThrow();
      await card().failRefunds(charge_key, notify);
    },
    failCapture: async (attemptKey) => await card().failCapture(attemptKey, notify),
    async openDispute(attemptKey) {
      await card().reportDispute(attemptKey, 'needs_response', notify);
      return attemptKey;
    },
    closeDispute: async (attemptKey, result) => await card().reportDispute(attemptKey, result, notify),
    webhooks,
    close: () => Promise.resolve(),
  };
  return { fixture, acquirer, accountKey: sandbox.name, env: { PUBLIC_URL: fixture.url } };
}

export const sandboxSubject: Subject = { adapter: sandbox, outcomeCall: 'fetch', voidCall: 'void', open };
