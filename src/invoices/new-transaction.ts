import { type CryptoTransaction, db, cryptoTransactionRecord } from './schema.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { formatInstant } from '../shared/time.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { minorUnitsOf } from '../api/currency.ts';
import { inCoins } from '../api/crypto-amount.ts';
import type { UnitOfWork } from '../database/database.ts';
import { timesRate } from '../shared/rate-arithmetic.ts';
import { toleranceOf } from './evaluate.ts';
import { randomId } from '../system/random.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { InvoicesContext } from './context.ts';
import { readHeight } from '../chains/cursor.ts';
import type { InvoiceRules } from '../wallets/rules.ts';
import type { Wallet } from '../wallets/schema.ts';

type Given = Pick<CryptoTransaction, 'kind' | 'code'> &
  Partial<
    Pick<
      CryptoTransaction,
      | 'txId'
      | 'paysFor'
      | 'amountRequired'
      | 'comment'
      | 'expiresAt'
      | 'meantForId'
      | 'givenLabels'
      | 'exchangeRate'
      | 'returnedBy'
      | 'rejection'
    >
  >;

/** Writes a transaction of a wallet; null where the merchant has one of the same `txId` and currency. */
export async function insertTransaction(
  { clock, random }: InvoicesContext,
  unit: UnitOfWork,
  wallet: Wallet,
  rules: InvoiceRules,
  given: Given,
): Promise<CryptoTransaction | null> {
  const now = clock.now();
  const transaction: Omit<CryptoTransaction, 'id'> = {
    merchantId: wallet.merchantId,
    publicId: randomId(random),
    txId: given.txId ?? null,
    paysFor: given.paysFor ?? null,
    kind: given.kind,
    type: wallet.type,
    chain: wallet.chain,
    code: given.code,
    walletId: wallet.id,
    meantForId: given.meantForId ?? null,
    status: 'pending',
    labels: [],
    givenLabels: given.givenLabels ?? [],
    amountRequired: given.amountRequired ?? null,
    tolerance: toleranceOf(given.amountRequired ?? 0n, rules.tolerancePercent),
    amount: 0n,
    amountCredited: 0n,
    processingFeePercent: rules.processingFeePercent,
    minConfirmations: rules.minConfirmations,
    rejection: given.rejection ?? null,
    refundAddress: null,
    decidedBy: null,
    decidedAt: null,
    decisionReason: null,
    exchangeRate: given.exchangeRate ?? null,
    comment: given.comment ?? null,
    returnedBy: given.returnedBy ?? null,
    // An unattributed deposit is reported once it has been evaluated.
    sequence: given.kind === 'invoice' ? 1 : 0,
    createdAt: now,
    updatedAt: now,
    expiresAt: given.expiresAt ?? null,
  };
  const inserted = await db(unit)
    .insertInto('crypto_transactions')
    .values(cryptoTransactionRecord.write(transaction))
    // The index of references holds those that have one.
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'tx_id', 'code']).where('tx_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return null;
  if (given.kind === 'invoice') {
    const isPatient = wallet.type === 'user' && transaction.expiresAt === null;
    await watchBalance(unit, wallet, { height: (await readHeight(unit, wallet.chain)) ?? 0, isPatient });
  }
  return { id: inserted.id, ...transaction };
}

/** What an amount is in the merchant's own currency now. */
export function rateNow(
  { rates }: Pick<InvoicesContext, 'rates'>,
  code: CryptoCurrencyCode,
  amount: bigint,
  currency: CurrencyCode,
): NonNullable<CryptoTransaction['exchangeRate']> {
  const { rate, source, at } = rates.rate(code, currency);
  return {
    currency,
    exchangeRate: rate,
    currencyAmount: timesRate(inCoins(amount, code), rate, minorUnitsOf(currency)),
    code,
    source,
    at: formatInstant(at),
  };
}
