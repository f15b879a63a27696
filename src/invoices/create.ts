import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { CreateInvoiceRequest, CryptoTransaction as ApiTransaction } from '../api/crypto-transaction.ts';
import { toCoins } from '../api/crypto-amount.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { DAY, type Instant, MINUTE, parseMoment } from '../shared/time.ts';
import type { UnitOfWork } from '../database/database.ts';
import type { StoreResponse } from '../operations/serve.ts';
import { toleranceOf } from './evaluate.ts';
import { Problem, validationProblem } from '../api/problem-error.ts';
import type { InvoicesContext } from './context.ts';
import { toApiTransaction, readApiTransaction } from './api-transaction.ts';
import { insertTransaction, currentExchangeRate } from './new-transaction.ts';
import { requireAddressIssuing } from '../wallets/accounts.ts';
import { type InvoiceRules, readInvoiceRules } from '../wallets/rules.ts';
import { findByReference } from './store.ts';
import { recordCreated } from './transition.ts';
import { type FreshAddress, nextDepositAddress, assignWallet, type WalletRequest } from '../wallets/pool.ts';

/** Default lifetime of an invoice. */
const LIFETIME: Instant = 30 * MINUTE;
const MAX_LIFETIME: Instant = DAY;

/**
 * Creates an invoice and assigns a wallet by its type. Repeating `txId` and currency returns the existing invoice. A
 * different type is then a conflict, and so is a different amount, except for the type `user`, which accepts a new
 * amount, description and return URL.
 */
export async function createInvoice(
  context: InvoicesContext,
  merchantId: number,
  request: CreateInvoiceRequest,
  storeResponse: StoreResponse<ApiTransaction> = () => Promise.resolve(),
): Promise<ApiTransaction> {
  const { database, clock, chains } = context;
  const { code, txId } = request;
  const existing = await findByReference(database, merchantId, txId, code);
  if (existing) return await repeatInvoice(context, existing, request, storeResponse);

  const connected = chains.forCurrency(code);
  if (!connected) {
    const available = chains.currencies.join(', ') || 'none';
    throw validationProblem([
      { pointer: '/code', code: 'currency_not_available', detail: `is not set up; available: ${available}` },
    ]);
  }
  const rules = await readInvoiceRules(database, merchantId, code);
  const type = request.type === 'invoice_type_default' ? rules.defaultType : request.type;
  const amount = requestedAmount(request, type);
  if (amount !== null) requireMinAmount(amount, code, rules);
  const expiresAt = invoiceExpiry(request, type, clock.now());
  // Before an address is issued: without a rate, none must be used up.
  const exchangeRate = amount === null ? null : currentExchangeRate(context, code, amount, rules.currency);
  const tipHeight = await requireAddressIssuing(database, connected);
  const walletRequest: WalletRequest = {
    merchantId,
    code,
    type,
    amount: amount ?? 0n,
    tolerance: toleranceOf(amount, rules),
    rules,
    tipHeight,
    accountId: connected.accountId,
  };

  const createWithWallet = async (unit: UnitOfWork, fresh: FreshAddress | null): Promise<ApiTransaction | null> => {
    const wallet = await assignWallet(context, unit, walletRequest, fresh);
    if (!wallet) return null;
    const transaction = await insertTransaction(context, unit, wallet, rules, {
      txId,
      kind: 'invoice',
      code,
      amountRequired: amount,
      comment: request.comment ?? null,
      description: request.description ?? null,
      returnUrl: request.returnUrl ?? null,
      metadata: request.metadata ?? null,
      locale: request.locale ?? null,
      expiresAt,
      exchangeRate,
    });
    if (!transaction) throw new DuplicateReference();
    const details = { deposits: [], tipHeight };
    await recordCreated(context, unit, wallet, transaction, details);
    const response = toApiTransaction(context, transaction, { wallet, intendedFor: null, ...details });
    await storeResponse(unit, response);
    return response;
  };
  try {
    // A fresh address is issued only if no existing wallet fits.
    const reused =
      type === 'user' ? null : await database.inTransaction(async (unit) => await createWithWallet(unit, null));
    if (reused) return reused;
    const fresh = await nextDepositAddress(context, connected);
    const created = await database.inTransaction(async (unit) => await createWithWallet(unit, fresh));
    if (created) return created;
    throw new Error(`The fresh address ${fresh.address} already has a wallet.`);
  } catch (error) {
    if (!(error instanceof DuplicateReference)) throw error;
    const concurrent = await findByReference(database, merchantId, txId, code);
    if (!concurrent) throw new Error('The invoice with the same reference no longer exists.', { cause: error });
    return await repeatInvoice(context, concurrent, request, storeResponse);
  }
}

/** A concurrent request created an invoice with the same reference; rolls back this unit of work. */
class DuplicateReference extends Error {}

async function repeatInvoice(
  context: InvoicesContext,
  existing: CryptoTransaction,
  request: CreateInvoiceRequest,
  storeResponse: StoreResponse<ApiTransaction>,
): Promise<ApiTransaction> {
  const { id, type, code, amountRequired, merchantId } = existing;
  const amount = request.amount === undefined ? null : BigInt(request.amount);
  const isSameAmount = amount === amountRequired || (amount === null && type === 'user');
  const isSameType = request.type === 'invoice_type_default' || request.type === type;
  if (!isSameType || (!isSameAmount && type !== 'user')) {
    throw new Problem(
      'tx_id_conflict',
      `An invoice with this txId and code already exists, with amount ${amountRequired} and type ${type}.`,
    );
  }
  const { description = existing.description, returnUrl = existing.returnUrl } = request;
  const change: Partial<CryptoTransaction> = {
    ...(type === 'user' && description !== existing.description && { description }),
    ...(type === 'user' && returnUrl !== existing.returnUrl && { returnUrl }),
  };
  if (!isSameAmount && amount !== null) {
    const rules = await readInvoiceRules(context.database, merchantId, code);
    requireMinAmount(amount, code, rules);
    change.amountRequired = amount;
    change.exchangeRate = currentExchangeRate(context, code, amount, rules.currency);
  }
  if (Object.keys(change).length === 0) return await readApiTransaction(context, context.database, existing);
  return await context.database.inTransaction(async (unit) => {
    const updated = await db(unit)
      .updateTable('crypto_transactions')
      .set(cryptoTransactionRecord.write({ ...change, updatedAt: context.clock.now() }))
      .where('id', '=', id)
      .returning(cryptoTransactionRecord.columns)
      .executeTakeFirstOrThrow();
    const response = await readApiTransaction(context, unit, cryptoTransactionRecord.read(updated));
    await storeResponse(unit, response);
    return response;
  });
}

/** Returns the amount; null for a user's wallet without one. The type can be the merchant's default. */
function requestedAmount({ amount }: CreateInvoiceRequest, type: CryptoTransaction['type']): bigint | null {
  if (amount !== undefined) return BigInt(amount);
  if (type === 'user') return null;
  throw validationProblem([
    { pointer: '/amount', code: 'required', detail: `is required for the type ${type}, the merchant’s default` },
  ]);
}

function requireMinAmount(amount: bigint, code: CryptoCurrencyCode, { minAmount }: InvoiceRules): void {
  if (amount >= minAmount) return;
  const detail = `must be at least ${minAmount} (${toCoins(minAmount, code)} whole coins)`;
  throw validationProblem([{ pointer: '/amount', code: 'below_minimum', detail }]);
}

/** Only new invoices are checked against the current time: a repeated request may arrive after its own expiry. */
function invoiceExpiry(
  { expiredAt }: CreateInvoiceRequest,
  type: CryptoTransaction['type'],
  now: Instant,
): CryptoTransaction['expiresAt'] {
  const problem = (code: string, detail: string) => validationProblem([{ pointer: '/expiredAt', code, detail }]);
  const expiry = expiredAt === undefined ? null : parseMoment(expiredAt);
  if (type === 'user') {
    if (expiry === null) return null;
    throw problem('not_for_type', 'is not allowed for type user, which does not expire');
  }
  if (expiry === null) return now + LIFETIME;
  if (expiry.at <= now) throw problem('in_the_past', 'must be later than now');
  if (expiry.at > now + MAX_LIFETIME) throw problem('too_late', 'must be at most 24 hours from now');
  return expiry.at;
}
