import type { Runner } from '../../database/engine.ts';
import { inCoins } from '../../api/crypto-amount.ts';
import { type CryptoCurrencyCode, cryptoCurrencies } from '../../shared/crypto-currency.ts';
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
import type { ConnectedChain } from '../../wallets/connected-chains.ts';
import type { InvoicesContext } from '../context.ts';
import { insertTransaction } from '../new-transaction.ts';
import { requireIssuable } from '../../wallets/accounts.ts';
import { readRules } from '../../wallets/rules.ts';
import { simulatorPath } from '../describe.ts';
import { isCredited, toleranceOf } from '../evaluate.ts';
import { findTransactions } from '../store.ts';
import type { CoinPayment, CryptoTransaction } from '../schema.ts';
import { recordCreated } from '../transition.ts';
import {
  type FreshAddress,
  isGapFull,
  makeWallet,
  nextDepositAddress,
  takeUnused,
  type WalletRequest,
} from '../../wallets/pool.ts';
import { heldRates, RATE_HOLDS } from './held-rates.ts';
import { priceInCoins, type ValuedDeposit, valueDeposits, fiatValueOf } from './price.ts';
import {
  clearDue,
  closeCoinPayment,
  type ConfirmedDeposit,
  findCoinPayment,
  findDeposits,
  findLateValues,
  insertCoinPayment,
  keepLateValue,
} from './store.ts';

/**
 * Carries payments of payment links in coins: each is a crypto transaction with a wallet of its own, which takes any
 * amount, in parts and late as well, so that what is less, more or late is dealt with as for every other method.
 */
export function createCoinProvider(context: InvoicesContext): PushAcquirer {
  const { database, chains } = context;

  return {
    name: 'chains',
    supports: ({ action }) => action === 'crypto' && chains.currencies.length > 0,

    async listChoices({ method, merchantId, amountMinor, currency }): Promise<MethodChoices> {
      if (method.choice !== 'currency') return { choices: [], quoteExpiresAt: null };
      const least = await leastAmounts(context, merchantId);
      const rates = await heldRates(context, chains.currencies, currency);
      const offered = [...rates].flatMap(([code, { rate, heldUntil }]) => {
        const coins = priceInCoins({ amountMinor, currency }, code, rate);
        return coins >= least(code) ? [{ code, amount: inCoins(coins, code), heldUntil }] : [];
      });
      const inOrder = chains.currencies.flatMap((code) => offered.filter((each) => each.code === code));
      return {
        choices: inOrder.map(({ code, amount }) => ({
          ...{ code, amount, name: cryptoCurrencies[code].shortName, isPopular: true },
        })),
        quoteExpiresAt: inOrder.length === 0 ? null : Math.min(...inOrder.map(({ heldUntil }) => heldUntil)),
      };
    },

    async issueInstructions(expected) {
      const known = await findCoinPayment(database, expected.instructionsKey);
      return issuedOf(known ?? (await createCoinPayment(context, expected)));
    },

    async fetchPayment(instructionsKey) {
      const payment = await findCoinPayment(database, instructionsKey);
      return payment && (await describe(database, payment));
    },

    async readCurrentPayments(unit, instructionsKey, { siblings, owedMinor }) {
      // Only its own mark, which is one row to lock; those of its siblings have these asked as well.
      await clearDue(unit, instructionsKey);
      const payments: CoinPayment[] = [];
      for (const key of [instructionsKey, ...siblings]) {
        const payment = await findCoinPayment(unit, key);
        if (payment) payments.push(payment);
      }
      return await describeAll(context, unit, payments, owedMinor);
    },

    async withdraw(instructionsKey) {
      const payment = (await findCoinPayment(database, instructionsKey)) ?? (await voidKey(context, instructionsKey));
      const described = await describe(database, payment);
      if (payment.state === 'closed' || described.confirmations !== null) return described;
      await database.inTransaction(async (unit) => await closeCoinPayment(unit, payment));
      // What was seen in the meantime is in it.
      return await describe(database, { ...payment, state: 'closed' });
    },

    // Whoever has paid from an exchange has no address that the money could go back to.
    refund: () =>
      Promise.resolve({
        kind: 'refused',
        code: 'address_needed',
        detail:
          'Coins go back to an address that only the payer can name: ask for one, and have a manager send them with POST /v1/withdrawals.',
      }),

    async simulatorUrl(instructionsKey) {
      const payment = await findCoinPayment(database, instructionsKey);
      const transaction = payment && (await transactionOf(database, payment));
      if (!transaction || !context.simulatedChains[transaction.chain]) return null;
      return context.publicUrl + simulatorPath(transaction.publicId);
    },
  };
}

/** The least that a merchant takes of each currency. */
async function leastAmounts(
  { database }: InvoicesContext,
  merchantId: number,
): Promise<(code: CryptoCurrencyCode) => bigint> {
  const keyOf = (code: CryptoCurrencyCode) => `min-amount-${code}` as const;
  const codes = Object.keys(cryptoCurrencies) as CryptoCurrencyCode[];
  const set: Readonly<Record<string, boolean | number | string | undefined>> = await readPreferences(
    database,
    merchantId,
    codes.map(keyOf),
  );
  return (code) => {
    const least = BigInt(set[keyOf(code)] ?? defaultPreference(keyOf(code)) ?? 0);
    const { leastUnits } = cryptoCurrencies[code];
    return least > leastUnits ? least : leastUnits;
  };
}

function issuedOf({ issued }: CoinPayment): IssuedInstructions {
  if (issued) return issued;
  throw new AlreadyWithdrawn();
}

/** Has a key that was never seen stay unused. */
async function voidKey({ database, clock }: InvoicesContext, instructionsKey: string): Promise<CoinPayment> {
  const nothing = { transactionId: null, currency: 'USD', amountMinor: 0n, returnUrl: null, issued: null } as const;
  await database.inTransaction(
    async (unit) =>
      await insertCoinPayment(unit, { instructionsKey, state: 'closed', ...nothing, createdAt: clock.now() }),
  );
  return await find(database, instructionsKey);
}

async function find(database: InvoicesContext['database'], instructionsKey: string): Promise<CoinPayment> {
  const found = await findCoinPayment(database, instructionsKey);
  if (!found) throw new Error('A payment in coins is gone');
  return found;
}

/** Makes the crypto transaction that the money is to come to, with a wallet of its own. */
async function createCoinPayment(context: InvoicesContext, expected: PushPaymentRequest): Promise<CoinPayment> {
  const { database, clock, chains } = context;
  const { instructionsKey, merchantId, currency, amountMinor, choice } = expected;
  const code = chains.currencies.find((each) => each === choice);
  const connected = code && chains.ofCurrency(code);
  if (!connected) throw new Error('No chain is set up for the currency that was chosen');
  const tipHeight = await requireIssuable(database, connected);
  const rate = (await heldRates(context, [code], currency)).get(code);
  if (!rate) throw new Error(`There is no rate of ${code} in ${currency}`);
  const coins = priceInCoins({ amountMinor, currency }, code, rate.rate);
  const expiresAt = Math.min(expected.expiresAt, clock.now() + RATE_HOLDS);
  const exchangeRate = {
    ...{ currency, code, source: rate.source, at: formatInstant(rate.at), exchangeRate: rate.rate },
    currencyAmount: formatMinor(amountMinor, minorUnitsOf(currency)),
  };
  // What this payment costs the merchant is the method’s own fee.
  const rules = { ...(await readRules(database, merchantId, code)), processingFeePercent: '0' };
  const wanted: WalletRequest = {
    ...{ merchantId, code, amount: coins, tolerance: toleranceOf(coins, rules.tolerancePercent) },
    type: 'user',
    ...{ rules, tipHeight, accountId: connected.accountId },
  };
  /** Answers whether there was a wallet: without a fresh address only one that was never used. */
  const write = async (fresh: FreshAddress | null) =>
    await database.inTransaction(async (unit) => {
      const wallet = fresh
        ? await makeWallet(context, unit, { merchantId, code, type: 'user' }, fresh)
        : await takeUnused(context, unit, wanted);
      if (!wallet) return false;
      const transaction = await insertTransaction(context, unit, wallet, rules, {
        ...{ paysFor: expected.paymentReference, kind: 'invoice', code, amountRequired: coins },
        ...{ expiresAt, exchangeRate },
      });
      if (!transaction) throw new Error('A crypto transaction was not written');
      const isFirst = await insertCoinPayment(unit, {
        ...{ instructionsKey, transactionId: transaction.id, state: 'open', currency, amountMinor },
        returnUrl: expected.returnUrl,
        issued: {
          instructions: instructionsFor(connected, wallet, code, coins, rules),
          reference: wallet.address,
          expiresAt,
        },
        createdAt: clock.now(),
      });
      if (!isFirst) throw new DuplicateRequest();
      await recordCreated(context, unit, wallet, transaction, { payments: [], tipHeight });
      return true;
    });
  try {
    const isGivenAgain = (await isGapFull(context, database, connected.accountId)) && (await write(null));
    if (!isGivenAgain) await write(await nextDepositAddress(context, connected));
  } catch (error) {
    if (!(error instanceof DuplicateRequest)) throw error;
  }
  return await find(database, instructionsKey);
}

/** The payment was asked for, or taken back, at the same moment; what this unit has done is undone. */
class DuplicateRequest extends Error {}

function instructionsFor(
  { chain, network }: ConnectedChain,
  { address }: Pick<FreshAddress, 'address'>,
  code: CryptoCurrencyCode,
  coins: bigint,
  { minConfirmations }: { minConfirmations: number },
): IssuedInstructions['instructions'] {
  return {
    action: 'crypto',
    currency: code.toUpperCase(),
    network,
    address,
    amount: inCoins(coins, code),
    uri: chain.addresses.uri({ code, address, amount: coins }),
    minConfirmations,
  };
}

async function transactionOf(reader: Runner, { transactionId }: CoinPayment): Promise<CryptoTransaction | null> {
  const [transaction] = await findTransactions(reader, transactionId === null ? [] : [transactionId]);
  return transaction ?? null;
}

/** State of a payment without its receipts, which are read in the unit of the link. */
async function describe(reader: Runner, payment: CoinPayment): Promise<PushPayment> {
  const transaction = await transactionOf(reader, payment);
  const deposits = transaction ? await findDeposits(reader, transaction.id) : [];
  return { state: payment.state, receipts: [], confirmations: transaction && awaitedOf(transaction, deposits) };
}

/** The fewest confirmations of a deposit that is to be credited and is not yet. */
function awaitedOf(transaction: CryptoTransaction, deposits: readonly ConfirmedDeposit[]): number | null {
  const awaited = deposits.flatMap((each) =>
    each.confirmations === null || each.decision === 'rejected' || isCredited(transaction, each)
      ? []
      : [Math.min(each.confirmations, transaction.minConfirmations)],
  );
  return awaited.length === 0 ? null : Math.min(...awaited);
}

/** A payment with its deposits that are there now. */
interface OpenedPayment {
  payment: CoinPayment;
  transaction: CryptoTransaction;
  terms: ValuedDeposit['terms'];
  deposits: readonly ConfirmedDeposit[];
}

/** Payments of one link, by the deposits that are there now. */
async function describeAll(
  context: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  payments: readonly CoinPayment[],
  owedMinor: bigint,
): Promise<ReadonlyMap<string, PushPayment>> {
  const opened: OpenedPayment[] = [];
  for (const payment of payments) {
    const transaction = await transactionOf(unit, payment);
    if (!transaction) continue;
    const { code, tolerance, amountRequired } = transaction;
    // Each is made with an amount.
    const terms = { priceMinor: payment.amountMinor, coins: amountRequired ?? 1n, tolerance, code };
    opened.push({ payment, transaction, terms, deposits: await findDeposits(unit, transaction.id) });
  }
  const values = await valueCredited(context, unit, opened, owedMinor);
  return new Map(
    payments.map((payment): [string, PushPayment] => {
      const { transaction, deposits = [] } = opened.find((each) => each.payment === payment) ?? {};
      const receipts = deposits.flatMap(({ id, paymentKey, seenAt }) => {
        const amountMinor = values.get(id) ?? 0n;
        return amountMinor > 0n ? [{ receiptKey: paymentKey, amountMinor, receivedAt: seenAt }] : [];
      });
      const confirmations = transaction ? awaitedOf(transaction, deposits) : null;
      return [payment.instructionsKey, { state: payment.state, receipts, confirmations }];
    }),
  );
}

/**
 * Value of each credited deposit of a link. In time: by the sum of those that are there, at the fixed rate, so that a
 * replacement is worth what it replaced. Late: at the rate of the moment when it was first valued; a replacement keeps
 * that of the deposit that it replaced.
 */
async function valueCredited(
  context: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  opened: readonly OpenedPayment[],
  owedMinor: bigint,
): Promise<ReadonlyMap<number, bigint>> {
  const all = opened
    .flatMap((of) => of.deposits.map((deposit) => ({ ...of, deposit })))
    .sort((one, other) => one.deposit.id - other.deposit.id);
  const late = await findLateValues(
    unit,
    all.map(({ deposit }) => deposit.id),
  );
  const credited: { id: number; valued: ValuedDeposit }[] = [];
  for (const { payment, transaction, terms, deposit } of all) {
    const { id, amount, seenAt, confirmations } = deposit;
    const isLate = transaction.expiresAt !== null && seenAt > transaction.expiresAt;
    if (isLate && confirmations !== null && !late.has(id)) {
      const replaced = all.find((each) => each.deposit.id === deposit.replacesId)?.deposit;
      const worth = replaced && late.get(replaced.id);
      const received = sumOf(
        valueDeposits(
          credited.map(({ valued }) => valued),
          owedMinor,
        ),
      );
      const amountMinor =
        replaced && worth !== undefined
          ? (worth * amount) / replaced.amount
          : await lateValueOf(context, unit, payment, terms, { amount, leftMinor: owedMinor - received });
      late.set(id, amountMinor);
      await keepLateValue(unit, id, amountMinor);
    }
    const lateMinor = isLate ? (late.get(id) ?? 0n) : null;
    if (isCredited(transaction, deposit)) credited.push({ id, valued: { terms, amount, lateMinor } });
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

/** Value of a late deposit at the rate of now: what is left, where it is the amount that is asked for that. */
async function lateValueOf(
  context: Pick<InvoicesContext, 'clock' | 'rates'>,
  unit: UnitOfWork,
  { currency }: CoinPayment,
  { priceMinor, tolerance, code }: ValuedDeposit['terms'],
  { amount, leftMinor }: { amount: bigint; leftMinor: bigint },
): Promise<bigint> {
  const rate = (await heldRates({ ...context, database: unit }, [code], currency)).get(code);
  if (!rate) throw new Error(`There is no rate of ${code} in ${currency}`);
  const coinsOf = (amountMinor: bigint) => priceInCoins({ amountMinor, currency }, code, rate.rate);
  if (leftMinor > 0n && amount === coinsOf(leftMinor)) return leftMinor;
  return fiatValueOf(amount, { priceMinor, coins: coinsOf(priceMinor), tolerance });
}
