import type { CreateInvoiceRequest, CryptoTransaction as WireTransaction } from '../contract/crypto-transaction.ts';
import { INVOICE_LIFETIME } from '../contract/crypto-transaction.ts';
import { inCoins } from '../contract/crypto-amount.ts';
import { parseMoment } from '../contract/time.ts';
import type { UnitOfWork } from '../platform/database/database.ts';
import type { KeepAnswer } from '../platform/http/operations.ts';
import { percentOf } from '../platform/money.ts';
import { Problem, validationProblem } from '../platform/problem.ts';
import type { InvoicesContext } from './context.ts';
import { describe, describeOne } from './describe.ts';
import { insertTransaction, rateNow } from './new-transaction.ts';
import { readRules } from './rules.ts';
import { findByReference, readHeight } from './store.ts';
import type { CryptoTransaction } from './transaction.ts';
import { tellCreated } from './transition.ts';
import { type FreshAddress, takeAddress, takeWallet, type Wanted } from './wallets.ts';

/**
 * Makes an invoice with the wallet that its type gives it. The same `txId` and currency again answer the same
 * invoice; another amount or type under them is a conflict.
 */
export async function createInvoice(
  context: InvoicesContext,
  merchantId: number,
  request: CreateInvoiceRequest,
  keepAnswer: KeepAnswer<WireTransaction> = () => Promise.resolve(),
): Promise<WireTransaction> {
  const { database, clock, chains } = context;
  const { code, txId } = request;
  const former = await findByReference(database, merchantId, txId, code);
  if (former) return await repeated(context, former, request);

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
  if (amount < rules.minAmount) {
    const detail = `must be at least ${rules.minAmount} (${inCoins(rules.minAmount, code)} whole coins)`;
    throw validationProblem([{ pointer: '/amount', code: 'below_minimum', detail }]);
  }
  const expiresAt = expiryOf(request, type, clock.now());
  const tipHeight = await readHeight(database, connected.name);
  // Whoever gives out an address without knowing where the chain stands may miss what is paid to it.
  if (tipHeight === null) throw chainUnavailable(connected.name);
  const wanted: Wanted = {
    merchantId,
    code,
    type,
    amount,
    tolerance: percentOf(amount, rules.tolerancePercent),
    rules,
    tipHeight,
  };

  const make = async (unit: UnitOfWork, fresh: FreshAddress | null): Promise<WireTransaction | null> => {
    const wallet = await takeWallet(context, unit, wanted, fresh);
    if (!wallet) return null;
    const transaction = await insertTransaction(context, unit, wallet, rules, {
      txId,
      paysFor: null,
      kind: 'invoice',
      code,
      amountRequired: amount,
      comment: request.comment ?? null,
      expiresAt,
      meantForId: null,
      givenLabels: [],
      exchangeRate: rateNow(context, code, amount, rules.currency),
    });
    if (!transaction) throw new ReferenceTaken();
    const belongings = { payments: [], tipHeight };
    await tellCreated(context, unit, wallet, transaction, belongings);
    const answer = describe(context, transaction, { wallet, meantFor: null, ...belongings });
    await keepAnswer(unit, answer);
    return answer;
  };
  try {
    // Only where no wallet is there is a new address taken.
    const reused = type === 'user' ? null : await database.inUnit(async (unit) => await make(unit, null));
    if (reused) return reused;
    const fresh = await takeAddress(context, connected);
    const made = await database.inUnit(async (unit) => await make(unit, fresh));
    if (made) return made;
    throw new Error('A fresh address gave no wallet');
  } catch (error) {
    if (!(error instanceof ReferenceTaken)) throw error;
    const other = await findByReference(database, merchantId, txId, code);
    if (!other) throw new Error('An invoice that was in the way is gone', { cause: error });
    return await repeated(context, other, request);
  }
}

/** Somebody else made an invoice of the same reference meanwhile; what this unit has done is undone. */
class ReferenceTaken extends Error {}

async function repeated(
  context: InvoicesContext,
  former: CryptoTransaction,
  { amount, type }: CreateInvoiceRequest,
): Promise<WireTransaction> {
  const isSame = former.amountRequired === BigInt(amount) && (type === 'invoice_type_default' || type === former.type);
  if (!isSame) {
    throw new Problem(
      'tx_id_conflict',
      `There is an invoice with this txId and code already, for ${former.amountRequired} and of the type ${former.type}.`,
    );
  }
  return await describeOne(context, context.database, former);
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

export function chainUnavailable(chain: string): Problem {
  return new Problem(
    'chain_unavailable',
    `The node of ${chain} has not answered yet, so that payments could be missed. Try again in a moment.`,
    { headers: { 'Retry-After': '5' } },
  );
}
