import { parseTransactionAmount } from '../refunds/refund.ts';
import { Problem, validationProblem } from '../../api/problem-error.ts';
import type { UnitOfWork } from '../../database/database.ts';
import { formatInstant } from '../../shared/time.ts';
import { randomId } from '../../system/random.ts';
import type { PaymentsContext } from '../context.ts';
import { isExpired } from '../expiry.ts';
import { netAmount } from '../net-amount.ts';
import { formatAmount } from '../review/timeline-text.ts';
import type { CardAuthorization, FiatTransaction } from '../schema.ts';
import { findById, lockTransaction } from '../store.ts';
import { transition } from '../transition.ts';
import { executeModification, STALE_MODIFICATION_AFTER } from './outcome.ts';
import { findLastAuthorization, updateAuthorization } from './store.ts';

/**
 * Captures an authorized transaction, in full or in part. The capture is stored before the acquirer is called, so that
 * neither a second request nor a crash captures twice. It may still be pending on return.
 */
export async function captureTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { amount, requestName }: { amount?: number | undefined; requestName: string | null },
): Promise<FiatTransaction> {
  const requestedMinor = amount === undefined ? null : parseTransactionAmount(amount, transaction);
  const isSame = ({ capturedMinor, amountMinor }: CardAuthorization) =>
    capturedMinor === (requestedMinor ?? amountMinor);
  return await requestAndExecute(context, transaction, { requestName, isSame }, async (unit, locked, authorization) => {
    const capturedMinor = requestedMinor ?? authorization.amountMinor;
    requireCapturable(locked, authorization, capturedMinor);
    const change = { status: 'capture_pending', capturedMinor } as const;
    const text = `capture of ${formatAmount(capturedMinor, locked)} requested`;
    return await startModification(context, unit, { locked, authorization, change, requestName, text });
  });
}

/** Voids an authorized transaction: the acquirer releases the amount. The void may still be pending on return. */
export async function voidTransaction(
  context: PaymentsContext,
  transaction: FiatTransaction,
  requestName: string | null,
): Promise<FiatTransaction> {
  return await requestAndExecute(
    context,
    transaction,
    { requestName, isSame: () => true },
    async (unit, locked, authorization) => {
      const change = { status: 'void_pending', capturedMinor: 0n } as const;
      return await startModification(context, unit, {
        locked,
        authorization,
        change,
        requestName,
        text: 'void requested',
      });
    },
  );
}

type StartModification = (
  unit: UnitOfWork,
  locked: FiatTransaction,
  open: CardAuthorization,
) => Promise<CardAuthorization>;

async function requestAndExecute(
  context: PaymentsContext,
  transaction: FiatTransaction,
  { requestName, isSame }: { requestName: string | null; isSame: (stored: CardAuthorization) => boolean },
  start: StartModification,
): Promise<FiatTransaction> {
  const started = await context.database.inTransaction(async (unit) => {
    const locked = await lockTransaction(unit, transaction.merchantId, transaction.id);
    const authorization = await findLastAuthorization(unit, locked);
    const isRepeated = requestName !== null && authorization?.requestName === requestName;
    // The same request again: an interrupted one continues. After a failure it starts again.
    if (isRepeated && authorization.status !== 'authorized') {
      // An expired authorization no longer has the requested amount.
      if (authorization.status === 'expired' || isSame(authorization)) return authorization;
      throw new Problem(
        'idempotency_key_reused',
        'This Idempotency-Key was used for another capture of this transaction. Use a new key.',
      );
    }
    return await start(unit, locked, requireOpen(context, locked, authorization));
  });
  await executeModification(context, started);
  return (await findById(context.database, transaction.merchantId, transaction.id)) ?? transaction;
}

/** Returns an authorization that can be captured or voided; throws a `Problem` otherwise. */
function requireOpen(
  { acquirers, clock }: PaymentsContext,
  locked: FiatTransaction,
  authorization: CardAuthorization | null,
): CardAuthorization {
  if (authorization === null)
    throw new Problem(
      'no_open_authorization',
      locked.capture === 'manual'
        ? 'No payment was authorized for this transaction.'
        : 'The transaction is captured automatically. Create it with capture: "manual" to capture it later.',
    );
  const { status, expiresAt, accountKey } = authorization;
  if (status === 'capture_pending' || status === 'void_pending')
    throw new Problem(
      'authorization_update_pending',
      `A ${status === 'capture_pending' ? 'capture' : 'void'} of this authorization is pending.`,
    );
  if (status === 'captured') throw new Problem('no_open_authorization', 'The authorization was already captured.');
  if (status === 'voided') throw new Problem('no_open_authorization', 'The authorization was voided.');
  if (status === 'expired' || isExpired(authorization, clock.now()))
    throw new Problem('no_open_authorization', `The authorization expired at ${formatInstant(expiresAt)}.`);
  if (!acquirers.find(accountKey)?.card?.manualCapture)
    throw new Problem(
      'acquirer_account_missing',
      'The acquirer account that authorized the payment is not set up. Nothing was captured or voided.',
    );
  return authorization;
}

/** Throws a `Problem` for an amount above the authorized one, or one that the fee consumes. */
function requireCapturable(
  transaction: FiatTransaction,
  { amountMinor }: CardAuthorization,
  capturedMinor: bigint,
): void {
  if (capturedMinor > amountMinor) {
    const detail = `must be at most the authorized ${formatAmount(amountMinor, transaction)}`;
    throw validationProblem([{ pointer: '/amount', code: 'too_large', detail }]);
  }
  if (capturedMinor < amountMinor && netAmount({ ...transaction, receivedMinor: capturedMinor }) <= 0n)
    throw validationProblem([{ pointer: '/amount', code: 'amount_below_fee', detail: 'must be greater than the fee' }]);
}

async function startModification(
  context: PaymentsContext,
  unit: UnitOfWork,
  {
    locked,
    authorization,
    change,
    requestName,
    text,
  }: {
    locked: FiatTransaction;
    authorization: CardAuthorization;
    change: Pick<CardAuthorization, 'status' | 'capturedMinor'>;
    requestName: string | null;
    text: string;
  },
): Promise<CardAuthorization> {
  const now = context.clock.now();
  const started = await updateAuthorization(
    unit,
    { transaction: locked, authorization },
    {
      ...change,
      ...{ modificationKey: randomId(context.random), modificationReference: null, requestName },
      ...{ failureCode: null, failureDetail: null, checksMade: 0 },
      ...{ nextCheckAt: now + STALE_MODIFICATION_AFTER, updatedAt: now },
    },
  );
  await transition(context, unit, started.transaction, { to: 'waiting', detail: text });
  return started.authorization;
}
