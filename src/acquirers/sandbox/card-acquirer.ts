import { db, statement, type SandboxChargeTable } from './schema.ts';
import type { Insertable, Selectable, Updateable } from 'kysely';
import type { CurrencyCode } from '../../api/currency.ts';
import type { DisputeState } from '../../shared/dispute.ts';
import { DAY, type Instant, SECOND } from '../../shared/time.ts';
import type { Clock } from '../../system/clock.ts';
import { type Database, lockRows } from '../../database/database.ts';
import { claimDue, earliestDue } from '../../jobs/due.ts';
import type { Job } from '../../jobs/runner.ts';
import { isPublicId, type Random, publicId } from '../../system/random.ts';
import type { InProcessContext } from '../adapter.ts';
import type { CaptureOutcome, ManualCapture, VoidRequest } from '../capture.ts';
import type { CardCharge, CardAcquirer, ChargeKey, ChargeOutcome } from '../port.ts';
import { createSandboxRefunds, RETURNED } from './refunds.ts';
import type { Scenario } from '../../shared/test-cards.ts';
import { type DeclineName, declines, scenarioOf } from './scenarios.ts';

/** Delay of later events: the outcome of an unknown charge, a dispute, the failure of a refund. */
const EVENT_DELAY: Instant = 30 * SECOND;
/** The merchant's time to respond to a dispute, after which it is lost. */
const DISPUTE_PERIOD: Instant = 7 * DAY;

/** Stored state of a charge: `open` has an open challenge, `silent` a delayed outcome. */
type ChargeState = 'open' | 'silent' | 'approved' | 'reversed' | `declined:${DeclineName}`;

const SUCCEEDED: CaptureOutcome = { kind: 'succeeded' };
const CAPTURE_FAILED: Extract<CaptureOutcome, { kind: 'refused' }> = {
  kind: 'refused',
  code: 'capture_failed',
  detail: 'The card network rejected the capture.',
};
const NOTHING_AUTHORIZED: CaptureOutcome = {
  kind: 'refused',
  code: 'nothing_authorized',
  detail: 'The charge has no open authorization.',
  isReleased: true,
};
const AMOUNT_TOO_LARGE: CaptureOutcome = {
  kind: 'refused',
  code: 'amount_too_large',
  detail: 'The amount exceeds the authorized one.',
};

interface ChargeRow {
  attempt_key: string;
  issuer_page_id: string;
  state: string;
  scenario: string;
}

/** Data of the issuer's page. */
export interface IssuerPage {
  merchantName: string;
  amountMinor: number;
  currency: string;
  last4: string;
  returnUrl: string;
  isOpen: boolean;
}

export interface SandboxCardAcquirer extends CardAcquirer {
  fetchOutcome(charge: Pick<ChargeKey, 'attemptKey'>): Promise<ChargeOutcome | null>;
  findIssuerPage(pageId: string): Promise<IssuerPage | null>;
  /** Completes a challenge and reports the outcome. A closed challenge keeps its outcome. */
  completeChallenge(pageId: string, decision: 'approve' | 'refuse', notify: InProcessContext['notify']): Promise<void>;
  /** Fails the refunds of a charge that have succeeded. */
  failRefunds(attemptKey: string, notify: InProcessContext['notify']): Promise<void>;
  /** Fails the capture of a charge that has succeeded. */
  failCapture(attemptKey: string, notify: InProcessContext['notify']): Promise<void>;
  /** Opens or closes a dispute of a charge. */
  reportDispute(attemptKey: string, state: DisputeState, notify: InProcessContext['notify']): Promise<void>;
  /** Reports delayed outcomes, disputes, and failures of refunds. */
  createNotificationJob(notify: InProcessContext['notify']): Job;
}

const insertChargeRow = statement((query, { row }: { row: Insertable<SandboxChargeTable> }) =>
  query
    .insertInto('sandbox_charges')
    .values(row)
    .onConflict((conflict) => conflict.column('attempt_key').doNothing())
    .returning(['attempt_key', 'issuer_page_id', 'state', 'scenario']),
);

/** Simulates an acquirer and an issuer, with separate tables. It stores only the last four digits of a card number. */
export function createSandboxCardAcquirer(options: {
  database: Database;
  clock: Clock;
  random: Random;
  publicUrl: string;
}): SandboxCardAcquirer {
  const { database, clock, random } = options;

  const outcomeOf = (row: ChargeRow): ChargeOutcome => {
    const state = row.state as ChargeState;
    if (state === 'approved' || state === 'reversed')
      return { kind: 'approved', ...(row.scenario === 'frictionless' && { threeDSecure: true }) };
    if (state === 'open')
      return {
        kind: 'challenge',
        challenge: {
          url: `${options.publicUrl}/sandbox/issuer/${row.issuer_page_id}`,
          method: 'GET',
          fields: {},
        },
      };
    if (state === 'silent') return { kind: 'unknown' };
    return { kind: 'declined', decline: declines[state.slice('declined:'.length) as DeclineName] };
  };

  const findCharge = async (attemptKey: string) =>
    await db(database)
      .selectFrom('sandbox_charges')
      .selectAll()
      .where('attempt_key', '=', attemptKey)
      .executeTakeFirst();

  /** Closes an open charge with an outcome. Returns the resulting row. */
  const closeCharge = async (column: 'attempt_key' | 'issuer_page_id', value: string, to: ChargeState) =>
    await database.inTransaction(async (unit) => {
      const row = await lockRows(
        unit,
        db(unit).selectFrom('sandbox_charges').selectAll().where(column, '=', value),
      ).executeTakeFirst();
      if (row?.state !== 'open') return row;
      await db(unit).updateTable('sandbox_charges').set({ state: to }).where('id', '=', row.id).execute();
      return { ...row, state: to };
    });

  const insertCharge = async (
    charge: Pick<CardCharge, 'attemptKey'> & Partial<CardCharge>,
    scenario: Scenario,
    state: ChargeState,
  ) => {
    const now = clock.now();
    const [inserted] = (
      await database.writeOne(
        async (runner) =>
          await insertChargeRow(runner, {
            row: {
              attempt_key: charge.attemptKey,
              issuer_page_id: publicId(random),
              scenario,
              state,
              amount_minor: Number(charge.amountMinor ?? 0n),
              currency: charge.currency ?? '',
              merchant_name: charge.merchantName ?? '',
              last4: charge.card?.number.slice(-4) ?? '',
              return_url: charge.returnUrl ?? '',
              capture: charge.capture === 'manual' ? 'open' : null,
              modification_key: null,
              captured_minor: null,
              notify_at: state === 'silent' || scenario === 'disputed' ? now + EVENT_DELAY : null,
              created_at: now,
            },
          }),
      )
    ).rows;
    const row = inserted ?? (await findCharge(charge.attemptKey));
    if (!row) throw new Error('The inserted sandbox charge was not found');
    return outcomeOf(row);
  };

  const refund = createSandboxRefunds({
    database,
    clock,
    delay: 0,
    async lockChargedAmount(unit, chargeKey) {
      const query = db(unit).selectFrom('sandbox_charges').selectAll().where('attempt_key', '=', chargeKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      if (row?.state !== 'approved') return 0n;
      return BigInt(row.capture === null ? row.amount_minor : (row.captured_minor ?? 0));
    },
  });

  /** Reports the outcome of a charge. */
  const notifyOutcome = async (notify: InProcessContext['notify'], row: ChargeRow) =>
    await notify([
      { id: `${row.attempt_key} ${row.state}`, kind: 'charge', attemptKey: row.attempt_key, outcome: outcomeOf(row) },
    ]);

  const failRefunds: SandboxCardAcquirer['failRefunds'] = async (attemptKey, notify) => {
    const failed = await database.inTransaction(
      async (unit) =>
        await db(unit)
          .updateTable('sandbox_refunds')
          .set({ state: 'failed' })
          .where('charge_key', '=', attemptKey)
          .where('state', '=', 'given')
          .returning('refund_key')
          .execute(),
    );
    await notify(
      failed.map(({ refund_key: refundKey }) => ({
        ...{ id: `${refundKey} failed`, kind: 'refund', refundKey, outcome: RETURNED },
      })),
    );
  };

  const reportDispute: SandboxCardAcquirer['reportDispute'] = async (attemptKey, state, notify) => {
    const row = await findCharge(attemptKey);
    if (!row) throw new Error('The sandbox charge was not found');
    const now = clock.now();
    const dispute = {
      ...{
        disputeKey: `dispute of ${attemptKey}`,
        chargeKey: attemptKey,
        state,
        amountMinor: BigInt(row.amount_minor),
      },
      ...{ currency: row.currency as CurrencyCode, reasonCode: '10.4', reason: 'Fraud', updatedAt: now },
      respondBy: state === 'needs_response' ? now + DISPUTE_PERIOD : null,
    };
    await notify([{ id: `${dispute.disputeKey} ${state}`, kind: 'dispute', dispute }]);
  };

  /** Changes an authorized charge, under its lock; a repeated modification changes nothing. */
  const modify = async (
    { charge, modificationKey }: VoidRequest,
    change: (row: Selectable<SandboxChargeTable>) => Updateable<SandboxChargeTable> | null,
  ): Promise<CaptureOutcome> =>
    await database.inTransaction(async (unit) => {
      const query = db(unit).selectFrom('sandbox_charges').selectAll().where('attempt_key', '=', charge.attemptKey);
      const row = await lockRows(unit, query).executeTakeFirst();
      if (row?.modification_key === modificationKey) return row.capture === 'refused' ? CAPTURE_FAILED : SUCCEEDED;
      const isOpen = row?.state === 'approved' && (row.capture === 'open' || row.capture === 'refused');
      if (!isOpen) return NOTHING_AUTHORIZED;
      const changed = change(row);
      if (!changed) return AMOUNT_TOO_LARGE;
      await db(unit)
        .updateTable('sandbox_charges')
        .set({ ...changed, modification_key: modificationKey })
        .where('id', '=', row.id)
        .execute();
      return SUCCEEDED;
    });

  const manualCapture: ManualCapture = {
    capture: async (request) =>
      await modify(request, ({ amount_minor: authorized, scenario }) => {
        if (request.amountMinor > BigInt(authorized)) return null;
        const failsAt = scenario === 'capture_fails' ? { notify_at: clock.now() + EVENT_DELAY } : {};
        return { capture: 'captured', captured_minor: Number(request.amountMinor), ...failsAt };
      }),
    void: async (request) => await modify(request, () => ({ capture: 'voided', state: 'reversed' })),
  };

  /** Fails a capture that has succeeded. The charge can be captured again. */
  const failCapture: SandboxCardAcquirer['failCapture'] = async (attemptKey, notify) => {
    const modificationKey = (await findCharge(attemptKey))?.modification_key ?? null;
    if (modificationKey === null) return;
    await database.inTransaction(async (unit) => {
      await db(unit)
        .updateTable('sandbox_charges')
        .set({ capture: 'refused', captured_minor: null, scenario: 'approve' })
        .where('attempt_key', '=', attemptKey)
        .execute();
    });
    const outcome = { ...CAPTURE_FAILED, isLate: true };
    await notify([{ id: `${modificationKey} failed`, kind: 'capture', modificationKey, outcome }]);
  };

  /** Reports the due event of a charge: its outcome, a dispute, or a failed capture or refund. */
  const reportDue = async (notify: InProcessContext['notify'], row: ChargeRow) => {
    if (row.scenario === 'capture_fails') await failCapture(row.attempt_key, notify);
    else if (row.scenario === 'refund_fails') await failRefunds(row.attempt_key, notify);
    else if (row.scenario === 'disputed') await reportDispute(row.attempt_key, 'needs_response', notify);
    else if (row.scenario === 'dispute_open') await reportDispute(row.attempt_key, 'lost', notify);
    else await notifyOutcome(notify, row);
  };

  return {
    failCapture,
    failRefunds,
    reportDispute,

    async refund(request) {
      const outcome = await refund(request);
      if (outcome.kind === 'succeeded')
        await database.inTransaction(async (unit) => {
          await db(unit)
            .updateTable('sandbox_charges')
            .set({ notify_at: clock.now() + EVENT_DELAY })
            .where('attempt_key', '=', request.chargeKey)
            .where('scenario', '=', 'refund_fails')
            .execute();
        });
      return outcome;
    },

    manualCapture,

    async charge(charge) {
      const scenario = scenarioOf(charge.card.number);
      const states: Record<Scenario, ChargeState> = {
        approve: 'approved',
        challenge: 'open',
        // The issuer authenticates the buyer without a challenge.
        frictionless: 'approved',
        decline: 'declined:decline',
        insufficient_funds: 'declined:insufficient_funds',
        expired_card: 'declined:expired_card',
        unknown: 'silent',
        refund_fails: 'approved',
        disputed: 'approved',
        capture_fails: 'approved',
      };
      return await insertCharge(charge, scenario, states[scenario]);
    },

    async fetchOutcome({ attemptKey }) {
      const row = await findCharge(attemptKey);
      return row ? outcomeOf(row) : null;
    },

    async abandon({ attemptKey }) {
      const row = await closeCharge('attempt_key', attemptKey, 'declined:abandoned');
      return row ? outcomeOf(row) : await insertCharge({ attemptKey }, 'decline', 'declined:abandoned');
    },

    async reverse({ attemptKey }) {
      await database.inTransaction(async (unit) => {
        await db(unit)
          .updateTable('sandbox_charges')
          .set({ state: 'reversed' })
          .where('attempt_key', '=', attemptKey)
          .where('state', '=', 'approved')
          .execute();
      });
      return { kind: 'requested' };
    },

    async findIssuerPage(pageId) {
      if (!isPublicId(pageId)) return null;
      const row = await db(database)
        .selectFrom('sandbox_charges')
        .selectAll()
        .where('issuer_page_id', '=', pageId)
        .where('scenario', '=', 'challenge')
        .executeTakeFirst();
      if (!row) return null;
      return {
        merchantName: row.merchant_name,
        amountMinor: row.amount_minor,
        currency: row.currency,
        last4: row.last4,
        returnUrl: row.return_url,
        isOpen: row.state === 'open',
      };
    },

    async completeChallenge(pageId, decision, notify) {
      const row = await closeCharge('issuer_page_id', pageId, decision === 'approve' ? 'approved' : 'declined:refused');
      if (row) await notifyOutcome(notify, row);
    },

    createNotificationJob: (notify) => ({
      name: 'sandbox notifications',
      earliestDue: earliestDue('sandbox_charges', 'notify_at'),
      async runOnce() {
        const due = await database.inTransaction(async (unit) => {
          const rows = await claimDue(db, unit, { table: 'sandbox_charges', column: 'notify_at', now: clock.now() });
          for (const row of rows) {
            const isDisputed = row.scenario === 'disputed';
            await db(unit)
              .updateTable('sandbox_charges')
              .set({
                state: row.state === 'silent' ? 'approved' : row.state,
                scenario: isDisputed ? 'dispute_open' : row.scenario,
                notify_at: isDisputed ? clock.now() + DISPUTE_PERIOD : null,
              })
              .where('id', '=', row.id)
              .execute();
          }
          return rows.map((row) => ({ ...row, state: row.state === 'silent' ? 'approved' : row.state }));
        });
        for (const row of due) await reportDue(notify, row);
        return due.length;
      },
    }),
  };
}
