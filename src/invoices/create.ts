import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { CreateInvoiceRequest, CryptoTransaction as WireTransaction } from '../api/crypto-transaction.ts';
import { INVOICE_LIFETIME } from '../api/crypto-transaction.ts';
import { inCoins } from '../api/crypto-amount.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { parseMoment } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { toleranceOf } from './evaluate.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { InvoicesContext } from './context.ts';
import { describe, describeOne } from './describe.ts';
import { insertTransaction, rateNow } from './new-transaction.ts';
import { requireIssuable } from '../wallets/accounts.ts';
import { type InvoiceRules, readRules } from '../wallets/rules.ts';
import { findByReference } from './store.ts';
import { recordCreated } from './transition.ts';
import { type FreshAddress, nextDepositAddress, takeWallet, type WalletRequest } from '../wallets/pool.ts';

/**
 * Makes an invoice with the wallet that its type gives it. The same `txId` and currency again answer the same
 * invoice; another type under them is a conflict, and so is another amount, except of the type `user`.
 */
export async function createInvoice(
  context: InvoicesContext,
  merchantId: number,
  request: CreateInvoiceRequest,
  keepAnswer: StoreResponse<WireTransaction> = () => Promise.resolve(),
): Promise<WireTransaction> {
  const { database, clock, chains } = context;
  const { code, txId } = request;
  const former = await findByReference(database, merchantId, txId, code);
  if (former) return await repeated(context, former, request, keepAnswer);

  const connected = chains.ofCurrency(code);
  if (!connected) {
    const possible = chains.currencies.join(', ') || 'none';
    throw validationProblem([
      { pointer: '/code', code: 'currency_not_available', detail: `is not set up here; possible: ${possible}` },
    ]);
  }
  const rules = await readRules(database, merchantId, code);
  const type = request.type === 'invoice_type_default' ? rules.defaultType : request.type;
  const amount = BigInt(request.amount);
  requireAmount(amount, code, rules);
  const expiresAt = expiryOf(request, type, clock.now());
  const tipHeight = await requireIssuable(database, connected);
  const wanted: WalletRequest = {
    merchantId,
    code,
    type,
    amount,
    tolerance: toleranceOf(amount, rules.tolerancePercent),
    rules,
    tipHeight,
    accountId: connected.accountId,
  };

  const make = async (unit: UnitOfWork, fresh: FreshAddress | null): Promise<WireTransaction | null> => {
    const wallet = await takeWallet(context, unit, wanted, fresh);
    if (!wallet) return null;
    const transaction = await insertTransaction(context, unit, wallet, rules, {
      txId,
      kind: 'invoice',
      code,
      amountRequired: amount,
      comment: request.comment ?? null,
      expiresAt,
      exchangeRate: rateNow(context, code, amount, rules.currency),
    });
    if (!transaction) throw new ReferenceTaken();
    const belongings = { payments: [], tipHeight };
    await recordCreated(context, unit, wallet, transaction, belongings);
    const answer = describe(context, transaction, { wallet, meantFor: null, ...belongings });
    await keepAnswer(unit, answer);
    return answer;
  };
  try {
    // Only where no wallet is there is a new address taken.
    const reused = type === 'user' ? null : await database.inTransaction(async (unit) => await make(unit, null));
    if (reused) return reused;
    const fresh = await nextDepositAddress(context, connected);
    const made = await database.inTransaction(async (unit) => await make(unit, fresh));
    if (made) return made;
    throw new Error('A fresh address gave no wallet');
  } catch (error) {
    if (!(error instanceof ReferenceTaken)) throw error;
    const other = await findByReference(database, merchantId, txId, code);
    if (!other) throw new Error('An invoice that was in the way is gone', { cause: error });
    return await repeated(context, other, request, keepAnswer);
  }
}

/** Somebody else made an invoice of the same reference meanwhile; what this unit has done is undone. */
class ReferenceTaken extends Error {}

async function repeated(
  context: InvoicesContext,
  former: CryptoTransaction,
  request: CreateInvoiceRequest,
  keepAnswer: StoreResponse<WireTransaction>,
): Promise<WireTransaction> {
  const { id, type, code, amountRequired, merchantId } = former;
  const amount = BigInt(request.amount);
  const isSameAmount = amount === amountRequired;
  const isSameType = request.type === 'invoice_type_default' || request.type === type;
  if (!isSameType || (!isSameAmount && type !== 'user')) {
    throw new Problem(
      'tx_id_conflict',
      `There is an invoice with this txId and code already, for ${amountRequired} and of the type ${type}.`,
    );
  }
  if (isSameAmount) return await describeOne(context, context.database, former);
  const rules = await readRules(context.database, merchantId, code);
  requireAmount(amount, code, rules);
  const exchangeRate = JSON.stringify(rateNow(context, code, amount, rules.currency));
  return await context.database.inTransaction(async (unit) => {
    const updated = await db(unit)
      .updateTable('crypto_transactions')
      .set({
        amount_required: amount.toString(),
        exchange_rate: exchangeRate,
        updated_at: context.clock.now(),
      })
      .where('id', '=', id)
      .returning(cryptoTransactionRecord.columns)
      .executeTakeFirstOrThrow();
    const answer = await describeOne(context, unit, cryptoTransactionRecord.read(updated));
    await keepAnswer(unit, answer);
    return answer;
  });
}

function requireAmount(amount: bigint, code: CryptoCurrencyCode, { minAmount }: InvoiceRules): void {
  if (amount >= minAmount) return;
  const detail = `must be at least ${minAmount} (${inCoins(minAmount, code)} whole coins)`;
  throw validationProblem([{ pointer: '/amount', code: 'below_minimum', detail }]);
}

function expiryOf(
  { expiredAt }: CreateInvoiceRequest,
  type: CryptoTransaction['type'],
  now: number,
): CryptoTransaction['expiresAt'] {
  if (type !== 'user') return expiredAt === undefined ? now + INVOICE_LIFETIME : (parseMoment(expiredAt)?.at ?? null);
  if (expiredAt === undefined) return null;
  throw validationProblem([
    { pointer: '/expiredAt', code: 'not_for_type', detail: 'is not for the type user, which does not expire' },
  ]);
}
