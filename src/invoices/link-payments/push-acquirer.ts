/*
 * Map of this folder: `push-acquirer.ts` implements the port of push payments with crypto transactions.
 * `rate-locks.ts` locks prices for a buyer, and `price.ts` converts between a price and coins. `job.ts` applies
 * changed deposits to their links, and `store.ts` has the queries. Reasons: docs/decisions/invoices.md.
 */

import type { Runner } from '../../database/engine.ts';
import { Problem } from '../../api/problem-error.ts';
import { toCoins } from '../../api/crypto-amount.ts';
import type { MethodChoice } from '../../api/instructions.ts';
import { chains as allChains, type CryptoCurrencyCode, cryptoCurrencies } from '../../shared/crypto-currency.ts';
import { formatMinor } from '../../shared/money.ts';
import { minorUnitsOf } from '../../api/currency.ts';
import { formatInstant } from '../../shared/time.ts';
import { defaultPreference } from '../../merchants/preferences/keys.ts';
import { readPreferences } from '../../merchants/preferences/store.ts';
import type { UnitOfWork } from '../../database/database.ts';
import {
  AlreadyWithdrawn,
  type PushPaymentRequest,
  type IssuedInstructions,
  type MethodChoices,
  type PushPayment,
  type PushAcquirer,
} from '../../acquirers/push-port.ts';
import type { MethodCapability } from '../../acquirers/adapter.ts';
import type { AcquirerAccount } from '../../acquirers/registry.ts';
import { paymentMethods } from '../../methods/catalog.ts';
import type { ConnectedChain } from '../../wallets/connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { insertTransaction } from '../new-transaction.ts';
import { requireAddressIssuing } from '../../wallets/accounts.ts';
import { readInvoiceRules } from '../../wallets/rules.ts';
import { latestTransactions } from '../coin-transactions.ts';
import { simulatorPath } from '../api-transaction.ts';
import { isCredited, isLate, toleranceOf } from '../evaluate.ts';
import { findTransactions } from '../store.ts';
import type { LinkPayment, CryptoTransaction } from '../schema.ts';
import { recordCreated } from '../transition.ts';
import {
  type FreshAddress,
  isGapLimitReached,
  createWallet,
  nextDepositAddress,
  assignUnusedWallet,
  type WalletRequest,
} from '../../wallets/pool.ts';
import { lockRates, RATE_LOCK_DURATION, readLockedRates } from '../link-payments/rate-locks.ts';
import { priceInCrypto, type ValuedDeposit, valueDeposits, fiatValueOf } from '../link-payments/price.ts';
import {
  clearDue,
  closeLinkPayment,
  type DepositWithConfirmations,
  findLinkPayment,
  findDepositsWithConfirmations,
  findLateDepositValues,
  insertLinkPayment,
  insertLateDepositValue,
} from './store.ts';

/**
 * Push acquirer for crypto payments of payment links. Each payment is a crypto transaction with its own wallet, which
 * accepts any amount, including partial and late payments. So underpayment, overpayment and late payment work as for
 * other methods.
 */
export function linkPaymentAccount(context: InvoicesContext): AcquirerAccount {
  const { currencies } = context.chains;
  const capabilities = paymentMethods
    .filter(({ action }) => action === 'crypto' && currencies.length > 0)
    .map(
      ({ code }): MethodCapability => ({
        ...{ method: code, countries: 'all', currencies: 'all' },
        ...{ refunds: 'none', latePayments: true, payerFields: [] },
      }),
    );
  return {
    ...{ key: 'chains', adapter: 'chains', capabilities, push: createLinkPaymentAcquirer(context) },
    check: () => Promise.resolve({ result: 'ok', detail: 'Chains need no credentials.' }),
  };
}

function createLinkPaymentAcquirer(context: InvoicesContext): PushAcquirer {
  const { database, chains } = context;

  return {
    async listChoices(quote): Promise<MethodChoices> {
      const { method, merchantId, amountMinor, currency } = quote;
      if (method.choice !== 'currency') return { choices: [], quoteExpiresAt: null };
      const minAmountOf = await readMinAmounts(context, merchantId);
      const { locked, unavailable } = await lockRates(context, quote, chains.currencies, currency);
      const offered = [...locked].flatMap(([code, { rate, lockedUntil }]) => {
        const cryptoAmount = priceInCrypto({ amountMinor, currency }, code, rate);
        return cryptoAmount >= minAmountOf(code) ? [{ code, amount: toCoins(cryptoAmount, code), lockedUntil }] : [];
      });
      const inOrder = chains.currencies.flatMap((code) => offered.filter((each) => each.code === code));
      return {
        choices: inOrder.map(({ code, amount }) => ({
          ...{ code, amount, name: cryptoCurrencies[code].shortName, isPopular: true },
          ...networkOf(context, code),
        })),
        quoteExpiresAt: inOrder.length === 0 ? null : Math.min(...inOrder.map(({ lockedUntil }) => lockedUntil)),
        unavailable,
      };
    },

    async issueInstructions(request) {
      const existing = await findLinkPayment(database, request.instructionsKey);
      return requireIssued(existing ?? (await createLinkPayment(context, request)));
    },

    async fetchPayment({ instructionsKey }) {
      const payment = await findLinkPayment(database, instructionsKey);
      return payment && (await describePayment(database, payment));
    },

    async readCurrentPayments(unit, instructionsKey, { siblings, owedMinor }) {
      // Clears `due_at` of one payment, so that only one row is locked. Sibling payments stay due and are read again.
      await clearDue(unit, instructionsKey);
      const payments: LinkPayment[] = [];
      for (const key of [instructionsKey, ...siblings]) {
        const payment = await findLinkPayment(unit, key);
        if (payment) payments.push(payment);
      }
      return await describePayments(context, unit, payments, owedMinor);
    },

    async withdraw({ instructionsKey }) {
      const payment =
        (await findLinkPayment(database, instructionsKey)) ?? (await closeUnusedKey(context, instructionsKey));
      const described = await describePayment(database, payment);
      if (payment.state === 'closed' || described.confirmations !== null) return described;
      await database.inTransaction(async (unit) => await closeLinkPayment(unit, payment));
      // Read again: a deposit may have arrived in the meantime.
      return await describePayment(database, { ...payment, state: 'closed' });
    },

    // The sending address may belong to an exchange and must not receive the refund.
    refund: () =>
      Promise.resolve({
        kind: 'refused',
        code: 'address_required',
        detail:
          'A crypto refund needs an address from the payer. Ask the payer for one; a manager then sends the refund with POST /v1/withdrawals.',
      }),

    async readDeposits(instructionsKey) {
      const payment = await findLinkPayment(database, instructionsKey);
      const transaction = payment && (await findTransaction(database, payment));
      if (!transaction) return null;
      const deposits = await findDepositsWithConfirmations(database, transaction.id);
      return {
        transactions: latestTransactions(context, transaction, deposits),
        pendingMinor: pendingValue(payment, transaction, deposits),
      };
    },

    async simulatorUrl(instructionsKey) {
      const payment = await findLinkPayment(database, instructionsKey);
      const transaction = payment && (await findTransaction(database, payment));
      if (!transaction || !context.simulatedChains[transaction.chain]) return null;
      return context.publicUrl + simulatorPath(transaction.publicId);
    },
  };
}

/** Reads the minimum amounts of a merchant, by currency. */
async function readMinAmounts(
  { database }: InvoicesContext,
  merchantId: number,
): Promise<(code: CryptoCurrencyCode) => bigint> {
  const keyOf = (code: CryptoCurrencyCode) => `min-amount-${code}` as const;
  const codes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
  const preferences: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    database,
    merchantId,
    codes.map(keyOf),
  );
  return (code) => {
    const minAmount = BigInt(preferences[keyOf(code)] ?? defaultPreference(keyOf(code)) ?? 0);
    const { minUnits } = cryptoCurrencies[code];
    return minAmount > minUnits ? minAmount : minUnits;
  };
}

function requireIssued({ issued }: LinkPayment): IssuedInstructions {
  if (issued) return issued;
  throw new AlreadyWithdrawn();
}

/** Inserts a closed payment for an unused key, so that it can never be issued. */
async function closeUnusedKey({ database, clock }: InvoicesContext, instructionsKey: string): Promise<LinkPayment> {
  const empty = { transactionId: null, currency: 'USD', amountMinor: 0n, returnUrl: null, issued: null } as const;
  await database.inTransaction(
    async (unit) =>
      await insertLinkPayment(unit, { instructionsKey, state: 'closed', ...empty, createdAt: clock.now() }),
  );
  return await readLinkPayment(database, instructionsKey);
}

async function readLinkPayment(database: InvoicesContext['database'], instructionsKey: string): Promise<LinkPayment> {
  const payment = await findLinkPayment(database, instructionsKey);
  if (!payment) throw new Error(`The crypto payment ${instructionsKey} does not exist.`);
  return payment;
}

/** Creates the crypto transaction of a payment, with its own wallet. */
async function createLinkPayment(context: InvoicesContext, expected: PushPaymentRequest): Promise<LinkPayment> {
  const { database, clock, chains } = context;
  const { instructionsKey, merchantId, currency, amountMinor, choice } = expected;
  const code = chains.currencies.find((each) => each === choice);
  const connected = code && chains.forCurrency(code);
  if (!connected) throw new Error(`No chain is configured for the currency ${choice ?? ''}.`);
  const tipHeight = await requireAddressIssuing(database, connected);
  const { locked, unavailable } = await lockRates(context, expected, [code], currency);
  const rate = locked.get(code);
  if (!rate) throw new Problem('rate_unavailable', unavailable.get(code) ?? '');
  const cryptoAmount = priceInCrypto({ amountMinor, currency }, code, rate.rate);
  const expiresAt = Math.min(expected.expiresAt, clock.now() + RATE_LOCK_DURATION);
  const exchangeRate = {
    ...{ currency, code, source: rate.source, at: formatInstant(rate.at), exchangeRate: rate.rate },
    currencyAmount: formatMinor(amountMinor, minorUnitsOf(currency)),
  };
  // The fee of the payment method applies to the payment; no processing fee is added.
  const rules = { ...(await readInvoiceRules(database, merchantId, code)), processingFeePercent: '0' };
  const walletRequest: WalletRequest = {
    ...{ merchantId, code, amount: cryptoAmount, tolerance: toleranceOf(cryptoAmount, rules) },
    type: 'user',
    ...{ rules, tipHeight, accountId: connected.accountId },
  };
  /** Returns false if no wallet is available. Without a fresh address, only an unused wallet is assigned. */
  const createWithWallet = async (fresh: FreshAddress | null) =>
    await database.inTransaction(async (unit) => {
      const wallet = fresh
        ? await createWallet(context, unit, { merchantId, code, type: 'user' }, fresh)
        : await assignUnusedWallet(context, unit, walletRequest);
      if (!wallet) return false;
      const transaction = await insertTransaction(context, unit, wallet, rules, {
        ...{ paysFor: expected.paymentReference, kind: 'invoice', code, amountRequired: cryptoAmount },
        ...{ expiresAt, exchangeRate },
      });
      if (!transaction) throw new Error('The crypto transaction of a payment link was not inserted.');
      const isFirst = await insertLinkPayment(unit, {
        ...{ instructionsKey, transactionId: transaction.id, state: 'open', currency, amountMinor },
        returnUrl: expected.returnUrl,
        issued: {
          instructions: buildInstructions(connected, wallet, code, cryptoAmount, rules),
          reference: wallet.address,
          acquirerReference: null,
          expiresAt,
        },
        createdAt: clock.now(),
      });
      if (!isFirst) throw new DuplicateRequest();
      await recordCreated(context, unit, wallet, transaction, { deposits: [], tipHeight });
      return true;
    });
  try {
    const isReused =
      (await isGapLimitReached(context, database, connected.accountId)) && (await createWithWallet(null));
    if (!isReused) await createWithWallet(await nextDepositAddress(context, connected));
  } catch (error) {
    if (!(error instanceof DuplicateRequest)) throw error;
  }
  return await readLinkPayment(database, instructionsKey);
}

/** The payment was issued or canceled by a concurrent request; rolls back this unit of work. */
class DuplicateRequest extends Error {}

/** The network of a coin that is not named after its chain. */
function networkOf({ chains }: InvoicesContext, code: CryptoCurrencyCode): Pick<MethodChoice, 'network'> {
  const { shortName, chain } = cryptoCurrencies[code];
  const network = chains.forCurrency(code)?.network;
  return network === undefined || shortName === allChains[chain].name ? {} : { network };
}

function buildInstructions(
  { chain, network }: ConnectedChain,
  { address }: Pick<FreshAddress, 'address'>,
  code: CryptoCurrencyCode,
  cryptoAmount: bigint,
  { minConfirmations }: { minConfirmations: number },
): IssuedInstructions['instructions'] {
  return {
    action: 'crypto',
    currency: code.toUpperCase(),
    network,
    address,
    amount: toCoins(cryptoAmount, code),
    uri: chain.addresses.paymentUri({ code, address, amount: cryptoAmount }),
    minConfirmations,
  };
}

async function findTransaction(reader: Runner, { transactionId }: LinkPayment): Promise<CryptoTransaction | null> {
  const [transaction] = await findTransactions(reader, transactionId === null ? [] : [transactionId]);
  return transaction ?? null;
}

/** State of a payment without receipts, which are read in the link's unit of work. */
async function describePayment(reader: Runner, payment: LinkPayment): Promise<PushPayment> {
  const transaction = await findTransaction(reader, payment);
  const deposits = transaction ? await findDepositsWithConfirmations(reader, transaction.id) : [];
  return {
    state: payment.state,
    receipts: [],
    confirmations: transaction && fewestPendingConfirmations(transaction, deposits),
  };
}

/** Fewest confirmations of the deposits that are not credited yet; null if there are none. */
function fewestPendingConfirmations(
  transaction: CryptoTransaction,
  deposits: readonly DepositWithConfirmations[],
): number | null {
  const pending = deposits.flatMap((each) =>
    isPending(transaction, each) ? [Math.min(each.confirmations ?? 0, transaction.minConfirmations)] : [],
  );
  return pending.length === 0 ? null : Math.min(...pending);
}

/** True if a deposit awaits the merchant's approval. */
function isInReview({ confirmations, decision }: DepositWithConfirmations): boolean {
  return confirmations !== null && decision === 'undecided';
}

/** True if a deposit awaits confirmations. */
function isPending(transaction: CryptoTransaction, deposit: DepositWithConfirmations): boolean {
  return deposit.confirmations !== null && deposit.decision !== 'rejected' && !isCredited(transaction, deposit);
}

/** Value at the locked rate that pending deposits add to the credited ones. */
function pendingValue(
  payment: LinkPayment,
  transaction: CryptoTransaction,
  deposits: readonly DepositWithConfirmations[],
): bigint {
  const quote = quoteOf(payment, transaction);
  const inTime = deposits.filter((each) => !isLate(transaction, each));
  const valueOf = (some: readonly DepositWithConfirmations[]) =>
    fiatValueOf(
      some.reduce((sum, { amount }) => sum + amount, 0n),
      quote,
    );
  const credited = inTime.filter((each) => isCredited(transaction, each));
  return valueOf([...credited, ...inTime.filter((each) => isPending(transaction, each))]) - valueOf(credited);
}

function quoteOf({ amountMinor }: LinkPayment, transaction: CryptoTransaction): ValuedDeposit['quote'] {
  const { code, tolerance, amountRequired } = transaction;
  // `amountRequired` is always set for payments of links.
  return { priceMinor: amountMinor, cryptoAmount: amountRequired ?? 1n, tolerance, code };
}

/** A payment with its current deposits. */
interface PaymentWithDeposits {
  payment: LinkPayment;
  transaction: CryptoTransaction;
  quote: ValuedDeposit['quote'];
  deposits: readonly DepositWithConfirmations[];
}

/** Describes all payments of a link from their current deposits. */
async function describePayments(
  context: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  payments: readonly LinkPayment[],
  owedMinor: bigint,
): Promise<ReadonlyMap<string, PushPayment>> {
  const withDeposits: PaymentWithDeposits[] = [];
  for (const payment of payments) {
    const transaction = await findTransaction(unit, payment);
    if (!transaction) continue;
    withDeposits.push({
      payment,
      transaction,
      quote: quoteOf(payment, transaction),
      deposits: await findDepositsWithConfirmations(unit, transaction.id),
    });
  }
  const values = await valueCreditedDeposits(context, unit, withDeposits, owedMinor);
  return new Map(
    payments.map((payment): [string, PushPayment] => {
      const { transaction, deposits = [] } = withDeposits.find((each) => each.payment === payment) ?? {};
      const receipts = deposits.flatMap(({ id, paymentKey, seenAt }) => {
        const amountMinor = values.get(id) ?? 0n;
        return amountMinor > 0n ? [{ receiptKey: paymentKey, amountMinor, receivedAt: seenAt }] : [];
      });
      const confirmations = transaction ? fewestPendingConfirmations(transaction, deposits) : null;
      const details = { state: payment.state, receipts, confirmations, isInReview: deposits.some(isInReview) };
      return [payment.instructionsKey, details];
    }),
  );
}

/**
 * Values the credited deposits of a link. In time: by their sum at the locked rate, so a replacement has the value of
 * the deposit that it replaced. Late: at the rate when first valued; a replacement keeps the rate of the replaced one.
 */
async function valueCreditedDeposits(
  context: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  withDeposits: readonly PaymentWithDeposits[],
  owedMinor: bigint,
): Promise<ReadonlyMap<number, bigint>> {
  const all = withDeposits
    .flatMap((entry) => entry.deposits.map((deposit) => ({ ...entry, deposit })))
    .sort((one, other) => one.deposit.id - other.deposit.id);
  const late = await findLateDepositValues(
    unit,
    all.map(({ deposit }) => deposit.id),
  );
  const credited: { id: number; valued: ValuedDeposit }[] = [];
  for (const { payment, transaction, quote, deposit } of all) {
    const { id, amount, confirmations } = deposit;
    const isLateDeposit = isLate(transaction, deposit);
    if (isLateDeposit && confirmations !== null && !late.has(id)) {
      const replaced = all.find((each) => each.deposit.id === deposit.replacesId)?.deposit;
      const replacedValue = replaced && late.get(replaced.id);
      const received = sumOf(
        valueDeposits(
          credited.map(({ valued }) => valued),
          owedMinor,
        ),
      );
      const amountMinor =
        replaced && replacedValue !== undefined
          ? (replacedValue * amount) / replaced.amount
          : await valueLateDeposit(context, unit, { payment, transaction }, quote, {
              amount,
              remainingMinor: owedMinor - received,
            });
      late.set(id, amountMinor);
      await insertLateDepositValue(unit, id, amountMinor);
    }
    const lateMinor = isLateDeposit ? (late.get(id) ?? 0n) : null;
    if (isCredited(transaction, deposit)) credited.push({ id, valued: { quote, amount, lateMinor } });
  }
  const values = valueDeposits(
    credited.map(({ valued }) => valued),
    owedMinor,
  );
  return new Map(credited.map(({ id }, index) => [id, values[index] ?? 0n]));
}

function sumOf(values: readonly bigint[]): bigint {
  return values.reduce((sum, value) => sum + value, 0n);
}

/** Values a late deposit at the current rate. An amount requested for the remainder pays the remainder exactly. */
async function valueLateDeposit(
  { clock, rates }: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  { payment: { currency }, transaction: { merchantId, paysFor } }: Pick<PaymentWithDeposits, 'payment' | 'transaction'>,
  { priceMinor, tolerance, code }: ValuedDeposit['quote'],
  { amount, remainingMinor }: { amount: bigint; remainingMinor: bigint },
): Promise<bigint> {
  const link = { merchantId, paymentReference: paysFor ?? '' };
  const shownRates = await readLockedRates(unit, link, code, clock.now());
  const cryptoAmountOf = (amountMinor: bigint, rate: string) => priceInCrypto({ amountMinor, currency }, code, rate);
  if (remainingMinor > 0n && shownRates.some((rate) => amount === cryptoAmountOf(remainingMinor, rate)))
    return remainingMinor;
  // Without a current rate the deposit stays due, and is valued once there is one.
  const { rate } = rates.rate(code, currency);
  if (remainingMinor > 0n && amount === cryptoAmountOf(remainingMinor, rate)) return remainingMinor;
  return fiatValueOf(amount, { priceMinor, cryptoAmount: cryptoAmountOf(priceMinor, rate), tolerance });
}
