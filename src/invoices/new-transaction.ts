import { db } from './schema.ts';
import type { CryptoCurrencyCode } from '../shared/crypto-currency.ts';
import { formatInstant } from '../shared/time.ts';
import type { CurrencyCode } from '../api/currency.ts';
import { minorUnitsOf } from '../api/currency.ts';
import { inCoins } from '../api/crypto-amount.ts';
import type { UnitOfWork } from '../database/database.ts';
import { percentOf, timesRate } from '../shared/rate-arithmetic.ts';
import { randomId } from '../system/random.ts';
import { watchBalance } from '../deposits/balances/watch.ts';
import type { InvoicesContext } from './context.ts';
import { readHeight } from '../chains/cursor.ts';
import type { InvoiceRules } from '../wallets/rules.ts';
import type { Wallet } from '../wallets/wallet.ts';
import { type CryptoTransaction, toTransaction, type TransactionRow } from './transaction.ts';

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
  const row: Omit<TransactionRow, 'id'> = {
    merchant_id: wallet.merchantId,
    public_id: randomId(random),
    tx_id: given.txId ?? null,
    pays_for: given.paysFor ?? null,
    kind: given.kind,
    type: wallet.type,
    chain: wallet.chain,
    code: given.code,
    wallet_id: wallet.id,
    meant_for_id: given.meantForId ?? null,
    status: 'pending',
    labels: '[]',
    given_labels: JSON.stringify(given.givenLabels ?? []),
    amount_required: given.amountRequired?.toString() ?? null,
    tolerance: percentOf(given.amountRequired ?? 0n, rules.tolerancePercent).toString(),
    amount: '0',
    amount_credited: '0',
    processing_fee_percent: rules.processingFeePercent,
    min_confirmations: rules.minConfirmations,
    rejection: given.rejection ?? null,
    refund_address: null,
    decided_by: null,
    decided_at: null,
    decision_reason: null,
    exchange_rate: given.exchangeRate ? JSON.stringify(given.exchangeRate) : null,
    comment: given.comment ?? null,
    returned_by: given.returnedBy ?? null,
    // Money that belongs to no invoice is told of once it has been judged.
    sequence: given.kind === 'invoice' ? 1 : 0,
    created_at: now,
    updated_at: now,
    expires_at: given.expiresAt ?? null,
  };
  const inserted = await db(unit)
    .insertInto('crypto_transactions')
    .values(row)
    // The index of references holds those that have one.
    .onConflict((conflict) =>
      conflict.columns(['merchant_id', 'tx_id', 'code']).where('tx_id', 'is not', null).doNothing(),
    )
    .returning('id')
    .executeTakeFirst();
  if (!inserted) return null;
  if (given.kind === 'invoice') {
    const isPatient = wallet.type === 'user' && row.expires_at === null;
    await watchBalance(unit, wallet, { height: (await readHeight(unit, wallet.chain)) ?? 0, isPatient });
  }
  return toTransaction({ id: inserted.id, ...row });
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
