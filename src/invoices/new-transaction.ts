import { type CryptoTransaction, db, cryptoTransactionRecord, transactionMetadata } from './schema.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { formatInstant } from '../shared/time.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { minorUnitsOf } from '../api/currency.ts';
import { toCoins } from '../api/crypto-amount.ts';
import type { UnitOfWork } from '../database/database.ts';
import { multiplyByRate } from '../shared/rate-arithmetic.ts';
import { toleranceOf } from './evaluate.ts';
import { publicId } from '../system/random.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { InvoicesContext } from './context.ts';
import { readLastHeight } from '../chains/cursor.ts';
import type { InvoiceRules } from '../wallets/rules.ts';
import type { Wallet } from '../wallets/schema.ts';

type NewTransaction = Pick<CryptoTransaction, 'kind' | 'code'> &
  Partial<
    Pick<
      CryptoTransaction,
      | 'txId'
      | 'paysFor'
      | 'amountRequired'
      | 'comment'
      | 'description'
      | 'returnUrl'
      | 'metadata'
      | 'locale'
      | 'expiresAt'
      | 'intendedForId'
      | 'givenLabels'
      | 'exchangeRate'
      | 'returnedBy'
      | 'rejection'
    >
  >;

/** Inserts a transaction of a wallet; null if the merchant already has one with the same `txId` and currency. */
export async function insertTransaction(
  { clock, random }: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  rules: InvoiceRules,
  values: NewTransaction,
): Promise<CryptoTransaction | null> {
  const now = clock.now();
  const transaction: Omit<CryptoTransaction, 'id'> = {
    merchantId: wallet.merchantId,
    publicId: publicId(random),
    txId: values.txId ?? null,
    paysFor: values.paysFor ?? null,
    kind: values.kind,
    type: wallet.type,
    chain: wallet.chain,
    code: values.code,
    walletId: wallet.id,
    intendedForId: values.intendedForId ?? null,
    status: 'pending',
    labels: [],
    givenLabels: values.givenLabels ?? [],
    amountRequired: values.amountRequired ?? null,
    tolerance: toleranceOf(values.amountRequired ?? null, rules),
    amount: 0n,
    amountCredited: 0n,
    processingFeePercent: rules.processingFeePercent,
    minConfirmations: rules.minConfirmations,
    rejection: values.rejection ?? null,
    refundAddress: null,
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    isApproved: null,
    exchangeRate: values.exchangeRate ?? null,
    comment: values.comment ?? null,
    description: values.description ?? null,
    returnUrl: values.returnUrl ?? null,
    metadata: values.metadata ?? null,
    locale: values.locale ?? null,
    returnedBy: values.returnedBy ?? null,
    // Transactions without an invoice are reported after their first evaluation.
    sequence: values.kind === 'invoice' ? 1 : 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: values.expiresAt ?? null,
  };
  const inserted = await db(unit)
    .insertInto('crypto_transactions')
    .values(cryptoTransactionRecord.write(transaction))
    // The partial index contains only rows with a reference.
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'tx_id', 'code']).where('tx_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return null;
  if (transaction.metadata)
    await transactionMetadata.insert(unit, { merchantId: wallet.merchantId, id: inserted.id }, transaction.metadata);
  if (values.kind === 'invoice') {
    const isLongLived = wallet.type === 'user' && transaction.expiresAt === null;
    await watchBalance(unit, wallet, { height: (await readLastHeight(unit, wallet.chain)) ?? 0, isLongLived });
  }
  return { id: inserted.id, ...transaction };
}

/** Converts an amount into the merchant's additional currency at the current rate. */
export function currentExchangeRate(
  { rates }: Pick<InvoicesContext, 'rates'>,
  code: CryptoCurrencyCode,
  amount: bigint,
  currency: CurrencyCode,
): NonNullable<CryptoTransaction['exchangeRate']> {
  const { rate, source, at } = rates.rate(code, currency);
  return {
    currency,
    exchangeRate: rate,
    currencyAmount: multiplyByRate(toCoins(amount, code), rate, minorUnitsOf(currency)),
    code,
    source,
    at: formatInstant(at),
  };
}
